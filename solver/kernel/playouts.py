"""Games of a player who never peeks: a random removal when there is one, a draw or redeal else.

A plain simulation of the rules, kings and all. The removals stand in the order of
`Position.legal_moves`, and one is taken by a random number of its own, so that the rules can
repeat each game.
"""

from array import array

import cython

from solver.kernel import shapes

if cython.compiled:
    from cython.cimports.solver.kernel.board import top
else:
    from solver.kernel.board import top

SLOTS = cython.declare(cython.int, 28)
KING = cython.declare(cython.int, 13)
BIT = cython.declare(cython.uint, 1)
EXPOSED = cython.declare(cython.uint[::1], shapes.EXPOSED)
AFTER = cython.declare(cython.short[::1], shapes.AFTER)
COUNT = cython.declare(cython.char[::1], array("b", [mask.bit_count() for mask in shapes.MASK]))
WASTE = cython.declare(cython.int, 28)  # beside the slots, the tops of the piles
STOCK = cython.declare(cython.int, 29)
NONE = cython.declare(cython.int, 30)  # in place of a second card
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# SplitMix64, Steele, Lea and Flood 2014: a step and two mixing factors.
STEP = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
FIRST = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
SECOND = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


@cython.final
@cython.cclass
class Playouts:
    passes: cython.int
    stock_top_playable: cython.bint
    overlap_pairs: cython.bint
    all_cards: cython.bint
    slot_rank: cython.int[::1]
    deal: cython.int[::1]  # the stock's ranks as dealt
    # A game: the stock from its top to its end, the waste from its bottom up, as ranks.
    shape: cython.int
    stock: cython.int[::1]
    stock_top: cython.int
    stock_end: cython.int
    waste: cython.int[::1]
    waste_size: cython.int
    pass_number: cython.int
    # The removals at hand, and what they are made from.
    places: cython.int[::1]
    ranks: cython.int[::1]
    firsts: cython.int[::1]
    seconds: cython.int[::1]
    random: cython.ulonglong
    won: cython.longlong
    removed: cython.longlong

    def __init__(self) -> None:
        self.slot_rank = array("i", bytes(4 * 28))
        self.deal = array("i", bytes(4 * 24))
        self.stock = array("i", bytes(4 * 24))
        self.waste = array("i", bytes(4 * 24))
        self.places = array("i", bytes(4 * 32))
        self.ranks = array("i", bytes(4 * 32))
        self.firsts = array("i", bytes(4 * 64))
        self.seconds = array("i", bytes(4 * 64))

    def run(
        self,
        rules: tuple[int, bool, bool, bool],
        pyramid: bytes,
        stock: bytes,
        games: int,
        seed: int,
    ) -> tuple[int, int]:
        """How many of these games from the deal were won, and the pyramid cards removed in all.

        `pyramid` and `stock`: the ranks as dealt, kings included.
        """
        self.passes, self.stock_top_playable, self.overlap_pairs, self.all_cards = rules
        index: cython.int
        for index in range(28):
            self.slot_rank[index] = pyramid[index]
        for index in range(24):
            self.deal[index] = stock[index]
        self.random = seed
        self.won = 0
        self.removed = 0
        count: cython.int = games
        with cython.nogil:
            for index in range(count):
                self.play()
        return int(self.won), int(self.removed)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self) -> cython.void:
        """One game, from the deal to its end."""
        index: cython.int
        count: cython.int
        for index in range(24):
            self.stock[index] = self.deal[index]
        self.shape = 1429
        self.stock_top = 0
        self.stock_end = 24
        self.waste_size = 0
        self.pass_number = 1
        while not self.is_won():
            count = self.list_removals()
            if count:
                index = self.below(count)
                self.remove(self.firsts[index])
                if self.seconds[index] != NONE:
                    self.remove(self.seconds[index])
            elif self.stock_top < self.stock_end:
                self.waste[self.waste_size] = self.stock[self.stock_top]
                self.waste_size += 1
                self.stock_top += 1
            elif self.waste_size and self.pass_number < self.passes:
                for index in range(self.waste_size):
                    self.stock[index] = self.waste[index]
                self.stock_top = 0
                self.stock_end = self.waste_size
                self.waste_size = 0
                self.pass_number += 1
            else:
                break
        self.won += self.is_won()
        self.removed += 28 - COUNT[self.shape]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_won(self) -> cython.bint:
        if self.shape:
            return False
        return not self.all_cards or (self.stock_top == self.stock_end and self.waste_size == 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_removals(self) -> cython.int:
        """Fills `firsts` and `seconds`; answers how many there are."""
        open_slots: cython.uint = EXPOSED[self.shape]
        slot: cython.int
        size: cython.int = 0
        count: cython.int = 0
        one: cython.int
        other: cython.int
        for slot in range(SLOTS):
            if open_slots >> slot & 1:
                self.places[size] = slot
                self.ranks[size] = self.slot_rank[slot]
                size += 1
        if self.waste_size:
            self.places[size] = WASTE
            self.ranks[size] = self.waste[self.waste_size - 1]
            size += 1
        if self.stock_top_playable and self.stock_top < self.stock_end:
            self.places[size] = STOCK
            self.ranks[size] = self.stock[self.stock_top]
            size += 1
        for one in range(size):
            if self.ranks[one] == KING:
                self.firsts[count] = self.places[one]
                self.seconds[count] = NONE
                count += 1
        for one in range(size):
            for other in range(one + 1, size):
                if self.ranks[one] + self.ranks[other] == 13:
                    self.firsts[count] = self.places[one]
                    self.seconds[count] = self.places[other]
                    count += 1
        return self.list_overlap_pairs(count) if self.overlap_pairs else count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_overlap_pairs(self, count: cython.int) -> cython.int:
        covered: cython.uint = 0  # by one open card each
        rest: cython.uint = EXPOSED[self.shape]
        slot: cython.int
        coverer: cython.int
        while rest:
            coverer = top(rest)
            rest ^= BIT << coverer
            covered |= EXPOSED[AFTER[SLOTS * self.shape + coverer]] & ~EXPOSED[self.shape]
        for slot in range(SLOTS):
            if not covered >> slot & 1:
                continue
            rest = EXPOSED[self.shape]
            while rest:
                coverer = top(rest)
                rest ^= BIT << coverer
                if (
                    EXPOSED[AFTER[SLOTS * self.shape + coverer]] >> slot & 1
                    and self.slot_rank[slot] + self.slot_rank[coverer] == 13
                ):
                    self.firsts[count] = coverer
                    self.seconds[count] = slot
                    count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def remove(self, place: cython.int) -> cython.void:
        if place == WASTE:
            self.waste_size -= 1
        elif place == STOCK:
            self.stock_top += 1
        else:
            self.shape = AFTER[SLOTS * self.shape + place]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def below(self, bound: cython.int) -> cython.int:
        """A random number 0 … bound - 1."""
        self.random = (self.random + STEP) & WORD
        mixed: cython.ulonglong = self.random
        mixed = ((mixed ^ (mixed >> 30)) * FIRST) & WORD
        mixed = ((mixed ^ (mixed >> 27)) * SECOND) & WORD
        mixed ^= mixed >> 31
        return cython.cast(cython.int, ((mixed >> 32) * cython.cast(cython.ulonglong, bound)) >> 32)
