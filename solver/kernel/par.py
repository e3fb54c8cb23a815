"""The fewest moves that win: A* over what can be removed, every draw and redeal counted.

A step is a removal with the draws and redeals before it. Kings of the pyramid cost what they cost
and go at once. Where the stock's top is playable, a king that comes up there goes for what drawing
it would cost; one on top of the waste is a removal like others, made where it helps.

The bound on what is still to come (`rest`) rests on this: where the stock's top plays, passing a
stock card costs one move whether it is drawn or removed, a pair of the pyramid one, and any other
card on top of the waste one more. So the way that the stock must still run, and what cannot be
removed meanwhile, are the least; where it does not play, so are the draws and the removals.
What cannot be won any more is cut as in `search`.

A position found takes at most 100 bytes with its place in the table, and `ROOM` bounds them: the
search stays within a gigabyte.
"""

from array import array

import cython

from solver.kernel import shapes

if cython.compiled:
    from cython.cimports.solver.kernel.board import Board, pair_of, top
    from cython.cimports.solver.kernel.relaxation import Relaxation
    from cython.cimports.solver.kernel.search import Search
    from cython.cimports.solver.kernel.table import Table
else:
    from solver.kernel.board import Board, pair_of, top
    from solver.kernel.relaxation import Relaxation
    from solver.kernel.search import Search
    from solver.kernel.table import Table

SLOTS = cython.declare(cython.int, 28)
BIT = cython.declare(cython.uint, 1)
ONE = cython.declare(cython.ulonglong, 1)
EXPOSED = cython.declare(cython.uint[::1], shapes.EXPOSED)
AFTER = cython.declare(cython.short[::1], shapes.AFTER)
ONES = cython.declare(cython.char[::1], array("b", [n.bit_count() for n in range(4096)]))
STOCK = cython.declare(cython.int, 32)  # added to a place in the stock: no slot is so high
NONE = cython.declare(cython.int, 63)  # in place of a king's partner
MOST = cython.declare(cython.int, 128)  # no win takes so many moves
ROOM = cython.declare(cython.longlong, 1 << 23)
NEVER = cython.declare(cython.int, 1000)
UNKNOWN = cython.declare(cython.int, -1)

LOST = cython.declare(cython.int, -1)
OUT_OF_NODES = cython.declare(cython.int, -2)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def size(mask: cython.uint) -> cython.int:
    """How many places of the stock a set holds."""
    return ONES[mask & 4095] + ONES[mask >> 12]


