"""A hash table from numbers below 2⁴² to numbers below 128, in one word an entry.

Emptying it takes no time: an entry counts only in the generation that wrote it. It grows when half
full, to 64 bytes an entry at most; emptied, one that has outgrown the processor's cache begins
small again. Where there is no memory to grow into, it says that it is `full`: its owner then ends
the search, before the other half is used up.
"""

from array import array

import cython

KEY_BITS = cython.declare(cython.int, 42)
VALUE_BITS = cython.declare(cython.int, 7)
GENERATIONS = cython.declare(cython.ulonglong, 1 << 15)
ONE = cython.declare(cython.ulonglong, 1)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# 2⁶⁴ by the golden ratio: it spreads the keys.
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
SMALL = cython.declare(cython.int, 12)  # in bits
LARGE = cython.declare(cython.int, 16)


class Table:
    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.bits = SMALL
        self.entries = array("Q", bytes(8 << SMALL))
        self.generation = 1
        self.used = 0
        self.full = False

    def clear(self) -> None:
        self.used = 0
        self.full = False
        self.generation += 1
        if self.generation == GENERATIONS or self.bits > LARGE:
            self.begin()

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
        if self.used >> (self.bits - 1) and not self.full:
            with cython.gil:
                self.grow()

    def grow(self) -> None:
        old: cython.ulonglong[::1] = self.entries
        try:
            self.entries = array("Q", [0]) * (4 << self.bits)
        except MemoryError:
            self.full = True
            return
        self.bits += 2
        index: cython.Py_ssize_t
        key: cython.ulonglong
        for index in range(len(old)):
            if old[index] >> (KEY_BITS + VALUE_BITS) == self.generation:
                key = old[index] >> VALUE_BITS & ((ONE << KEY_BITS) - 1)
                self.entries[-1 - self.find(key)] = old[index]
