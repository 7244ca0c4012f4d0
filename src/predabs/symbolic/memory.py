"""Symbolic memory: objects at constant addresses, each with its own content.

Every object of an exploration has an address of its own, whichever path makes it; a state knows the
objects that are live in it. Globals lie where the interpreter puts them, so that an input that
points to one means the same in both.

Soundness duty: an access happens only where it is inside a live object, and the condition for that
is returned; what cannot be decided is a limit, that is, reported as not explored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import ItemsView, Iterator

from ..analysis.memory.views import View
from ..concrete.memory import ObjectKind
from ..errors import InternalError, ResourceExhausted
from ..ir.address_space import FIRST_OBJECT, NULL_PAGE, end_of_objects
from ..ir.cfa import ExternPointers
from ..records import dataclass
from ..smt import bitvectors, build
from ..smt.term import FALSE, TRUE, App, Op, Term, Value, is_app
from . import content as contents
from . import environment_memory as environments
from . import overlay
from .content import Content, Initial
from .environment_addresses import EnvironmentAddresses, split
from .environment_memory import EnvironmentMemory
from .overlay import Elements, filled, written_at
from .pointers import LOWEST, LeafCase, PointerCase, PointerCases, cases, mentions_address, stride

# an object with at most this many candidates for an access is told apart cell by cell
FEW = 64
_ALIGN = 16
_UNKNOWN_SIZE = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicObject:
    """A piece of memory with an address; `size` is a term if only the run decides it."""

    name: str
    base: int
    room: int  # bytes reserved in the address space: the size, or a bound of it
    size: int | Term
    kind: ObjectKind

    @property
    def writable(self) -> bool:
        return self.kind is not ObjectKind.LITERAL


class AddressSpace:
    """All objects of an exploration, by address.

    `outside` stands for memory of the environment: offsets in it are addresses.
    """

    def __init__(self, bits: int, extern_pointers: ExternPointers) -> None:
        self.bits = bits
        self.apart = extern_pointers is not ExternPointers.ANY  # is the environment's memory?
        self.environment = EnvironmentAddresses(bits)
        self.outside = SymbolicObject("memory of the environment", 0, 0, 0, ObjectKind.GLOBAL)
        self.unwritten: set[Term] = set()  # what objects of the program hold before it writes
        self._bases: list[int] = []
        self._objects: list[SymbolicObject] = []
        self._next = FIRST_OBJECT

    def allocate_at(self, name: str, base: int, size: int, kind: ObjectKind) -> SymbolicObject:
        """An object at an address of the interpreter's choice, above all that are there."""
        if self._objects and base < self._bases[-1] + self._objects[-1].room:
            raise InternalError(f"{name} lies at {base}, where another object is")
        made = SymbolicObject(name, base, size, size, kind)
        self._add(made)
        return made

    def allocate(self, name: str, size: int | Term, kind: ObjectKind) -> SymbolicObject:
        room = size if isinstance(size, int) else _UNKNOWN_SIZE
        if self._next + 2 * room >= min(1 << (self.bits - 1), end_of_objects(self.bits)):
            raise ResourceExhausted("the address space is used up by the objects of all paths")
        made = SymbolicObject(name, self._next, room, size, kind)
        self._add(made)
        return made

    def _add(self, made: SymbolicObject) -> None:
        self._bases.append(made.base)
        self._objects.append(made)
        gap = max(64, made.room)
        self._next = made.base + (made.room + gap + _ALIGN - 1) // _ALIGN * _ALIGN

    def near(self, address: int) -> list[SymbolicObject]:
        """The object that an address lies in or at the end of; else its neighbours on both sides,
        because a pointer may leave its object on the way to an element. Null has no neighbours, and
        neither have functions."""
        if address < LOWEST:
            return []
        found = bisect_right(self._bases, address) - 1
        if found >= 0 and address <= self._bases[found] + self._objects[found].room:
            return [self._objects[found]]
        return self._objects[max(0, found) : found + 2]

    def home(self, address: int) -> tuple[int, int] | None:
        """Where the object begins and ends that an address lies in or at the end of."""
        found = bisect_right(self._bases, address) - 1
        if found < 0 or address > self._bases[found] + self._objects[found].room:
            return None
        return self._bases[found], self._bases[found] + self._objects[found].room

    @property
    def objects(self) -> list[SymbolicObject]:
        return self._objects


