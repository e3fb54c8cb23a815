cimport cython

@cython.final
cdef class Table:
    cdef unsigned long long[::1] entries
    cdef int bits
    cdef long long used
    cdef unsigned long long generation

    cdef readonly bint full

    cdef begin(self)
    cpdef clear(self)
    cdef long long find(self, unsigned long long key) noexcept nogil
    cdef int get(self, long long place) noexcept nogil
    cdef void put(self, long long place, unsigned long long key, int value) noexcept nogil
    cdef grow(self)
