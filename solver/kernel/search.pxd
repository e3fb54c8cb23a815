cimport cython

from solver.kernel.board cimport Board
from solver.kernel.relaxation cimport Relaxation
from solver.kernel.table cimport Table


@cython.final
cdef class Search:
    cdef Board board
    cdef Relaxation relaxation
    cdef Table earliest
    cdef long long visited
    cdef long long budget
    # The removals of the positions along the present line, WIDTH for each depth, in the order in
    # which they are tried.
    cdef int[::1] count
    cdef short[::1] shapes
    cdef unsigned long long[::1] cards
    cdef unsigned long long[::1] ranks
    cdef unsigned int[::1] stocks
    cdef int[::1] times
    cdef int[::1] waits
    cdef int[::1] removals
    cdef int[::1] path
    cdef int length

    cdef bint could_win(
        self, int shape, unsigned long long cards, unsigned long long ranks, unsigned int stock, int time, int nodes
    ) noexcept nogil
    cdef int begin(
        self, int shape, unsigned long long cards, unsigned long long ranks, unsigned int stock, int time
    ) noexcept nogil
    cdef int search(
        self, int depth, int place
    ) noexcept nogil
    cdef void list_pyramid(
        self, int depth, int shape, unsigned long long cards, unsigned long long ranks, unsigned int stock, int time
    ) noexcept nogil
    cdef void list_stock(
        self, int depth, int shape, unsigned long long cards, unsigned long long ranks, unsigned int stock, int time
    ) noexcept nogil
    cdef int when(
        self, unsigned int stock, int time, int place
    ) noexcept nogil
    cdef void offer(
        self, int depth, int shape, unsigned long long cards, unsigned long long ranks, unsigned int stock, int time, int wait, int rank, int removal
    ) noexcept nogil
