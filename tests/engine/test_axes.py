"""What `over` puts together: each cell's numbers, under the values that it was made of."""

from __future__ import annotations

import pytest
import xarray as xr

from utils.axes import over


def told(name, number):
    """Two arrays that hold the values they were made of, of which one has an axis of its own."""
    words = xr.DataArray([f"{name} {number} at {rate}" for rate in (0.1, 0.3)], [("rate", [0.1, 0.3])])
    return xr.Dataset({"words": words, "twice": 2 * number})


def test_each_cell_holds_what_its_own_values_gave():
    """Axes may be dictionaries, whose keys count, and tuples; their values text and numbers, in any order."""
    data = over(told, name={"wide": 1, "deep": 2}, number=(3, 1, 0.5))
    assert data["words"].dims == ("name", "number", "rate") and data["twice"].dims == ("name", "number")
    assert data["name"].values.tolist() == ["wide", "deep"] and data["number"].values.tolist() == [3, 1, 0.5]
    for name in ("wide", "deep"):
        for number in (3, 1, 0.5):
            cell = data.sel(name=name, number=number)
            assert cell["twice"] == 2 * number
            for rate in (0.1, 0.3):
                assert cell["words"].sel(rate=rate) == f"{name} {number} at {rate}"


def test_arrays_give_an_array():
    cubes = over(lambda base: xr.DataArray([base, base**3], dims="power"), base=range(4))
    assert cubes.dims == ("base", "power") and cubes.sel(base=3).values.tolist() == [3, 27]


def test_the_scalar_coordinates_of_cells_are_dropped():
    """What a cell was selected by is no axis of the whole, and may differ between the cells."""
    part = xr.DataArray([[1.0, 2.0], [3.0, 4.0]], [("part", ["a", "b"]), ("rate", [0.1, 0.3])])
    picked = over(lambda place: part.sel(part="ab"[place]), place=[1, 0])
    assert set(picked.coords) == {"place", "rate"} and picked.values.tolist() == [[3, 4], [1, 2]]


@pytest.mark.parametrize("labels", [[[0.1, 0.3], [0.1, 1.0]], [[0.1, 0.3], [0.3, 0.1]], [[0.1, 0.3], [0.1]]])
def test_cells_with_other_labels_another_order_or_fewer_are_refused(labels):
    with pytest.raises(ValueError, match="rate"):
        over(lambda place: xr.DataArray([1.0] * len(labels[place]), [("rate", labels[place])]), place=[0, 1])


@pytest.mark.parametrize(
    "second",
    [
        xr.DataArray([1.0, 2.0], dims="rate"),
        xr.DataArray(1.0),
        xr.DataArray([1.0, 2.0], [("part", [0.1, 0.3])]),
        xr.Dataset({"other": ("rate", [1.0, 2.0])}, {"rate": [0.1, 0.3]}),
    ],
    ids=["no labels", "no axis", "another axis", "arrays by name"],
)
def test_cells_with_other_axes_or_arrays_are_refused(second):
    """Put together all the same, their numbers would be repeated, or missing ones made up as NaN."""
    first = xr.DataArray([1.0, 2.0], [("rate", [0.1, 0.3])])
    with pytest.raises(ValueError, match="the same axes are wanted"):
        over(lambda place: [first, second][place], place=[0, 1])