@dataclass(frozen=True, slots=True)
class AccessTarget:
    """Under `cond` an access goes to `object` at `offset`."""

    cond: Term
    object: SymbolicObject
    offset: Term


@dataclass(frozen=True, slots=True)
class Reach:
    """Where an access may go: to the targets where `inside` holds. Where `unknown_object` holds it
    goes to memory that the program knows nothing about: a pointer that came from an input may do
    so. Where `undecided` holds it goes to some object of the program, maybe."""

    targets: list[AccessTarget]
    inside: Term
    unknown_object: Term
    undecided: Term


class SymbolicMemory:
    """What the objects hold in one state. Contents are shared until one of the sharers writes."""

    __slots__ = ("_contents", "_owner", "environment", "space")

    def __init__(self, space: AddressSpace) -> None:
        self.space = space
        self.environment = EnvironmentMemory(space.environment)
        self._contents: dict[SymbolicObject, Content] = {}
        self._owner = object()

    def fork(self) -> SymbolicMemory:
        """A second state with the same memory."""
        twin = SymbolicMemory(self.space)
        twin._contents = dict(self._contents)
        twin.environment = self.environment
        self._owner = object()
        return twin

    def add(self, made: SymbolicObject, initial: Initial) -> None:
        """The object comes to life."""
        self._contents[made] = Content(initial, self._owner, FALSE)

    def reset(self, made: SymbolicObject, initial: Initial) -> None:
        """All its bytes become what `initial` says."""
        old = self._contents.get(made)
        new = self._contents[made] = Content(initial, self._owner, FALSE)
        if old is not None:
            new.freed, new.absent = old.freed, old.absent

    def end(self, made: SymbolicObject) -> None:
        """The object ends: the frame it belongs to is left."""
        self._contents.pop(made, None)

    def contents(self) -> ItemsView[SymbolicObject, Content]:
        """The objects that have not ended with their frame, and what they hold."""
        return self._contents.items()

    def live(self, made: SymbolicObject) -> Content | None:
        return self._contents.get(made)

    def _own(self, made: SymbolicObject) -> Content:
        content = self._contents[made]
        if content.owner is not self._owner:
            content = self._contents[made] = content.copy(self._owner)
        return content

    # --- pointers ---------------------------------------------------------------------------------

    def targets(self, pointer: Term, size: int) -> Reach | None:
        """Where an access of `size` bytes may go; None if that cannot be told."""
        found = cases(pointer, self.space.environment.is_pointer)
        if self.space.apart:
            return self._told_apart(pointer, found, size)
        if found is None or found.leaves or not all(map(self._anchored, found.known)):
            return self._anywhere(pointer, size)
        targets, valid = self._among(found.known, size)
        return Reach(targets, build.or_(*valid), FALSE, FALSE)

    def _told_apart(self, pointer: Term, found: PointerCases | None, size: int) -> Reach:
        """Where an access goes to objects of the program or to memory of the environment."""
        environment = self.space.environment
        zero = bitvectors.bits(0, self.space.bits)
        known: list[PointerCase] = []
        leaves = [LeafCase(TRUE, pointer, zero)] if found is None else found.leaves[:]
        for case in () if found is None else found.known:
            if self._anchored(case) and not environment.is_address(case.base):
                known.append(case)
            else:
                base = bitvectors.bits(case.base, self.space.bits)
                leaves.append(LeafCase(case.cond, bitvectors.add(base, case.offset), zero))
        undecided = []
        outside = []
        for leaf in leaves:
            cond = build.and_(leaf.cond, environment.accessible(leaf.leaf, leaf.offset, size))
            address = bitvectors.add(leaf.leaf, leaf.offset)
            if cond is not FALSE:
                outside.append((cond, AccessTarget(cond, self.space.outside, address)))
            if environment.is_input(leaf.leaf):
                continue
            guessed = None if self._comes_from_inputs(leaf.leaf) else self._guess(address)
            if guessed is None:
                undecided.append(build.and_(leaf.cond, environment.elsewhere(leaf.leaf)))
                continue
            for case in guessed:
                case_cond = build.and_(leaf.cond, case.cond)
                known.append(PointerCase(case_cond, case.base, case.offset))
        targets, valid = self._among(known, size)
        return Reach(
            targets + [target for _, target in outside],
            build.or_(*valid, *(cond for cond, _ in outside)),
            FALSE,
            build.or_(*undecided),
        )

    def _comes_from_inputs(self, leaf: Term) -> bool:
        """Is it a number that is not put together from an address, or its bytes?"""
        inner = leaf
        while isinstance(inner, App) and inner.op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND):
            inner = inner.args[0]
        return not is_app(inner, Op.CONCAT) and not mentions_address(leaf)

    def _anywhere(self, pointer: Term, size: int) -> Reach | None:
        """Where an access may go through a pointer about which nothing is known."""
        found = self._guess(pointer)
        if found is None:
            return None
        targets, valid = self._among(found, size)
        inside = build.or_(*valid)
        first = bitvectors.bits(NULL_PAGE, self.space.bits)
        unknown = build.and_(bitvectors.ule(first, pointer), build.not_(inside))
        return Reach(targets, inside, unknown, FALSE)

    def _among(self, found: list[PointerCase], size: int) -> tuple[list[AccessTarget], list[Term]]:
        targets = []
        valid = []
        for case in found:
            for target, inside in self._targets(case, size):
                targets.append(target)
                valid.append(inside)
        return targets, valid

    def _anchored(self, case: PointerCase) -> bool:
        """Does the constant part of a pointer tell which object it leads into?"""
        constant = isinstance(case.offset, Value) or case.base < LOWEST
        return constant or self.space.home(case.base) is not None

    def _targets(self, case: PointerCase, size: int) -> Iterator[tuple[AccessTarget, Term]]:
        """The targets of a case, each with the condition that the access is inside."""
        near = self.space.near(case.base)
        for made in near:
            content = self._contents.get(made)
            if content is None:
                continue
            start = bitvectors.bits(case.base - made.base, self.space.bits)
            offset = bitvectors.add(start, case.offset)
            cond = case.cond if len(near) == 1 else build.and_(case.cond, self._at(made, offset))
            inside = build.and_(cond, self.inside(made, offset, size), build.not_(content.freed))
            if inside is not FALSE:
                yield AccessTarget(cond, made, offset), inside

    def _at(self, made: SymbolicObject, offset: Term) -> Term:
        """The condition that an offset leads into the object, not past its end."""
        return bitvectors.ult(offset, bitvectors.bits(max(1, made.room), self.space.bits))

    def inside(self, made: SymbolicObject, offset: Term, size: int) -> Term:
        """The condition that `size` bytes from `offset` on lie inside the object."""
        bits = self.space.bits
        if isinstance(made.size, int):
            if made.size < size:
                return FALSE
            return bitvectors.ule(offset, bitvectors.bits(made.size - size, bits))
        need = bitvectors.bits(size, bits)
        return build.and_(
            bitvectors.ule(need, made.size), bitvectors.ule(offset, bitvectors.sub(made.size, need))
        )

    def _guess(self, pointer: Term) -> list[PointerCase] | None:
        """A pointer about which nothing is known: it may point into any object that is live."""
        live = list(self._contents)
        if len(live) > FEW:
            return None
        bits = self.space.bits
        found = []
        for made in live:
            offset = bitvectors.sub(pointer, bitvectors.bits(made.base, bits))
            found.append(PointerCase(self._at(made, offset), made.base, offset))
        return found

    # --- bytes ------------------------------------------------------------------------------------

    def load(self, target: AccessTarget, size: int) -> Term:
        """The bytes at a target, the first lowest."""
        content = self._contents[target.object]
        if isinstance(target.offset, Value):
            return content.read(target.offset.value, size)
        offsets = self._candidates(target, size)
        if offsets is None or content.array is not None:
            content = self._own(target.object)
            content.to_array()
            return content.read_at(target.offset, size)
        whole = content.read(offsets[-1], size)
        for offset in reversed(offsets[:-1]):
            here = build.eq(target.offset, bitvectors.bits(offset, self.space.bits))
            whole = build.ite(here, content.read(offset, size), whole)
        return whole

    def store(
        self, target: AccessTarget, size: int, value: Term, cond: Term, view: View | None = None
    ) -> None:
        """Write the bytes at a target where `cond` holds; in memory of the environment, in a view
        if it is not part of a block."""
        if target.object is self.space.outside:
            self.environment = self.environment.written(target.offset, size, value, cond, view)
            return
        content = self._own(target.object)
        if isinstance(target.offset, Value):
            at = target.offset.value
            if cond is not TRUE:
                value = build.ite(cond, value, content.read(at, size))
            content.write(at, size, value)
            return
        offsets = self._candidates(target, size)
        if offsets is None or content.array is not None:
            content.to_array()
            if cond is not TRUE:
                value = build.ite(cond, value, content.read_at(target.offset, size))
            self._contents[target.object] = written_at(content, target.offset, size, value)
            return
        for offset in offsets:
            here = build.eq(target.offset, bitvectors.bits(offset, self.space.bits))
            old = content.read(offset, size)
            content.write(offset, size, build.ite(build.and_(cond, here), value, old))

    def fill(self, made: SymbolicObject, elements: Elements) -> None:
        """Write many elements at once."""
        self._contents[made] = filled(self._own(made), elements)

    def _candidates(self, target: AccessTarget, size: int) -> list[int] | None:
        """The offsets that an access may have, if they are few."""
        made = target.object
        if not isinstance(made.size, int):
            return None
        step = stride(target.offset)
        rest, constant = split(target.offset)
        if constant:
            step = stride(rest)
        step = step or 1
        last = made.size - size
        if last < 0 or last // step > FEW:
            return None
        return list(range(constant % step, last + 1, step)) or None

    def free(self, made: SymbolicObject, cond: Term) -> None:
        content = self._own(made)
        content.freed = build.or_(content.freed, cond)

    def cells(self, made: SymbolicObject) -> list[tuple[int, int]]:
        """The offsets and sizes of the cells that were written, in order."""
        content = self._contents[made]
        return sorted((at, bitvectors.width_of(cell) // 8) for at, cell in content.cells.items())


def merge(cond: Term, then: SymbolicMemory, other: SymbolicMemory) -> SymbolicMemory:
    """The memory that is `then` where `cond` holds, else `other`; what is live in one only is
    kept, as pointers to it exist only there."""
    merged = SymbolicMemory(then.space)
    merged.environment = environments.merge(cond, then.environment, other.environment)
    for made, content in then._contents.items():
        twin = other._contents.get(made)
        if twin is content:
            merged._contents[made] = content
        elif twin is None:
            merged._contents[made] = contents.made_if(cond, content, merged._owner, made.kind)
        else:
            merged._contents[made] = overlay.merge(cond, content, twin, merged._owner)
    for made, content in other._contents.items():
        if made not in then._contents:
            merged._contents[made] = contents.made_if(
                build.not_(cond), content, merged._owner, made.kind
            )
    return merged
