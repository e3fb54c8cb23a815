"""Can it still be won? A depth-first search over what can be removed, with four ideas.

- Drawing is free. A position is only the cards left and the *earliest* time it was reached: a
  game can always wait. A table keeps the earliest time of each; what is no earlier is cut.
- Kings are no choice: an open one goes at once, and one in the stock counts as gone: as soon as
  it comes up it can go.
- Each card that must go needs a partner that does not lie over or under it (`Board.can_pair`).
- The game that forgets the stock's order must be won, too (`Relaxation`). In the last pass a waste
  card that nothing can pair with any more seals all under it, which then counts as gone.

Moves that wait least are tried first. A node is a position whose moves were listed, here or in
the relaxation; the budget counts them. A node takes at most 64 bytes, kept for the next search.
"""

from array import array

import cython

from solver.kernel import shapes

if cython.compiled:
    from cython.cimports.solver.kernel.board import Board, pair_of, top
    from cython.cimports.solver.kernel.relaxation import Relaxation
    from cython.cimports.solver.kernel.table import Table
else:
    from solver.kernel.board import Board, pair_of, top
    from solver.kernel.relaxation import Relaxation
    from solver.kernel.table import Table

SLOTS = cython.declare(cython.int, 28)
BIT = cython.declare(cython.uint, 1)
EXPOSED = cython.declare(cython.uint[::1], shapes.EXPOSED)
AFTER = cython.declare(cython.short[::1], shapes.AFTER)
STOCK = cython.declare(cython.int, 32)  # added to a place in the stock: no slot is so high
WIDTH = cython.declare(cython.int, 80)  # no position has more removals
DEPTH = cython.declare(cython.int, 54)
LATEST = cython.declare(cython.int, 127)  # later than any time: what is not lost

COMPILED = cython.compiled

LOST = cython.declare(cython.int, 0)
WON = cython.declare(cython.int, 1)
OUT_OF_NODES = cython.declare(cython.int, 2)


