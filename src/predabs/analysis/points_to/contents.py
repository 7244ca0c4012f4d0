"""The contents of memory in the points-to analysis: which addresses the bytes of objects may hold.

For each object there are nodes for what is stored at some offsets, and nodes for what is loaded
from some offsets; a load includes every store that it may overlap. If the two are not the same
bytes, the parts of several addresses may mix: then the result can be any address in the same
objects. Bytes that are copied keep their distance from the start of the copy.

An object with very many byte ranges or addresses is collapsed: seen as one piece, or as an array of
pointers. So are all objects once the work exceeds a limit that grows with the program: then the
analysis knows objects, but no members.

Soundness duty: a load has every address that a store can have left, in parts or as a whole, in the
bytes that it reads.
"""

from __future__ import annotations

from collections.abc import Callable

from ...records import dataclass, field
from .access_paths import ANYWHERE, Displacement
from .inclusion import Inclusions, members
from .objects import UNKNOWN, Allocated, FunctionObject, Object, Target, TemporaryObject, Variable
from .offsets import (
    ANY,
    ByteRange,
    ByteRangeIndex,
    Extent,
    Offsets,
    aligned,
    at,
    covers,
    distance,
    join,
    progression,
    total,
)


@dataclass(frozen=True, slots=True)
class Precision:
    """How much is told apart. More exact `offsets` in an object are replaced by a progression: else
    `p++` has no end. An object with more `addresses` or byte `ranges` is collapsed; with fewer
    (`open_ranges`) if these are not at constant offsets, or if the object has no size of its own.
    `collapses` says that all objects are, when the work exceeds its limit.
    """

    offsets: int
    addresses: int
    ranges: int
    open_ranges: int
    collapses: bool


FINE = Precision(12, 32, 512, 64, False)
COARSE = Precision(4, 8, 256, 16, True)  # for large programs in which the other costs too much


@dataclass(slots=True)
class _ObjectContents:
    loads: ByteRangeIndex = field(default_factory=ByteRangeIndex)
    stores: ByteRangeIndex = field(default_factory=ByteRangeIndex)
    watchers: list[Callable[[ByteRange, int], None]] = field(default_factory=list)


