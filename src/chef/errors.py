"""The errors a user sees: one line that names the thing and the way out."""

from __future__ import annotations


class ChefError(Exception):
    """Something the user can put right. The command line prints it as one line and exits with 2.

    >>> str(ChefError("no such folder: recipes/", "give a folder or file that exists"))
    'no such folder: recipes/ (give a folder or file that exists)'
    """

    def __init__(self, problem: str, way_out: str = "") -> None:
        self.problem = problem
        self.way_out = way_out
        super().__init__(f"{problem} ({way_out})" if way_out else problem)

    def __reduce__(self) -> tuple[type[ChefError], tuple[str, str]]:
        # Worker processes send their errors home: both fields must survive the way.
        return type(self), (self.problem, self.way_out)
