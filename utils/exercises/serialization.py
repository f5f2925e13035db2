"""Plain data as JSON text: the only form in which an answer's values leave the process that computed them.

Numbers, text, True, False, None, lists, dictionaries with text keys, arrays and tensors. Decoding never
runs anything: no pickle, no evaluation, no class is looked up by name. Floats and arrays of numbers come back
with the same bits. Tuples come back as lists, and so do arrays of text and of Python's objects.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import sys
from typing import Any

import numpy as np

MAX_BYTES = 32_000_000
MAX_DEPTH = 20
READABLE_SIZE = 64  # up to here an array's numbers are written out, so that a diff of a file can be read
DTYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


class NotSerializable(TypeError):
    """A value, or a text, that is not plain data."""


def dumps(value: Any, max_bytes: int = MAX_BYTES) -> str:
    """Return ``value`` as JSON text.

    Raises NotSerializable for a type that is not plain data and for what would exceed ``max_bytes`` or
    ``MAX_DEPTH`` levels of nesting.
    """
    text = json.dumps(encode(value), allow_nan=False)
    if len(text) > max_bytes:
        raise NotSerializable(f"the value takes {len(text):,} bytes; at most {max_bytes:,} are allowed")
    return text


def loads(text: str, *, tensors: bool = False, max_bytes: int = MAX_BYTES) -> Any:
    """Return the value that ``dumps`` wrote; tensors come back as tensors where ``tensors``, else as arrays.

    Raises NotSerializable for any text that ``dumps`` could not have written, too long a one included.
    """
    if len(text) > max_bytes:
        raise NotSerializable(f"the text has {len(text):,} characters; at most {max_bytes:,} are allowed")
    try:
        return decode(json.loads(text, parse_constant=_refuse_constant), tensors=tensors)
    except (ValueError, RecursionError) as error:
        raise NotSerializable(f"this is not plain data: {error}") from None


def normalise(value: Any) -> Any:
    """Return ``value`` as it looks after a journey: tensors as arrays, tuples as lists, NumPy's scalars bare."""
    return loads(dumps(value))


def encode(value: Any, depth: int = 0) -> Any:
    """Return ``value`` in JSON's own types; raises NotSerializable for what is not plain data."""
    if depth > MAX_DEPTH:
        raise NotSerializable(f"the value is nested more than {MAX_DEPTH} levels deep")
    if value is None or type(value) is bool:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (int, float, np.generic)):
        return _encode_scalar(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "UTO":  # text, and objects, each of which is plain or not
        _refuse_large(value)
        return encode(value.tolist(), depth + 1)
    if isinstance(value, np.ndarray):
        return _encode_array(value, "array")
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _encode_array(_array_of(value), "tensor")
    if isinstance(value, (list, tuple, range)):
        return [encode(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {"dict": [[_encode_key(key), encode(item, depth + 1)] for key, item in value.items()]}
    raise NotSerializable(f"a {type(value).__name__} is not plain data (numbers, text, lists, arrays, tensors)")


def _encode_scalar(value: Any) -> Any:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        if not -(2**63) <= int(value) < 2**64:
            raise NotSerializable("the whole number does not fit into 64 bits")
        return int(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return number if math.isfinite(number) else {"float": repr(number)}
    return _encode_array(np.asarray(value), "array")


def _encode_key(key: Any) -> str:
    if type(key) is not str:
        raise NotSerializable(f"a dictionary's keys must be text, not {type(key).__name__}")
    return key


def _array_of(tensor: Any) -> np.ndarray:
    try:
        return tensor.detach().cpu().resolve_conj().resolve_neg().numpy()
    except (TypeError, RuntimeError):
        raise NotSerializable(f"a tensor of {tensor.dtype} and layout {tensor.layout} is not plain data") from None


def _encode_array(array: np.ndarray, tag: str) -> dict[str, Any]:
    if array.dtype.name not in DTYPES:
        raise NotSerializable(
            f"an array of dtype {array.dtype} is not plain data; one of numbers, booleans or text is wanted"
        )
    _refuse_large(array)
    array = np.asarray(array, dtype=array.dtype.newbyteorder("<"))
    readable = array.size <= READABLE_SIZE and array.dtype.kind != "c" and bool(np.isfinite(array).all())
    data = array.ravel().tolist() if readable else base64.b64encode(array.tobytes()).decode("ascii")
    return {tag: array.dtype.name, "shape": list(array.shape), "data": data}


def _refuse_large(array: np.ndarray) -> None:
    if array.nbytes > MAX_BYTES:
        raise NotSerializable(f"the array takes {array.nbytes:,} bytes; at most {MAX_BYTES:,} are allowed")


def decode(item: Any, *, tensors: bool = False, depth: int = 0) -> Any:
    """Return the value that ``encode`` turned into ``item``; raises NotSerializable for anything else."""
    if depth > MAX_DEPTH:
        raise NotSerializable(f"the value is nested more than {MAX_DEPTH} levels deep")
    if item is None or isinstance(item, (bool, int, float, str)):
        return item
    if isinstance(item, list):
        return [decode(part, tensors=tensors, depth=depth + 1) for part in item]
    if isinstance(item, dict) and item.keys() == {"float"} and item["float"] in ("nan", "inf", "-inf"):
        return float(item["float"])
    if isinstance(item, dict) and item.keys() == {"dict"} and isinstance(item["dict"], list):
        return dict(_decode_pair(pair, tensors, depth) for pair in item["dict"])
    if isinstance(item, dict) and item.keys() in ({"array", "shape", "data"}, {"tensor", "shape", "data"}):
        return _decode_array(item, tensors)
    raise NotSerializable("this is not plain data: an object of an unknown form")


def _decode_pair(pair: Any, tensors: bool, depth: int) -> tuple[str, Any]:
    if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)):
        raise NotSerializable("this is not plain data: a dictionary's entry of an unknown form")
    return pair[0], decode(pair[1], tensors=tensors, depth=depth + 1)


def _decode_array(item: dict[str, Any], tensors: bool) -> Any:
    tag = "tensor" if "tensor" in item else "array"
    dtype, shape, data = item[tag], item["shape"], item["data"]
    sizes_are_right = isinstance(shape, list) and all(type(n) is int and 0 <= n < 2**31 for n in shape)
    if dtype not in DTYPES or not sizes_are_right or not isinstance(data, (str, list)):
        raise NotSerializable("this is not plain data: an array of an unknown form")
    try:
        stored = np.dtype(dtype).newbyteorder("<")
        flat = np.array(data, dtype) if isinstance(data, list) else np.frombuffer(base64.b64decode(data), stored)
        array = flat.astype(dtype).reshape(shape)
    except (ValueError, TypeError, OverflowError, MemoryError, binascii.Error):
        raise NotSerializable("this is not plain data: an array whose numbers do not fit its shape") from None
    if tag == "tensor" and tensors:
        import torch

        return torch.from_numpy(array)
    return array


def _refuse_constant(name: str) -> None:
    raise ValueError(f"the bare word {name}")