class MemoryContents:
    """All objects, the addresses in them (numbered, as elements of sets), and their contents.

    `unknown_reads` is the node of all that can be read through an unknown address, `unknown_writes`
    of all that is written through one. What the first has, escapes, unless unknown addresses are
    `apart` from all objects. In an object that `is_text` no offsets are told apart. `most_work` is
    the limit of the work, `pointer` a pointer's size.
    """

    def __init__(
        self,
        sizes: Callable[[Object], int | None],
        is_text: Callable[[Object], bool],
        pointer: int,
        apart: bool,
        precision: Precision,
        most_work: int,
    ) -> None:
        self.inclusions = Inclusions()
        self._sizes_of = sizes
        self._is_text = is_text
        self._pointer = pointer
        self._apart = apart
        self._precision = precision
        self._most_work = most_work
        self.targets: list[Target] = []
        self._elements: dict[Object, dict[Offsets, int]] = {}
        self._displaced_elements: dict[Displacement, dict[int, int]] = {}
        self._displaced_nodes: dict[tuple[int, Displacement], int] = {}
        self._fixed = 0  # the addresses that no displacement changes
        self._contents: dict[Object, _ObjectContents] = {}
        # accesses through pointers, and the nodes of the contents that they reach by address
        self._through_nodes: dict[tuple[bool, int, Displacement, int], int] = {}
        self._reached_nodes: dict[tuple[bool, Displacement, int], dict[int, int | None]] = {}
        self._sizes: dict[Object, int | None] = {}
        self.escaped: dict[Object, None] = {}
        self.uninitialised: dict[Object, None] = {}  # objects whose first content is not zero
        self.must_be_somewhere: dict[int, None] = {}  # nodes that hold an unknown address, if none
        self.on_escape: list[Callable[[Object], None]] = []
        self.unknown = self.element(Target(UNKNOWN, ANY))
        self.unknown_node = self.inclusions.node((self.unknown,))
        self.unknown_reads = self.inclusions.node((self.unknown,))
        self.unknown_writes = self.inclusions.node()
        self.include_displaced(self.unknown_writes, ANYWHERE, self.unknown_reads)
        if not apart:
            self.inclusions.watch(self.unknown_reads, self._escape)

    # --- addresses -------------------------------------------------------------------------------

    def element(self, target: Target) -> int:
        """The number of an address; that of the whole object, if that has too many."""
        known = self._elements.setdefault(target.object, {})
        offsets = target.offsets
        element = known.get(offsets)
        if element is None:
            text = self._is_text(target.object)
            if text or len(known) > self._precision.addresses or self._exhausted:
                offsets = ANY
                element = known.get(ANY)
            if element is None:
                element = known[offsets] = len(self.targets)
                self.targets.append(Target(target.object, offsets))
                if text or isinstance(target.object, FunctionObject) or target.object == UNKNOWN:
                    self._fixed |= 1 << element
        return element

    @property
    def _exhausted(self) -> bool:
        """Has the analysis worked so much that it must do without members?"""
        return self._precision.collapses and self.inclusions.work > self._most_work

    def displaced(self, source: int, displacement: Displacement) -> int:
        """The node of the addresses of the source, each displaced."""
        key = (source, displacement)
        node = self._displaced_nodes.get(key)
        if node is None:
            node = self._displaced_nodes[key] = self.inclusions.node()
            self._include_displaced(source, displacement, node)
        return node

    def include_displaced(self, source: int, displacement: Displacement, target: int) -> None:
        """The target includes the addresses of the source, each displaced."""
        self.inclusions.edge(self.displaced(source, displacement), target)

    def _include_displaced(self, source: int, displacement: Displacement, target: int) -> None:
        seen: dict[Object, list[Offsets]] = {}
        whole: dict[Object, Offsets] = {}
        known = self._displaced_elements.setdefault(displacement, {})
        targets, most = self.targets, self._precision.offsets

        def change(elements: int) -> int:
            made = elements & self._fixed
            for element in members(elements & ~self._fixed):
                displaced = known.get(element)
                if displaced is None:
                    displaced = known[element] = self._displace(element, displacement)
                found = targets[displaced]
                object_ = found.object
                wide = whole.get(object_)
                if wide is not None and covers(wide, found.offsets):
                    continue
                offsets = seen.get(object_)
                if offsets is None:
                    seen[object_] = [found.offsets]
                else:
                    offsets.append(found.offsets)
                    if len(offsets) > most:
                        wide = whole[object_] = join(offsets)
                        displaced = self.element(Target(object_, wide))
                made |= 1 << displaced
            return made

        self.inclusions.derive(source, target, change)

    def _displace(self, element: int, displacement: Displacement) -> int:
        target = self.targets[element]
        return self.element(Target(target.object, displacement.apply(target.offsets)))

    def watch(self, node: int, use: Callable[[Target], None]) -> None:
        """Call `use` for each address that the node has or gets."""

        def watcher(elements: int) -> None:
            for element in members(elements):
                use(self.targets[element])

        self.inclusions.watch(node, watcher)

    # --- contents --------------------------------------------------------------------------------

    def size(self, object_: Object) -> int | None:
        """The object's size in bytes, if it is always the same."""
        try:
            return self._sizes[object_]
        except KeyError:
            found = self._sizes[object_] = self._sizes_of(object_)
            return found

    def within(self, object_: Object, offsets: Offsets, size: int) -> Offsets | None:
        """The offsets at which so many bytes lie in the object, or None if they never do.

        Any access elsewhere is a fault, after which nothing happens.
        """
        if isinstance(object_, FunctionObject):
            return None
        limit = self.size(object_)
        first, last, step = offsets.first, offsets.last, offsets.step
        if step == 0:  # as nearly always
            return offsets if first >= 0 and (limit is None or first <= limit - size) else None
        if last is None:
            if limit is None:
                return offsets
            count = (limit - size - first) // step + 1
            return progression(first, step, count) if count > 0 else None
        if first < 0:
            first %= step
        if limit is not None and last > limit - size:
            last = first + (limit - size - first) // step * step
        if last < first:
            return None
        return progression(first, step, (last - first) // step + 1)

    def load(self, object_: Object, offsets: Offsets, size: int) -> int | None:
        """The node of what can be read there; None if that is always a fault."""
        if object_ == UNKNOWN:
            return self.unknown_reads
        inside = self.within(object_, offsets, size)
        if inside is None:
            return None
        contents = self._contents.setdefault(object_, _ObjectContents())
        key = self._coarse(object_, contents.loads, (inside, size))
        node = contents.loads.nodes.get(key)
        if node is None:
            node = self.inclusions.node()
            contents.loads.add(key, node)
            for store in contents.stores.touching(key):
                self._connect(contents.stores.nodes[store], store, node, key)
        return node

    def store(self, object_: Object, offsets: Offsets, size: int) -> int | None:
        """The node of what is written there; None if that is always a fault."""
        if object_ == UNKNOWN:
            return self.unknown_writes
        inside = self.within(object_, offsets, size)
        if inside is None:
            return None
        contents = self._contents.setdefault(object_, _ObjectContents())
        key = self._coarse(object_, contents.stores, (inside, size))
        node = contents.stores.nodes.get(key)
        if node is None:
            node = self.inclusions.node()
            contents.stores.add(key, node)
            for load in contents.loads.touching(key):
                self._connect(node, key, contents.loads.nodes[load], load)
            for watcher in list(contents.watchers):
                watcher(key, node)
        return node

    def loaded_through(self, pointer: int, displacement: Displacement, size: int) -> int:
        """The node of what is read through the pointers of a node, displaced so."""
        return self._through(True, pointer, displacement, size)

    def stored_through(self, pointer: int, displacement: Displacement, size: int) -> int:
        """The node of what is written through the pointers of a node, displaced so."""
        return self._through(False, pointer, displacement, size)

    def _through(self, reading: bool, pointer: int, displacement: Displacement, size: int) -> int:
        key = (reading, pointer, displacement, size)
        known = self._through_nodes.get(key)
        if known is not None:
            return known
        node = self._through_nodes[key] = self.inclusions.node()
        reached = self._reached_nodes.setdefault((reading, displacement, size), {})
        access = self.load if reading else self.store

        targets, edge, apply = self.targets, self.inclusions.edge, displacement.apply

        def watcher(elements: int) -> None:
            for element in members(elements):
                try:
                    cell = reached[element]
                except KeyError:
                    target = targets[element]
                    cell = access(target.object, apply(target.offsets), size)
                    reached[element] = cell
                if cell is None:
                    continue
                if reading:
                    edge(cell, node)
                else:
                    edge(node, cell)

        self.inclusions.watch(pointer, watcher)
        return node

    def _coarse(self, object_: Object, side: ByteRangeIndex, key: ByteRange) -> ByteRange:
        """The byte range, or one of a few if the object is collapsed: copies may make ever more
        ranges, and each may touch all others."""
        if key in side.nodes:
            return key
        constant = key[0].step == 0 and self.size(object_) is not None
        most = self._precision.ranges if constant else self._precision.open_ranges
        if len(side.nodes) <= most and not self._exhausted:
            return key
        pointer = self._pointer
        if key[1] == pointer and key[0].step % pointer == 0 == key[0].first % pointer:
            return (progression(0, pointer, None), pointer)
        return (ANY, 2)  # of a size that never fits another: parts of addresses mix

    def _connect(self, store: int, stored: ByteRange, load: int, loaded: ByteRange) -> None:
        if stored[1] == loaded[1] and aligned(stored[0], loaded[0], stored[1]):
            self.inclusions.edge(store, load)
        else:
            self.include_displaced(store, ANYWHERE, load)

    def _watch_stores(self, object_: Object, watcher: Callable[[ByteRange, int], None]) -> None:
        """Call the watcher for each store into the object, now and later."""
        contents = self._contents.setdefault(object_, _ObjectContents())
        contents.watchers.append(watcher)
        for key, node in list(contents.stores.nodes.items()):
            watcher(key, node)

    # --- copies ----------------------------------------------------------------------------------

    def copy_in(self, target: Target, extent: Extent, temporary: TemporaryObject) -> None:
        """The bytes at an address become those of `temporary`."""
        if target.object == UNKNOWN:
            self._all(self.unknown_reads, temporary)
        elif not isinstance(target.object, FunctionObject):
            self._copy(target, Target(temporary, at(0)), extent)

    def copy_out(self, temporary: TemporaryObject, target: Target, extent: Extent) -> None:
        """The bytes of `temporary` are written to an address."""
        if target.object == UNKNOWN:
            self._watch_stores(
                temporary,
                lambda _, node: self.include_displaced(node, ANYWHERE, self.unknown_writes),
            )
        elif not isinstance(target.object, FunctionObject):
            self._copy(Target(temporary, at(0)), target, extent)

    def _copy(self, source: Target, target: Target, extent: Extent) -> None:
        """What lies some distance behind the source is stored as far behind the target."""

        def watcher(key: ByteRange, node: int) -> None:
            found = distance(*key, source.offsets, extent)
            if found is None:
                return
            apart, whole = found
            size = 1 if apart == ANY else key[1]
            stored = self.store(target.object, total(target.offsets, apart), size)
            if stored is None:
                return
            if whole:
                self.inclusions.edge(node, stored)
            else:
                self.include_displaced(node, ANYWHERE, stored)

        self._watch_stores(source.object, watcher)

    def _all(self, node: int, object_: Object) -> None:
        """Any bytes of the object may hold what the node has."""
        stored = self.store(object_, ANY, 1)
        if stored is not None:
            self.include_displaced(node, ANYWHERE, stored)

    def pointers_to_somewhere(self) -> list[int]:
        """The nodes of what is read, as large as a pointer, in objects that begin uninitialised,
        and the others that must hold some address."""
        return list(self.must_be_somewhere) + [
            node
            for object_ in self.uninitialised
            if object_ in self._contents
            for (_, size), node in self._contents[object_].loads.nodes.items()
            if size == self._pointer
        ]

    def _escape(self, elements: int) -> None:
        for element in members(elements):
            self.escape(self.targets[element].object)

    def escape(self, object_: Object) -> None:
        """From now on, an unknown address may be one in this object."""
        if object_ in self.escaped or object_ == UNKNOWN:
            return
        self.escaped[object_] = None
        if isinstance(object_, Variable | Allocated) and not self._apart:
            self._all(self.unknown_writes, object_)
            self._watch_stores(
                object_, lambda _, node: self.include_displaced(node, ANYWHERE, self.unknown_reads)
            )
        for listener in self.on_escape:
            listener(object_)
