"""How does the model run with other functions in the place of some of its own? As a copy: nobody else notices."""

from types import CellType, FunctionType


class Variant:
    """A copy of the model in which other functions stand for some of its own.

    `instead` gives what is called in the place of a function of the model. Calls are found by the names of a module
    and what a function closes over. What a table or a record holds is not copied.
    """

    def __init__(self, instead):
        self.copies, self.names = dict(instead), {}

    def of(self, function):
        """Return the copy of a function of the model; anything else is returned as it is."""
        if isinstance(function, FunctionType) and function.__module__.startswith("corollary.model."):
            return self.copies.get(function) or self.copy(function)
        return function

    def copy(self, function):
        """Copy a function, with all that it calls, though another stands for it."""
        cells = tuple(CellType() for _ in function.__closure__ or ())
        names = self.names.setdefault(id(function.__globals__), {})
        copied = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
        vars(copied).update(vars(function))
        self.copies.setdefault(function, copied)  # it may call itself
        if not names:
            names["__builtins__"] = function.__globals__["__builtins__"]
            names.update({name: self.of(value) for name, value in function.__globals__.items()})
        for cell, closed in zip(cells, function.__closure__ or ()):
            cell.cell_contents = self.of(closed.cell_contents)
        return copied
