"""A hash table from numbers below 2⁴² to numbers below 128, in one word an entry.

Emptying it takes no time: an entry counts only in the generation that wrote it. It doubles when
half full, so it takes 16 to 32 bytes for each entry ever held at once and keeps that memory.
"""

from array import array

import cython

KEY_BITS = cython.declare(cython.int, 42)
VALUE_BITS = cython.declare(cython.int, 7)
GENERATIONS = cython.declare(cython.ulonglong, 1 << 15)
ONE = cython.declare(cython.ulonglong, 1)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
GOLDEN = cython.declare(
    cython.ulonglong, 0x9E3779B97F4A7C15
)  # 2⁶⁴ by the golden ratio: spreads keys


class Table:
    def __init__(self, bits: int = 12) -> None:
        self.bits = bits
        self.entries = array("Q", bytes(8 << bits))
        self.used = 0
        self.generation = 1

    def clear(self) -> None:
        self.used = 0
        self.generation += 1
        if self.generation == GENERATIONS:
            self.entries = array("Q", bytes(8 << self.bits))
            self.generation = 1

    def find(self, key: cython.ulonglong) -> cython.longlong:
        """The place of a key; of a key not held, -1 less the place where it may be put."""
        place: cython.ulonglong = ((key * GOLDEN) & WORD) >> (64 - self.bits)
        last: cython.ulonglong = (ONE << self.bits) - 1
        wanted: cython.ulonglong = self.generation << KEY_BITS | key
        entry: cython.ulonglong
        while True:
            entry = self.entries[place] >> VALUE_BITS
            if entry == wanted:
                return cython.cast(cython.longlong, place)
            if entry >> KEY_BITS != self.generation:
                return -1 - cython.cast(cython.longlong, place)
            place = (place + 1) & last

    def get(self, place: cython.longlong) -> cython.int:
        return cython.cast(cython.int, self.entries[place] & 127)

    def put(self, place: cython.longlong, key: cython.ulonglong, value: cython.int) -> cython.void:
        """Writes a key at the place that `find` has just told."""
        if place < 0:
            place = -1 - place
            self.used += 1
        self.entries[place] = (self.generation << KEY_BITS | key) << VALUE_BITS | cython.cast(
            cython.ulonglong, value
        )
        if self.used >> (self.bits - 1):
            with cython.gil:
                self.grow()

    def grow(self) -> None:
        old: cython.ulonglong[::1] = self.entries
        self.bits += 1
        self.entries = array("Q", bytes(8 << self.bits))
        index: cython.Py_ssize_t
        key: cython.ulonglong
        for index in range(len(old)):
            if old[index] >> (KEY_BITS + VALUE_BITS) == self.generation:
                key = old[index] >> VALUE_BITS & ((ONE << KEY_BITS) - 1)
                self.entries[-1 - self.find(key)] = old[index]
