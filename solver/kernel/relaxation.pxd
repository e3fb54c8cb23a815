cimport cython

from solver.kernel.board cimport Board
from solver.kernel.table cimport Table

@cython.final
cdef class Relaxation:
    cdef Board board
    cdef Table memo
    cdef long long nodes

    cpdef begin(self)
    cdef bint winnable(self, int shape, unsigned long long ranks) noexcept nogil
