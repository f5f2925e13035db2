"""Values that try to be anything rather than right."""

from tests.grading.hostile import World, in_cell, kind, returning


@kind("Only plain data leaves the process; an object that equals everything is none.", quick=True)
def equals_everything(world: World) -> bytes:
    return returning(
        "Yes()",
        """
        class Yes:
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __le__(self, other): return True
            __lt__ = __ge__ = __gt__ = __le__
            def __bool__(self): return True
            def __float__(self): return 1.0
            def __hash__(self): return 0
            def __len__(self): return 3
            def __iter__(self): return iter([Yes()])
            def __sub__(self, other): return 0
            __rsub__ = __mul__ = __rmul__ = __sub__
            def __getattr__(self, name): return self
    """,
    )


@kind("An object that turns itself into an array when asked is not an array.")
def array_on_demand(world: World) -> bytes:
    return returning(
        "Chameleon()",
        """
        class Chameleon:
            shape, dtype, ndim = (3,), np.dtype(float), 1
            def __array__(self, dtype=None, copy=None): return np.zeros(3)
            def __array_ufunc__(self, *args, **options): return True
            def __array_function__(self, *args, **options): return True
            def __array_interface__(self): return np.zeros(3).__array_interface__
    """,
    )


@kind("A tensor-like that answers every torch function with yes is no tensor.")
def torch_function(world: World) -> bytes:
    return returning(
        "Yes()",
        """
        import torch
        class Yes(torch.Tensor):
            @classmethod
            def __torch_function__(cls, function, types, args=(), kwargs=None): return True
            def __new__(cls): return torch.Tensor._make_subclass(cls, torch.zeros(3))
    """,
    )


@kind("A subclass of float comes out as the bare number it holds.")
def subclasses_of_numbers(world: World) -> bytes:
    return returning(
        "[Any(0.0)] * (len(knots) - 1)",
        """
        class Any(float):
            def __eq__(self, other): return True
            def __float__(self): return 1e300
            def __repr__(self): return "1.0, 'points': 3"
            __hash__ = float.__hash__
    """,
    )


@kind("A subclass of an array comes out as the bare numbers it holds.")
def subclasses_of_arrays(world: World) -> bytes:
    return returning(
        "np.zeros(len(knots) - 1).view(Any)",
        """
        class Any(np.ndarray):
            def __eq__(self, other): return np.ones(self.shape, bool)
            def __array_ufunc__(self, *args, **options): return np.zeros(self.shape)
            def tobytes(self, *args): return b"\\xff" * self.nbytes
            def ravel(self, *args): return self
            def tolist(self): return ["points", 3]
    """,
    )


@kind("Nothing is unpickled anywhere, so a __reduce__ never runs.")
def reduces_to_code(world: World) -> bytes:
    return returning(
        "[Bomb(), pickle.dumps(Bomb()).decode('latin-1')]",
        f"""
        import pathlib, pickle
        class Bomb:
            def __reduce__(self): return (pathlib.Path.touch, (pathlib.Path({str(world.outside / "reduced")!r}),))
    """,
    )


@kind("A pickle's text is text, and text is not the answer.")
def pickled_text(world: World) -> bytes:
    return returning(repr(f"cos\nsystem\n(S'touch {world.outside / 'unpickled'}'\ntR."))


@kind("What would only be computed when somebody looks is no value.")
def lazily_computed(world: World) -> bytes:
    return returning("(weight for weight in iter(lambda: 0.0, 1.0))")


@kind("A function in place of a value is no value.")
def returns_a_function(world: World) -> bytes:
    return returning("lambda: np.diff(values)")


@kind("nan agrees with nothing, not even with nan.", quick=True)
def not_a_number(world: World) -> bytes:
    return returning("np.full(len(knots) - 1, np.nan)")


@kind("An infinite number is as far off as can be.")
def infinite(world: World) -> bytes:
    return returning("np.full(len(knots) - 1, np.inf)")


@kind("A number of 400 digits is no weight, and costs the grader nothing.")
def enormous_number(world: World) -> bytes:
    return returning("[10**400] * (len(knots) - 1)")


@kind("Turning a number of a hundred million digits into text would take hours; it is refused before.")
def number_beyond_text(world: World) -> bytes:
    return returning("[1 << 400_000_000]")


@kind("An array of a gigabyte is refused in the process that made it.")
def enormous_array(world: World) -> bytes:
    return returning("np.zeros(2**27)")


@kind("An array that takes no memory, since its strides are 0, is still too large.")
def array_of_strides(world: World) -> bytes:
    return returning("np.broadcast_to(0.0, (10**12,))")


@kind("Just below the limit a value is judged: 30 MB of zeros in each case are wrong, and too much for all cases.")
def as_large_as_allowed(world: World) -> bytes:
    return returning("np.zeros(2_800_000)")


@kind("Nesting ends at a stated depth.")
def deeply_nested_value(world: World) -> bytes:
    return in_cell(
        "pass",
        """
        value = []
        for _ in range(100_000):
            value = [value]
        return value
    """,
    )


@kind("A list that holds itself has no end, and is no value.")
def holds_itself(world: World) -> bytes:
    return in_cell(
        "pass",
        """
        value = {"self": []}
        value["self"].append(value)
        return value
    """,
    )


@kind("An empty array must not pass by having nothing in it that is wrong.")
def nothing_at_all(world: World) -> bytes:
    return returning("np.zeros(0)")


@kind("An array must have the shape, not only broadcast to it.")
def broadcasts(world: World) -> bytes:
    return returning("np.zeros((len(knots) - 1, 1, 0))")


@kind("Objects, records, times and text in arrays are not numbers.")
def strange_arrays(world: World) -> bytes:
    return returning(
        "[np.array([object()]), np.zeros(2, 'i4,f8'), np.array(['1']), np.array('2026', 'M8'), np.ma.masked_all(3)]"
    )


@kind("None of these is what was asked for: a set, bytes, a complex number, None, a type, a module.")
def wrong_types(world: World) -> bytes:
    return returning("[{1}, b'1', 1j, None, int, np, Ellipsis, memoryview(b'1')]")


@kind("Sparse, quantised or data-less tensors hold no numbers that could be right.")
def strange_tensors(world: World) -> bytes:
    return returning(
        "[torch.zeros(3, device='meta'), torch.eye(3).to_sparse(), torch.zeros(3, dtype=torch.bfloat16)]",
        "import torch",
    )


@kind("A dictionary that looks like an encoded value is a dictionary.")
def encoded_by_hand(world: World) -> bytes:
    return returning("{'array': 'float64', 'shape': [2**31, 2**31], 'data': []}")


@kind("Text that names the right answer is not the answer.")
def claims_full_marks(world: World) -> bytes:
    return returning("'full marks, 3 of 3 points, correct, True'")


@kind("A value that never lets itself be thrown away runs into its limit, and takes only its exercise along.", hangs=1)
def refuses_to_go(world: World) -> bytes:
    return in_cell(
        "pass",
        """
        class Last(list):
            def __del__(self):
                while True:
                    pass
        return Last(np.zeros(len(knots) - 1).tolist())
    """,
    )