@cython.final
@cython.cclass
class Shortest:
    """Keeps its tables from one search to the next; one at a time."""

    board: Board
    relaxation: Relaxation
    one_pass: Search  # the same deal with one pass, and with two
    two_passes: Search
    patience: cython.int  # nodes to ask whether a pass is enough
    least_passes: cython.int  # no win runs through fewer
    spent: Table  # by position: the fewest moves that led there so far
    cleared: cython.int[::1]  # by pair of ranks and set of its pyramid cards: most pairs among them
    pyramid_cards: cython.ulonglong[::1]  # by shape, as in `Board.cards`
    budget: cython.longlong
    expanded: cython.longlong
    # Nodes, in the order in which they were found.
    count: cython.longlong
    room: cython.longlong
    full: cython.bint  # and no room for more
    keys: cython.ulonglong[::1]  # time, stock and shape
    cards: cython.ulonglong[::1]
    ranks: cython.ulonglong[::1]
    costs: cython.uchar[::1]
    parents: cython.int[::1]
    removals: cython.short[::1]
    redeals: cython.schar[::1]  # a win takes so many; UNKNOWN until the node's turn comes
    later: cython.int[::1]  # the next in the same bucket
    buckets: cython.int[::1]  # by least moves of a win through it: the node found last
    won: cython.longlong

    def __init__(self, patience: int = 1000) -> None:
        self.patience = patience
        self.board = Board()
        self.relaxation = Relaxation(self.board)
        self.one_pass = Search()
        self.two_passes = Search()
        self.redeals = array("b", bytes(1 << 12))
        self.spent = Table()
        self.cleared = array("i", bytes(4 * 6 * 256))
        self.pyramid_cards = array("Q", bytes(8 * 1430))
        self.buckets = array("i", bytes(4 * MOST))
        self.count = 0
        self.room = 1 << 12
        self.keys = array("Q", bytes(8 * self.room))
        self.cards = array("Q", bytes(8 * self.room))
        self.ranks = array("Q", bytes(8 * self.room))
        self.costs = array("B", bytes(self.room))
        self.parents = array("i", bytes(4 * self.room))
        self.removals = array("h", bytes(2 * self.room))
        self.later = array("i", bytes(4 * self.room))

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
        """The fewest moves, LOST or OUT_OF_NODES. For the position see `solver.encoding`."""
        self.board.lay(rules, shape, pyramid, stock, pass_number, cursor)
        self.one_pass.lay((1, *rules[1:]), shape, pyramid, stock, 1, cursor)
        self.two_passes.lay((2, *rules[1:]), shape, pyramid, stock, 1, cursor)
        self.spent.clear()
        self.relaxation.begin()
        self.budget = budget
        self.expanded = 0
        self.count = 0
        self.won = -1
        self.full = False
        result: cython.int
        with cython.nogil:
            result = self.search()
        return int(result)

    @property
    def nodes(self) -> int:
        return int(self.visited())

    @property
    def line(self) -> list[tuple[int, int]]:
        """What the win removes: pairs of places, slots or `STOCK` and a place in the stock; a king
        in the waste with `NONE`."""
        removals = []
        node = self.won
        while self.parents[node] >= 0:
            removals.append((self.removals[node] >> 6, self.removals[node] & 63))
            node = self.parents[node]
        return removals[::-1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def visited(self) -> cython.longlong:
        """All nodes: those of the questions about passes, too."""
        return (
            self.expanded
            + self.relaxation.nodes
            + self.one_pass.visited
            + self.one_pass.relaxation.nodes
            + self.two_passes.visited
            + self.two_passes.relaxation.nodes
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self) -> cython.int:
        bucket: cython.int
        node: cython.longlong
        self.fill_cleared()
        self.fill_pyramid_cards()
        for bucket in range(MOST):
            self.buckets[bucket] = -1
        if not self.board.can_pair_all(self.board.cards):
            return LOST
        self.offer(
            -1,
            self.board.shape,
            self.board.cards,
            self.board.ranks,
            self.board.stock,
            self.board.time,
            0,
            1,
            0,
        )
        self.least_passes = 1
        if self.board.passes > 2 and not self.two_passes.could_win(
            self.board.shape,
            self.board.cards,
            self.board.ranks,
            self.board.stock,
            32 | (self.board.time & 31),
            100 * self.patience,
        ):
            self.least_passes = (self.board.time >> 5) + 2
        bucket = 0
        while bucket < MOST:
            node = self.buckets[bucket]
            if node < 0:
                bucket += 1
                continue
            self.buckets[bucket] = self.later[node]
            if self.spent.get(self.spent.find(self.keys[node])) < self.costs[node]:
                continue  # it was reached for less since
            if self.redeals[node] == UNKNOWN and self.put_off(node, bucket):
                continue
            if self.is_won(node):
                self.won = node
                return bucket + self.kings_of_pyramid()
            self.expanded += 1
            if self.visited() > self.budget or self.spent.full:
                return OUT_OF_NODES
            # A child may be found to need less than its parent seemed to: start from there.
            bucket = min(bucket, self.expand(node))
            if self.full:  # what was not kept may have been the shortest
                return OUT_OF_NODES
        return LOST

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def kings_of_pyramid(self) -> cython.int:
        kings: cython.uint = self.board.slots_of[13]
        count: cython.int = 0
        while kings:
            kings &= kings - 1
            count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_won(self, node: cython.longlong) -> cython.bint:
        """The pyramid is gone and so, where all cards must go, is all of the stock but kings:
        what those cost stands in `rest`."""
        key: cython.ulonglong = self.keys[node]
        stock: cython.uint = cython.cast(cython.uint, key >> 11 & 0xFFFFFF)
        if key & 2047:
            return False
        return not self.board.all_cards or not stock & ~self.board.stock_of[13]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_cleared(self) -> cython.void:
        pair: cython.int
        cards: cython.int
        low: cython.int
        high: cython.int
        most: cython.int
        rest: cython.int
        for pair in range(6):
            for cards in range(256):
                most = 0
                if cards & 15:
                    low = top(cards & 15)
                    rest = cards ^ 1 << low
                    most = self.cleared[pair << 8 | rest]
                    if self.board.card_slot[8 * pair + low] >= 0:
                        for high in range(4):
                            if (
                                rest >> (4 + high) & 1
                                and self.board.card_slot[8 * pair + 4 + high] >= 0
                                and self.board.fits[8 * pair + low] >> high & 1
                            ):
                                most = max(most, 1 + self.cleared[pair << 8 | rest ^ 16 << high])
                self.cleared[pair << 8 | cards] = most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_pyramid_cards(self) -> cython.void:
        shape: cython.int
        slot: cython.int
        self.pyramid_cards[0] = 0
        for shape in range(1, self.board.shape + 1):
            slot = top(EXPOSED[shape])
            self.pyramid_cards[shape] = self.pyramid_cards[AFTER[SLOTS * shape + slot]]
            if self.board.slot_rank[slot] < 13:
                self.pyramid_cards[shape] |= self.board.slot_card[slot]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self, node: cython.longlong) -> cython.int:
        """Offers what can be removed next; answers the least bucket of what it offered."""
        key: cython.ulonglong = self.keys[node]
        shape: cython.int = cython.cast(cython.int, key & 2047)
        stock: cython.uint = cython.cast(cython.uint, key >> 11 & 0xFFFFFF)
        time: cython.int = cython.cast(cython.int, key >> 35)
        cards: cython.ulonglong = self.cards[node]
        ranks: cython.ulonglong = self.ranks[node]
        cost: cython.int = self.costs[node]
        open_slots: cython.uint = EXPOSED[shape]
        others: cython.uint
        slot: cython.int
        other: cython.int
        rank: cython.int
        after: cython.int
        least: cython.int = NEVER
        wanted: cython.uint = 0  # the ranks that lie open in the pyramid
        while open_slots:
            slot = top(open_slots)
            open_slots ^= BIT << slot
            rank = self.board.slot_rank[slot]
            wanted |= BIT << (13 - rank)
            after = AFTER[SLOTS * shape + slot]
            others = open_slots
            if self.board.overlap_pairs:
                others |= EXPOSED[after] & ~EXPOSED[shape]
            others &= self.board.slots_of[13 - rank]
            while others:
                other = top(others)
                others ^= BIT << other
                least = min(
                    least,
                    self.offer(
                        node,
                        AFTER[SLOTS * after + other],
                        cards ^ self.board.slot_card[slot] ^ self.board.slot_card[other],
                        ranks,
                        stock,
                        time,
                        cost + 1,
                        rank,
                        slot << 6 | other,
                    ),
                )
        others = stock
        while others:
            other = top(others)
            others ^= BIT << other
            rank = self.board.stock_rank[other]
            if rank == 13 or wanted >> rank & 1 or self.board.stock_top_playable:
                least = min(
                    least, self.reach(node, shape, cards, ranks, stock, time, cost, other, False)
                )
        others = stock & ((BIT << (time & 31)) - 1)
        if others and self.board.stock_top_playable:
            # The waste's top, once more: in the next pass it may go with the card under it.
            other = top(others)
            least = min(
                least, self.reach(node, shape, cards, ranks, stock, time, cost, other, True)
            )
        return least

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reach(
        self,
        node: cython.longlong,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
        cost: cython.int,
        place: cython.int,
        again: cython.bint,
    ) -> cython.int:
        """Turns over the stock until a card of it can be played, and offers what it can go with;
        `again`: in the next pass, and with a card of the stock only."""
        rank: cython.int = self.board.stock_rank[place]
        cursor: cython.int = time & 31
        upto: cython.uint = (BIT << cursor) - 1
        passed: cython.uint
        slot: cython.int
        least: cython.int = NEVER
        open_slots: cython.uint
        # It lies in the waste, not on top, or is to come up again.
        if place < cursor and ((stock & upto) >> place > 1 or again):
            if time >> 5 == self.board.passes:
                return NEVER
            passed = stock & ~upto
            cost += size(passed) + 1
            if self.board.stock_top_playable:
                stock &= ~(passed & self.board.stock_of[13])
            time = (time & ~31) + 32
            cursor = 0
            upto = 0
        if place >= cursor:
            passed = stock & ~upto & ((BIT << place) - 1)
            if self.board.stock_top_playable:
                if rank == 13:  # it goes when it is passed
                    return NEVER
                stock &= ~(passed & self.board.stock_of[13])
                cost += size(passed)
            else:
                cost += size(passed) + 1
        # Now it is on top of the stock, or of the waste: it has the time of the card before it.
        passed = stock & ((BIT << place) - 1)
        time = (time & ~31) | (top(passed) + 1)
        if rank == 13:
            return self.offer(
                node,
                shape,
                cards,
                ranks,
                stock ^ BIT << place,
                time,
                cost + 1,
                0,
                (STOCK + place) << 6 | NONE,
            )
        open_slots = 0 if again else EXPOSED[shape] & self.board.slots_of[13 - rank]
        while open_slots:
            slot = top(open_slots)
            open_slots ^= BIT << slot
            least = min(
                least,
                self.offer(
                    node,
                    AFTER[SLOTS * shape + slot],
                    cards ^ self.board.slot_card[slot] ^ self.board.stock_card[place],
                    ranks - self.board.one[rank],
                    stock ^ BIT << place,
                    time,
                    cost + 1,
                    rank,
                    slot << 6 | (STOCK + place),
                ),
            )
        if self.board.stock_top_playable and place >= cursor and passed:
            slot = top(passed)  # the waste's top, as this one is the stock's
            if self.board.stock_rank[slot] + rank == 13:
                least = min(
                    least,
                    self.offer(
                        node,
                        shape,
                        cards ^ self.board.stock_card[slot] ^ self.board.stock_card[place],
                        ranks - self.board.one[rank] - self.board.one[13 - rank],
                        stock ^ BIT << place ^ BIT << slot,
                        (time & ~31) | (top(passed ^ BIT << slot) + 1),
                        cost + 1,
                        rank,
                        (STOCK + slot) << 6 | (STOCK + place),
                    ),
                )
        return least

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def offer(
        self,
        parent: cython.longlong,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
        cost: cython.int,
        rank: cython.int,
        removal: cython.int,
    ) -> cython.int:
        """Puts a position in its bucket, and answers which; `NEVER` if it leads nowhere new."""
        sealed: cython.uint = self.board.sealed(shape, stock, time)
        place: cython.int
        shape = self.board.settled[shape]
        if sealed and time >> 5 == self.board.passes:
            if self.board.all_cards:
                return NEVER
            stock &= ~sealed
            if not stock & ((BIT << (time & 31)) - 1):
                time &= ~31
            while sealed:
                place = top(sealed)
                sealed ^= BIT << place
                if self.board.stock_rank[place] < 13:
                    cards &= ~self.board.stock_card[place]
                    ranks -= self.board.one[self.board.stock_rank[place]]
            if not self.board.can_pair_all(cards):
                return NEVER
        elif rank and not self.board.can_pair(cards, pair_of(rank)):
            return NEVER
        key: cython.ulonglong = (
            cython.cast(cython.ulonglong, time) << 35
            | cython.cast(cython.ulonglong, stock) << 11
            | cython.cast(cython.ulonglong, shape)
        )
        found: cython.longlong = self.spent.find(key)
        if found >= 0 and self.spent.get(found) <= cost:
            return NEVER
        bucket: cython.int = cost + self.rest(shape, stock, time, sealed, 0)
        if bucket >= MOST or not self.relaxation.winnable(shape, ranks):
            return NEVER
        self.spent.put(found, key, cost)
        if self.count == self.room:
            with cython.gil:
                self.grow()
            if self.full:
                return NEVER
        node: cython.longlong = self.count
        self.count += 1
        self.keys[node] = key
        self.cards[node] = cards
        self.ranks[node] = ranks
        self.costs[node] = cost
        self.parents[node] = parent
        self.removals[node] = removal
        self.redeals[node] = UNKNOWN
        self.later[node] = self.buckets[bucket]
        self.buckets[bucket] = node
        return bucket

    @cython.cfunc
    def grow(self) -> None:
        """Doubles the room for nodes, or says that there is none."""
        self.full = self.room == ROOM
        if not self.full:
            try:
                self.double()
            except MemoryError:
                self.full = True

    @cython.cfunc
    def double(self) -> None:
        self.keys = array("Q", bytes(self.keys) + bytes(8 * self.room))
        self.cards = array("Q", bytes(self.cards) + bytes(8 * self.room))
        self.ranks = array("Q", bytes(self.ranks) + bytes(8 * self.room))
        self.costs = array("B", bytes(self.costs) + bytes(self.room))
        self.parents = array("i", bytes(self.parents) + bytes(4 * self.room))
        self.removals = array("h", bytes(self.removals) + bytes(2 * self.room))
        self.redeals = array("b", bytes(self.redeals) + bytes(self.room))
        self.later = array("i", bytes(self.later) + bytes(4 * self.room))
        self.room *= 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_off(self, node: cython.longlong, bucket: cython.int) -> cython.bint:
        """Finds how many redeals a win takes, and moves the node to a later bucket for it."""
        key: cython.ulonglong = self.keys[node]
        shape: cython.int = cython.cast(cython.int, key & 2047)
        stock: cython.uint = cython.cast(cython.uint, key >> 11 & 0xFFFFFF)
        time: cython.int = cython.cast(cython.int, key >> 35)
        redeals: cython.int = self.least_redeals(
            shape, self.cards[node], self.ranks[node], stock, time
        )
        if redeals == NEVER:
            return True
        self.redeals[node] = redeals
        then: cython.int = self.costs[node] + self.rest(
            shape, stock, time, self.board.sealed(shape, stock, time), redeals
        )
        if then <= bucket:
            return False
        if then < MOST:
            self.later[node] = self.buckets[then]
            self.buckets[then] = node
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def least_redeals(
        self,
        shape: cython.int,
        cards: cython.ulonglong,
        ranks: cython.ulonglong,
        stock: cython.uint,
        time: cython.int,
    ) -> cython.int:
        """As far as it is known. What takes three passes from the start takes no fewer later."""
        run: cython.int = time >> 5
        if self.one_pass.could_win(shape, cards, ranks, stock, 32 | (time & 31), self.patience):
            return 0
        if run == self.board.passes:
            return NEVER
        return max(1, self.least_passes - run)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rest(
        self,
        shape: cython.int,
        stock: cython.uint,
        time: cython.int,
        sealed: cython.uint,
        redeals: cython.int,
    ) -> cython.int:
        """No win from here takes fewer moves, kings of the pyramid not counted, if it takes so
        many redeals."""
        waste: cython.uint = stock & ((BIT << (time & 31)) - 1)
        ahead: cython.uint = stock ^ waste
        in_reach: cython.uint = waste & ~sealed
        partners: cython.ulonglong = self.board.partners[shape]
        inside: cython.ulonglong = self.pyramid_cards[shape]
        upto: cython.uint = 0  # the stock must run so far
        again: cython.uint = 0  # and in the next pass so far: what is sealed stays till then
        found: cython.uint
        rank: cython.int
        need: cython.int
        pairs: cython.int
        for rank in range(1, 13):
            need = cython.cast(cython.int, partners >> (4 * (rank - 1)) & 15)
            if need == 0:
                continue
            pairs = self.cleared[
                pair_of(rank) << 8 | cython.cast(cython.int, inside >> (8 * pair_of(rank)) & 255)
            ]
            need -= pairs + size(in_reach & self.board.stock_of[rank])
            if need <= 0:
                continue
            found = ahead & self.board.stock_of[rank]
            while need > 1 and found:
                found &= found - 1
                need -= 1
            if found:
                found ^= found & (found - 1)  # the last one needed
                upto |= (found << 1) - 1
                continue
            found = sealed & self.board.stock_of[rank]
            while need > 1 and found:
                found &= found - 1
                need -= 1
            if not found or time >> 5 == self.board.passes:
                return NEVER
            found ^= found & (found - 1)
            again |= (found << 1) - 1
        if again or redeals or self.board.all_cards:
            upto = (BIT << 24) - 1
        moves: cython.int = (
            size(ahead & upto) + size(sealed & again) + max(1 if again else 0, redeals)
        )
        passed: cython.uint = (ahead & upto) | (sealed & again)
        if self.board.all_cards:
            moves += size(waste & self.board.stock_of[13])
        low: cython.int
        high: cython.int
        for rank in range(1, 7):
            high = cython.cast(cython.int, partners >> (4 * (rank - 1)) & 15)
            low = cython.cast(cython.int, partners >> (4 * (12 - rank)) & 15)
            if low == 0 and high == 0:
                continue
            if self.board.stock_top_playable:
                low -= size(passed & self.board.stock_of[13 - rank])
                high -= size(passed & self.board.stock_of[rank])
                moves += max(0, max(low, high))
            else:
                pairs = self.cleared[
                    (rank - 1) << 8 | cython.cast(cython.int, inside >> (8 * (rank - 1)) & 255)
                ]
                moves += low + high - pairs
        if redeals > 1 and not self.board.stock_top_playable:
            moves = max(moves, self.rest_of_two_passes(partners, stock, ahead))
        return moves

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rest_of_two_passes(
        self, partners: cython.ulonglong, stock: cython.uint, ahead: cython.uint
    ) -> cython.int:
        """Both this pass and the next run to their ends. A stock card that goes in this one saves
        a draw in the next, and half a pair of the pyramid comes in its place."""
        inside: cython.int = 0
        while partners:
            inside += cython.cast(cython.int, partners & 15)
            partners >>= 4
        return size(ahead) + size(stock) + 2 + max(0, inside - size(stock) + 1) // 2
