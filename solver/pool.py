"""Searches at rest: each keeps its tables, and threads never share one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Pool(Generic[T]):
    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._idle: list[T] = []

    @contextmanager
    def one(self) -> Iterator[T]:
        """One that nobody else has until the block ends; one that failed is not used again."""
        try:
            lent = self._idle.pop()
        except IndexError:
            lent = self._make()
        yield lent
        self._idle.append(lent)
