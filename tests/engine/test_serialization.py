"""Plain data survives the journey with the same bits, and nothing else is let through."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from utils.exercises import serialization

scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text()
arrays = hnp.arrays(
    st.sampled_from(serialization.DTYPES), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=12)
)
values = st.recursive(
    scalars | arrays, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


def same(a, b) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, float) and a != a:
        return isinstance(b, float) and b != b
    return type(a) is type(b) and a == b and repr(a) == repr(b)


@given(values)
def test_values_come_back_with_the_same_bits(value):
    assert same(value, serialization.loads(serialization.dumps(value)))


@given(arrays)
def test_tensors_come_back_as_tensors_or_as_arrays(array):
    tensor = torch.from_numpy(array.copy())
    assert same(array, serialization.loads(serialization.dumps(tensor)))
    back = serialization.loads(serialization.dumps(tensor), tensors=True)
    assert back.dtype == tensor.dtype and same(back.numpy(), array)


def test_a_tensor_in_a_graph_and_other_byte_orders_are_plain():
    assert same(serialization.normalise(torch.ones(2, requires_grad=True) * 2), np.full(2, 2, np.float32))
    assert same(serialization.normalise(np.arange(3, dtype=">f4")), np.arange(3, dtype="f4"))
    assert serialization.normalise((1, (2.5, np.float32(3)), range(2), np.bool_(True))) == [1, [2.5, 3.0], [0, 1], True]


@given(hnp.arrays("U5", hnp.array_shapes(min_dims=0, min_side=0, max_side=4)))
def test_arrays_of_text_come_back_as_lists(array):
    for same_text in (array, array.astype(object)):
        back = serialization.normalise(same_text)
        assert type(back) is (list if array.ndim else str)
        assert np.array_equal(np.array(back, dtype=array.dtype).reshape(array.shape), array)


def test_objects_in_an_array_are_plain_or_not_one_by_one():
    back = serialization.normalise(np.array([1.5, "more", None, np.True_, np.arange(2)], dtype=object))
    assert same(back, [1.5, "more", None, True, np.arange(2)])
    texts = [np.str_("more"), {"a": np.array("more")}, np.array(["more"], dtype=np.dtypes.StringDType())]
    assert same(serialization.normalise(texts), ["more", {"a": "more"}, ["more"]])


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        torch.nn.Linear(1, 1),
        lambda: 1,
        {1: 2},
        2**64,
        b"bytes",
        np.array([b"a"]),
        np.array([{1}]),
        np.array([(1, "a")], dtype="i4,U1"),
        np.array("2026-01-01", dtype="M8[D]"),
        torch.zeros(2, dtype=torch.bfloat16),
        torch.zeros(2).to_sparse(),
        1j * np.ones(1, dtype="c16").astype(object),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(serialization.NotSerializable):
        serialization.dumps(value)


def test_what_contains_itself_and_what_is_huge_is_refused():
    loop: list = []
    loop.append(loop)
    with pytest.raises(serialization.NotSerializable, match="nested"):
        serialization.dumps(loop)
    in_itself = np.empty((), dtype=object)
    in_itself[()] = in_itself
    with pytest.raises(serialization.NotSerializable, match="nested"):
        serialization.dumps(in_itself)
    with pytest.raises(serialization.NotSerializable, match="array takes"):
        serialization.encode(np.broadcast_to("chaotic", 10**10))
    with pytest.raises(serialization.NotSerializable, match="bytes"):
        serialization.dumps(np.zeros(10_000), max_bytes=10_000)
    with pytest.raises(serialization.NotSerializable, match="array takes"):
        serialization.encode(np.zeros(serialization.MAX_BYTES // 8 + 1))
    with pytest.raises(serialization.NotSerializable, match="characters"):
        serialization.loads(serialization.dumps([0] * 1000), max_bytes=100)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        "[Infinity]",
        '{"x": 1}',
        '{"float": "1"}',
        '{"float": ["nan"]}',
        '{"dict": [[1, 2]]}',
        '{"dict": {"a": 1}}',
        '{"array": "object", "shape": [1], "data": "AAAA"}',
        '{"array": "float64", "shape": [2], "data": [1.0]}',
        '{"array": "float64", "shape": [-1], "data": [1.0]}',
        '{"array": "float64", "shape": [1], "data": "AAAA"}',
        '{"array": "float64", "shape": [true], "data": [1.0]}',
        '{"array": "int8", "shape": [1], "data": [1000]}',
        '{"array": ["int8"], "shape": [0], "data": []}',
        '{"array": "float64", "shape": [1], "data": [{"float": "nan"}]}',
        '{"array": "bool", "shape": [], "data": null}',
        '{"array": "float64", "shape": [1, 1000000000, 1000000000, 1000000000], "data": []}',
        "[" * 100_000,
        "1" * 5000,
        json.dumps(pickle.dumps(1).hex()) + "x",
    ],
)
def test_malformed_texts_are_refused(text):
    with pytest.raises(serialization.NotSerializable):
        serialization.loads(text)
