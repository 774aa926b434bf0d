"""What is computed when somebody asks for it first, and never again?"""


class once:
    """A property that is computed once for each object.

    Two threads may compute it at the same time, then both get what the first one found; none waits for another.
    """

    def __init__(self, make):
        self.make, self.__doc__ = make, make.__doc__

    def __set_name__(self, _, name):
        self.name = name

    def __get__(self, owner, _=None):
        return self if owner is None else vars(owner).setdefault(self.name, self.make(owner))
