"""The game with every stock card always at hand: what is lost there is lost.

Only the number of stock cards of each rank counts, and no more of them than there are partners in
the pyramid. A pair of ranks of which both have that many is free: its cards go as they come up.
"""

import cython

from solver.kernel import shapes

if cython.compiled:
    from cython.cimports.solver.kernel.board import Board, top
    from cython.cimports.solver.kernel.table import Table
else:
    from solver.kernel.board import Board, top
    from solver.kernel.table import Table

SLOTS = cython.declare(cython.int, 28)
BIT = cython.declare(cython.uint, 1)
EXPOSED = cython.declare(cython.uint[::1], shapes.EXPOSED)
AFTER = cython.declare(cython.short[::1], shapes.AFTER)
SIGNS = cython.declare(cython.ulonglong, 0x888888888888)  # the top bit of each rank's four
NIBBLES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F)
BYTES = cython.declare(cython.ulonglong, 0x00FF00FF00FF)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def packed(shape: cython.int, ranks: cython.ulonglong) -> cython.ulonglong:
    """Twelve counts 0–4 in base 5, below 2²⁸, and the shape's eleven bits: a table's key."""
    ranks = (ranks & NIBBLES) + 5 * ((ranks >> 4) & NIBBLES)
    ranks = (ranks & BYTES) + 25 * ((ranks >> 8) & BYTES)
    ranks = (ranks & 1023) + 625 * ((ranks >> 16) & 1023) + 390625 * ((ranks >> 32) & 1023)
    return ranks << 11 | cython.cast(cython.ulonglong, shape)


class Relaxation:
    def __init__(self, board: Board) -> None:
        self.board = board
        self.memo = Table()
        self.nodes = 0

    def begin(self) -> None:
        """Forgets what it knew of another position."""
        self.memo.clear()
        self.nodes = 0

    def winnable(self, shape: cython.int, ranks: cython.ulonglong) -> cython.bint:
        """False if the pyramid cannot be cleared from a settled shape with these stock cards. True
        as well where there is no memory left to tell."""
        wanted: cython.ulonglong
        enough: cython.ulonglong  # a bit for each rank with a stock card for every partner
        open_slots: cython.uint
        others: cython.uint
        slot: cython.int
        other: cython.int
        rank: cython.int
        after: cython.int
        moved: cython.bint = True
        while moved:
            if shape == 0:
                return True
            moved = False
            wanted = self.board.partners[shape]
            enough = (((ranks | SIGNS) - wanted) & SIGNS) >> 3
            ranks = (wanted & (enough * 15)) | (ranks & ~(enough * 15))
            open_slots = EXPOSED[shape]
            while open_slots:
                slot = top(open_slots)
                open_slots ^= BIT << slot
                rank = self.board.slot_rank[slot]
                if enough >> (4 * (12 - rank)) & enough >> (4 * (rank - 1)) & 1:
                    shape = AFTER[SLOTS * shape + slot]
                    ranks -= self.board.one[13 - rank]
                    moved = True
            shape = self.board.settled[shape]
        key: cython.ulonglong = packed(shape, ranks)
        place: cython.longlong = self.memo.find(key)
        if place >= 0:
            return self.memo.get(place)
        if self.memo.full:
            return True
        self.nodes += 1
        won: cython.bint = False
        open_slots = EXPOSED[shape]
        while open_slots and not won:
            slot = top(open_slots)
            open_slots ^= BIT << slot
            rank = self.board.slot_rank[slot]
            after = AFTER[SLOTS * shape + slot]
            others = open_slots
            if self.board.overlap_pairs:
                others |= EXPOSED[after] & ~EXPOSED[shape]
            others &= self.board.slots_of[13 - rank]
            while others and not won:
                other = top(others)
                others ^= BIT << other
                won = self.winnable(self.board.settled[AFTER[SLOTS * after + other]], ranks)
            if not won and ranks >> (4 * (12 - rank)) & 15:
                won = self.winnable(self.board.settled[after], ranks - self.board.one[13 - rank])
        self.memo.put(self.memo.find(key), key, won)
        return won
