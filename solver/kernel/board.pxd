cimport cython

from solver.kernel.table cimport Table

cdef int top(unsigned int mask) noexcept nogil
cdef int pair_of(int rank) noexcept nogil

@cython.final
cdef class Board:
    # the rules
    cdef int passes
    cdef bint stock_top_playable
    cdef bint overlap_pairs
    cdef bint all_cards
    # where the search starts
    cdef int shape
    cdef unsigned int stock
    cdef unsigned long long cards
    cdef unsigned long long ranks
    cdef int time
    # the cards: by slot, by place in the stock, by rank
    cdef int[::1] slot_rank
    cdef int[::1] stock_rank
    cdef unsigned long long[::1] slot_card
    cdef unsigned long long[::1] stock_card
    cdef unsigned int[::1] slots_of
    cdef unsigned int[::1] stock_of
    cdef unsigned long long[::1] one
    # tables
    cdef short[::1] settled
    cdef unsigned long long[::1] partners
    cdef unsigned short[::1] feasible
    cdef int[::1] card_slot
    cdef unsigned char[::1] fits

    cdef void prepare(self, int stock_size) noexcept nogil
    cdef void name_cards(self, int stock_size) noexcept nogil
    cdef void fill_pairs(self) noexcept nogil
    cdef void fill_shapes(self) noexcept nogil
    cdef bint fit(self, int under, int over) noexcept nogil
    cdef bint can_pair(self, unsigned long long cards, int pair) noexcept nogil
    cdef bint can_pair_all(self, unsigned long long cards) noexcept nogil
    cdef unsigned int sealed(self, int shape, unsigned int stock, int time) noexcept nogil
