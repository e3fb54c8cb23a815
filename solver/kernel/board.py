"""A position laid out for the searches: numbers and tables in place of cards.

- *Shape*: which pyramid slots still hold a card, by its number in `shapes`.
- *Stock*: a set of bits, one for each card of stock and waste as the search began, in the order
  of a pass.
- *Time*: how far the game has run, `pass << 5 | cursor`; the cards before the cursor lie in the
  waste. The cursor stands directly behind the waste's top card, so that equal positions have
  equal times.
- *Cards*: the cards left that are no kings, a byte for each of the six pairs of ranks that make
  13, the ranks 1–6 in its low half and their partners in its high half.
- *Ranks*: how many there are of each rank 1–12, four bits each.
"""

from array import array

import cython

from solver.kernel import shapes

SLOTS = cython.declare(cython.int, 28)
SHAPES = cython.declare(cython.int, 1430)
KING = cython.declare(cython.int, 13)
ONE = cython.declare(cython.ulonglong, 1)
BIT = cython.declare(cython.uint, 1)
EXPOSED = cython.declare(cython.uint[::1], shapes.EXPOSED)
AFTER = cython.declare(cython.short[::1], shapes.AFTER)
MASK = cython.declare(cython.uint[::1], shapes.MASK)
ABOVE = cython.declare(cython.uint[::1], shapes.ABOVE)
COVERED = cython.declare(cython.uint[::1], shapes.COVERED)
LENGTH = cython.declare(cython.char[::1], array("b", [n.bit_length() for n in range(4096)]))
# By a place 0–3 in half a byte: the sets of such places that do not hold it.
WITHOUT = cython.declare(
    cython.uint[::1],
    array("I", [sum(1 << held for held in range(16) if not held >> n & 1) for n in range(4)]),
)


def top(mask: cython.uint) -> cython.int:
    """The highest bit of a set below 2²⁸, -1 of the empty one."""
    if mask >> 12 == 0:
        return LENGTH[mask] - 1
    if mask >> 24 == 0:
        return LENGTH[mask >> 12] + 11
    return LENGTH[mask >> 24] + 23


def pair_of(rank: cython.int) -> cython.int:
    """Which of the six pairs of ranks a rank 1–12 belongs to."""
    return rank - 1 if rank <= 6 else 12 - rank