class Search:
    """Keeps its tables from one search to the next; one at a time."""

    def __init__(self) -> None:
        self.board = Board()
        self.relaxation = Relaxation(self.board)
        self.earliest = Table()
        places = DEPTH * WIDTH
        self.count = array("i", bytes(4 * DEPTH))
        self.shapes = array("h", bytes(2 * places))
        self.cards = array("Q", bytes(8 * places))
        self.ranks = array("Q", bytes(8 * places))
        self.stocks = array("I", bytes(4 * places))
        self.times = array("i", bytes(4 * places))
        self.waits = array("i", bytes(4 * places))
        self.removals = array("i", bytes(4 * places))
        self.path = array("i", bytes(4 * DEPTH))

    def run(
        self,
        rules: tuple[int, bool, bool, bool],
        shape: int,
        pyramid: bytes,
        stock: bytes,
        pass_number: int,
        cursor: int,
        budget: int,
    ) -> int:
        """LOST, WON or OUT_OF_NODES. For the position's parts see `solver.encoding`."""
        self.lay(rules, shape, pyramid, stock, pass_number, cursor)
        self.budget = budget
        result: cython.int
        with cython.nogil:
            result = self.begin(
                self.board.shape,
                self.board.cards,
                self.board.ranks,
                self.board.stock,
                self.board.time,
            )
        return int(result)

    def lay(
        self,
        rules: tuple[int, bool, bool, bool],
        shape: int,
        pyramid: bytes,
        stock: bytes,
        pass_number: int,
        cursor: int,
    ) -> None:
        """Takes a position and forgets what was found in others."""
        self.board.lay(rules, shape, pyramid, stock, pass_number, cursor)
        self.earliest.clear()
        self.relaxation.begin()
        self.visited = 0

    @property
    def nodes(self) -> int:
        return int(self.visited + self.relaxation.nodes)

    @property
    def line(self) -> list[tuple[int, int]]:
        """What a won search removed: pairs of places, slots or `STOCK` and a place in the stock."""
        return [(self.path[n] >> 6, self.path[n] & 63) for n in range(1, self.length)]

    def could_win(
        self,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
        nodes: cython.int,
    ) -> cython.bint:
        """False if this later position of the one laid is proven lost; what was found lost before
        is still known. True as well when it takes more nodes to tell."""
        self.budget = self.visited + self.relaxation.nodes + nodes
        return self.begin(shape, cards, ranks, stock, time) != LOST

    def begin(
        self,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
    ) -> cython.int:
        if not self.board.can_pair_all(cards):
            return LOST
        stock &= ~self.board.stock_of[13]
        self.count[0] = 0
        self.offer(
            0,
            shape,
            cards,
            ranks,
            stock,
            (time & ~31) | (top(stock & ((BIT << (time & 31)) - 1)) + 1),
            0,
            1,
            0,
        )
        if self.count[0] == 0:
            return LOST
        return self.search(0, 0)

    def search(self, depth: cython.int, place: cython.int) -> cython.int:
        """The position behind a removal that was offered at this depth."""
        shape: cython.int = self.shapes[place]
        stock: cython.uint = self.stocks[place]
        time: cython.int = self.times[place]
        self.path[depth] = self.removals[place]
        depth += 1
        if shape == 0 and not (self.board.all_cards and stock):
            self.length = depth
            return WON
        key: cython.ulonglong = cython.cast(cython.ulonglong, stock) << 11 | cython.cast(
            cython.ulonglong, shape
        )
        known: cython.longlong = self.earliest.find(key)
        if known >= 0 and self.earliest.get(known) <= time:
            return LOST
        self.earliest.put(known, key, time)
        if not self.relaxation.winnable(shape, self.ranks[place]):
            return LOST
        self.visited += 1
        if self.visited + self.relaxation.nodes > self.budget or self.earliest.full:
            self.earliest.put(self.earliest.find(key), key, LATEST)
            return OUT_OF_NODES
        self.count[depth] = 0
        self.list_pyramid(depth, shape, self.cards[place], self.ranks[place], stock, time)
        if self.board.stock_top_playable:
            self.list_stock(depth, shape, self.cards[place], self.ranks[place], stock, time)
        result: cython.int
        for place in range(depth * WIDTH, depth * WIDTH + self.count[depth]):
            result = self.search(depth, place)
            if result != LOST:
                self.earliest.put(self.earliest.find(key), key, LATEST)
                return result
        return LOST

    def list_pyramid(
        self,
        depth: cython.int,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
    ) -> cython.void:
        """Offers each pair with a pyramid card in it."""
        # A pair of the pyramid can wait; where all cards must go it had better wait longer.
        patience: cython.int = 6 if self.board.all_cards else 3
        open_slots: cython.uint = EXPOSED[shape]
        others: cython.uint
        slot: cython.int
        other: cython.int
        rank: cython.int
        after: cython.int
        then: cython.int
        while open_slots:
            slot = top(open_slots)
            open_slots ^= BIT << slot
            rank = self.board.slot_rank[slot]
            after = AFTER[SLOTS * shape + slot]
            others = open_slots
            if self.board.overlap_pairs:
                others |= EXPOSED[after] & ~EXPOSED[shape]
            others &= self.board.slots_of[13 - rank]
            while others:
                other = top(others)
                others ^= BIT << other
                self.offer(
                    depth,
                    AFTER[SLOTS * after + other],
                    cards ^ self.board.slot_card[slot] ^ self.board.slot_card[other],
                    ranks,
                    stock,
                    time,
                    patience,
                    rank,
                    slot << 6 | other,
                )
            others = stock & self.board.stock_of[13 - rank]
            while others:
                other = top(others)
                others ^= BIT << other
                then = self.when(stock, time, other)
                if then:
                    self.offer(
                        depth,
                        after,
                        cards ^ self.board.slot_card[slot] ^ self.board.stock_card[other],
                        ranks - self.board.one[13 - rank],
                        stock ^ BIT << other,
                        then,
                        then - time,
                        rank,
                        slot << 6 | (STOCK + other),
                    )

    def list_stock(
        self,
        depth: cython.int,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
    ) -> cython.void:
        """Offers each pair of neighbours in the stock: one is on top of the waste as the other
        is on top of the stock."""
        rest: cython.uint = stock
        first: cython.int
        second: cython.int = top(rest)
        then: cython.int
        while rest:
            rest ^= BIT << second
            first = top(rest)
            if first >= 0 and self.board.stock_rank[first] + self.board.stock_rank[second] == 13:
                then = (time & ~31) | (top(rest ^ BIT << first) + 1)
                if second < (time & 31):
                    then += 32
                if then >> 5 <= self.board.passes:
                    self.offer(
                        depth,
                        shape,
                        cards ^ self.board.stock_card[first] ^ self.board.stock_card[second],
                        ranks
                        - self.board.one[self.board.stock_rank[first]]
                        - self.board.one[self.board.stock_rank[second]],
                        stock ^ BIT << first ^ BIT << second,
                        then,
                        then - time,
                        self.board.stock_rank[first],
                        (STOCK + first) << 6 | (STOCK + second),
                    )
            second = first

    def when(self, stock: cython.uint, time: cython.int, place: cython.int) -> cython.int:
        """The time once a stock card has been played, at the earliest; 0 if it cannot be.

        A card of the waste that is not its top waits for the next pass. One of the stock is played
        as it comes up or, where it must be drawn first, right after: the time is the same.
        """
        cursor: cython.int = time & 31
        then: cython.int = (time & ~31) | (top(stock & ((BIT << place) - 1)) + 1)
        waste: cython.uint = stock & ((BIT << cursor) - 1)
        if place >= cursor or waste >> place == 1:
            return then
        return then + 32 if time >> 5 < self.board.passes else 0

    def offer(
        self,
        depth: cython.int,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
        wait: cython.int,
        rank: cython.int,
        removal: cython.int,
    ) -> cython.void:
        """Puts a removal (of this rank and its partner) in its place among those of its depth,
        unless some card can then no longer go."""
        sealed: cython.uint = 0
        place: cython.int
        shape = self.board.settled[shape]
        if time >> 5 == self.board.passes:
            sealed = self.board.sealed(shape, stock, time)
        if sealed:
            if self.board.all_cards:
                return
            stock &= ~sealed
            if not stock & ((BIT << (time & 31)) - 1):
                time &= ~31
            while sealed:
                place = top(sealed)
                sealed ^= BIT << place
                cards &= ~self.board.stock_card[place]
                ranks -= self.board.one[self.board.stock_rank[place]]
            if not self.board.can_pair_all(cards):
                return
        elif not self.board.can_pair(cards, pair_of(rank)):
            return
        place = depth * WIDTH + self.count[depth]
        self.count[depth] += 1
        while place > depth * WIDTH and self.waits[place - 1] > wait:
            self.shapes[place] = self.shapes[place - 1]
            self.cards[place] = self.cards[place - 1]
            self.ranks[place] = self.ranks[place - 1]
            self.stocks[place] = self.stocks[place - 1]
            self.times[place] = self.times[place - 1]
            self.waits[place] = self.waits[place - 1]
            self.removals[place] = self.removals[place - 1]
            place -= 1
        self.shapes[place] = shape
        self.cards[place] = cards
        self.ranks[place] = ranks
        self.stocks[place] = stock
        self.times[place] = time
        self.waits[place] = wait
        self.removals[place] = removal
