"""The flags that a compiler reads each file with, as far as they change what its text means."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..records import dataclass, field

_GNU_INLINE = frozenset(
    f"-std={name}" for name in ("c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409")
)


@dataclass(frozen=True, slots=True)
class CompilerFlags:
    """What the user asks for, on top of what the file's entry in a compilation database says. The
    latter are words of a command line, in which the order counts."""

    include: tuple[str, ...] = ()  # folders
    define: tuple[str, ...] = ()
    undefine: tuple[str, ...] = ()
    force_include: tuple[str, ...] = ()  # files that are read first
    std: str = ""
    entry: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """All flags as words of a command line.

        >>> CompilerFlags(("inc",), ("N=1",), ("M",), ("first.h",), "gnu89", ("-DM",)).words
        ('-Iinc', '-DM', '-DN=1', '-UM', '-include', 'first.h', '-std=gnu89')
        """
        return (
            *(f"-I{folder}" for folder in self.include),
            *self.entry,
            *(f"-D{macro}" for macro in self.define),
            *(f"-U{macro}" for macro in self.undefine),
            *(word for file in self.force_include for word in ("-include", file)),
            *([f"-std={self.std}"] if self.std else []),
        )

    @property
    def folders(self) -> tuple[str, ...]:
        """Where #include files are looked for."""
        after = zip(self.entry, self.entry[1:], strict=False)
        return (*self.include, *(folder for word, folder in after if word == "-I"))

    @property
    def macros(self) -> list[str]:
        """The definitions, in their order."""
        return [word[2:] for word in self.words if word.startswith("-D")]

    @property
    def reads_files(self) -> bool:
        """Is anything read before the file itself?"""
        return "-include" in self.words or "-imacros" in self.words

    @property
    def gnu_inline(self) -> bool:
        """Does `inline` mean what it did before C99?

        >>> CompilerFlags(std="gnu89").gnu_inline, CompilerFlags(std="gnu17").gnu_inline
        (True, False)
        """
        old = False
        for word in self.words:
            if word.startswith("-std="):
                old = word in _GNU_INLINE
            elif word.endswith("gnu89-inline"):
                return not word.startswith("-fno-")
        return old


NO_FLAGS = CompilerFlags()


@dataclass(frozen=True, slots=True)
class SourceFlags:
    """The flags of each file: those that all have, or its own."""

    common: CompilerFlags = NO_FLAGS
    own: Mapping[str, CompilerFlags] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()  # what was chosen where the user might choose otherwise

    def of(self, file: str) -> CompilerFlags:
        return self.own.get(file, self.common)

    @property
    def differ(self) -> bool:
        """Are they not the same for all files?"""
        return any(flags != self.common for flags in self.own.values())


NO_SOURCE_FLAGS = SourceFlags()
