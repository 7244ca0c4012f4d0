"""Where things lie in the address space: functions, the program's own objects, the environment.

The interpreter, the symbolic states and the formulas agree on these numbers, so that a pointer that
is an input means the same in all of them. Soundness duty: no object of the program lies in memory
of the environment.
"""

from __future__ import annotations

NULL_PAGE = 4096
FIRST_FUNCTION = 0x10000
FIRST_OBJECT = 0x1000000


def end_of_objects(bits: int) -> int:
    """The address behind the last that an object of the program may have.

    >>> hex(end_of_objects(32)), hex(end_of_objects(64))
    ('0xf0000000', '0x800000000000')
    """
    return min(1 << 47, (1 << bits) - (1 << 28))


def environment_ranges(bits: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last address of each range in which memory of the environment may lie.

    The lower one is there because some models of the kernel take small numbers for pointers that
    are good and large ones for errors. The last page has the numbers that the kernel uses for
    errors: pointers may have them, but nothing lies there.

    >>> [(hex(low), hex(high)) for low, high in environment_ranges(32)]
    [('0x1', '0xffff'), ('0xf0000000', '0xffffefff')]
    """
    return (1, FIRST_FUNCTION - 1), (end_of_objects(bits), (1 << bits) - NULL_PAGE - 1)


_SPACING = {32: 1 << 16, 64: 1 << 20}


def fresh_address(bits: int, number: int) -> int:
    """An address in memory of the environment, far from those of other numbers; they come again
    when the address space is used up.

    >>> [hex(fresh_address(64, number)) for number in range(2)]
    ['0x800000000000', '0x800000100000']
    """
    _, (first, last) = environment_ranges(bits)
    spacing = _SPACING[bits]
    return first + number % ((last - first) // spacing) * spacing