class Board:
    def __init__(self) -> None:
        self.slot_rank = array("i", bytes(4 * 28))
        self.stock_rank = array("i", bytes(4 * 24))
        self.slot_card = array("Q", bytes(8 * 28))
        self.stock_card = array("Q", bytes(8 * 24))
        self.slots_of = array("I", bytes(4 * 14))
        self.stock_of = array("I", bytes(4 * 14))
        self.one = array("Q", [0, *(int("1" + "0" * rank, 16) for rank in range(12)), 0])
        self.settled = array("h", bytes(2 * 1430))
        self.partners = array("Q", bytes(8 * 1430))
        self.feasible = array("H", bytes(2 * 6 * 16))
        self.card_slot = array("i", bytes(4 * 48))
        self.fits = array("B", bytes(48))

    def lay(
        self,
        rules: tuple[int, bool, bool, bool],
        shape: int,
        pyramid: bytes,
        stock: bytes,
        pass_number: int,
        cursor: int,
    ) -> None:
        """Takes a position as `solver.encoding` writes it."""
        self.passes, self.stock_top_playable, self.overlap_pairs, self.all_cards = rules
        index: cython.int
        size: cython.int = len(stock)
        for index in range(SLOTS):
            self.slot_rank[index] = pyramid[index]
        for index in range(size):
            self.stock_rank[index] = stock[index]
        self.shape = shape
        self.time = pass_number << 5 | cursor
        with cython.nogil:
            self.prepare(size)

    def prepare(self, stock_size: cython.int) -> cython.void:
        index: cython.int
        self.stock = (BIT << stock_size) - 1
        self.ranks = 0
        self.name_cards(stock_size)
        self.fill_pairs()
        self.fill_shapes()
        for index in range(stock_size):
            self.ranks += self.one[self.stock_rank[index]]

    def name_cards(self, stock_size: cython.int) -> cython.void:
        """Gives each card its bit among `cards`."""
        rank: cython.int
        index: cython.int
        card: cython.int
        for rank in range(14):
            self.slots_of[rank] = 0
            self.stock_of[rank] = 0
        for card in range(48):
            self.card_slot[card] = -1
        self.cards = 0
        for index in range(SLOTS + stock_size):
            rank = self.slot_rank[index] if index < SLOTS else self.stock_rank[index - SLOTS]
            if index < SLOTS:
                if not MASK[self.shape] >> index & 1:
                    continue
                self.slots_of[rank] |= BIT << index
                self.slot_card[index] = 0
            else:
                self.stock_of[rank] |= BIT << (index - SLOTS)
            if rank == KING:
                continue
            card = 8 * pair_of(rank) + (0 if rank <= 6 else 4)
            while self.cards >> card & 1:
                card += 1
            self.cards |= ONE << card
            if index < SLOTS:
                self.slot_card[index] = ONE << card
                self.card_slot[card] = index
            else:
                self.stock_card[index - SLOTS] = ONE << card

    def fill_pairs(self) -> cython.void:
        """`feasible[16 * pair + low]`: with these cards of the pair's low rank left, the sets of
        its high rank for which every card that must go finds a partner that can go with it."""
        pair: cython.int
        low: cython.int
        high: cython.int
        first: cython.int
        other: cython.int
        sets: cython.uint
        rest: cython.uint
        for pair in range(6):
            sets = 1
            for high in range(4):
                if self.card_slot[8 * pair + 4 + high] < 0 and not self.all_cards:
                    sets |= sets << (BIT << high)
            self.feasible[16 * pair] = sets
            for low in range(4):
                self.fits[8 * pair + low] = 0
                for high in range(4):
                    if self.fit(
                        self.card_slot[8 * pair + low], self.card_slot[8 * pair + 4 + high]
                    ):
                        self.fits[8 * pair + low] |= 1 << high
            for low in range(1, 16):
                first = LENGTH[low] - 1
                rest = self.feasible[16 * pair + (low ^ 1 << first)]
                sets = 0
                if self.card_slot[8 * pair + first] < 0 and not self.all_cards:
                    sets = rest
                for other in range(4):
                    if self.fits[8 * pair + first] >> other & 1:
                        sets |= (rest & WITHOUT[other]) << (BIT << other)
                self.feasible[16 * pair + low] = sets

    def fit(self, one: cython.int, other: cython.int) -> cython.bint:
        """Whether the cards of two slots can go together; -1 is a card in stock or waste."""
        if one < 0 or other < 0:
            return True
        if ABOVE[one] >> other & 1:
            return self.overlap_pairs and COVERED[other] >> one & 1
        if ABOVE[other] >> one & 1:
            return self.overlap_pairs and COVERED[one] >> other & 1
        return True

    def fill_shapes(self) -> cython.void:
        """`settled[shape]`: the shape once its open kings are gone, and theirs beneath.
        `partners[shape]`: of each rank, as in `ranks`, how many partners lie in the pyramid."""
        shape: cython.int
        slot: cython.int
        kings: cython.uint
        self.settled[0] = 0
        self.partners[0] = 0
        for shape in range(1, self.shape + 1):
            slot = top(EXPOSED[shape])
            self.partners[shape] = (
                self.partners[AFTER[SLOTS * shape + slot]] + self.one[13 - self.slot_rank[slot]]
            )
            kings = EXPOSED[shape] & self.slots_of[13]
            if kings:
                self.settled[shape] = self.settled[AFTER[SLOTS * shape + top(kings)]]
            else:
                self.settled[shape] = shape

    def can_pair(self, cards: cython.ulonglong, pair: cython.int) -> cython.bint:
        low: cython.int = cython.cast(cython.int, cards >> (8 * pair) & 15)
        high: cython.int = cython.cast(cython.int, cards >> (8 * pair + 4) & 15)
        return self.feasible[16 * pair + low] >> high & 1

    def can_pair_all(self, cards: cython.ulonglong) -> cython.bint:
        """Whether each card that must go has a partner that does not lie under or over it."""
        pair: cython.int
        for pair in range(6):
            if not self.can_pair(cards, pair):
                return False
        return True

    def sealed(self, shape: cython.int, stock: cython.uint, time: cython.int) -> cython.uint:
        """The topmost waste card that nothing can pair with in this pass, with all under it."""
        waste: cython.uint = stock & ((BIT << (time & 31)) - 1)
        ahead: cython.uint = stock ^ waste
        place: cython.int
        rank: cython.int
        while waste:
            place = top(waste)
            rank = self.stock_rank[place]
            if (
                rank < KING
                and not self.partners[shape] >> (4 * (rank - 1)) & 15
                and not (self.stock_top_playable and ahead & self.stock_of[13 - rank])
            ):
                return waste
            waste ^= BIT << place
        return 0
