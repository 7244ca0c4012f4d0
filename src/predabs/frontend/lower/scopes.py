"""Names: from the symbols of the syntax tree to the unique variables of the IR.

A global keeps its name, a local `x` of f is `f::x` (the second one `f::x#2`), a static local is
the global `f.x`, and a string literal is the global `str.1`. A `static` of one of several files
has its file's name added: nothing outside of that file may mean it. Whatever is referred to is
noted, so that only what the entry can reach is built.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path

from ...errors import InputError, UnsupportedFeature
from ...ir.cfa import Coord
from ...ir.expr import FunctionAddress, Var
from ...ir.types import ArrayType, DataModel, FunctionType, Record, RecordType, Type
from .. import ast
from ..parts import FoundFunction, Part
from ..symbols import StorageClass, Symbol
from .libc import CHOICES, may_be
from .library_pointers import calling
from .side_effects import addressed, variables_in
from .sources import FunctionSource, VariableSource

MODELS = "predabs-models.c"  # the file of the library functions that are written in C
_STRING = "str."  # string literals are str.1, str.2 ...
MODEL_PREFIX = "__predabs_"  # of a function there that makes a call that is no ordinary one


class ProgramNames:
    """The names of the whole program: who is who across files, and what was referred to."""

    def __init__(
        self,
        data_model: DataModel,
        news: Callable[[], Iterable[tuple[str, Part]]],
        models: Callable[[str], FoundFunction | None],
        model_records: Callable[[], Mapping[str, Record]],
        special: Callable[[Symbol, bool], bool],
        *,
        several: bool,
        watched: Collection[str] = (),
        conversions: bool = False,
        block_lifetimes: bool = False,
    ) -> None:
        self.data_model = data_model
        self._news = news  # what has come to light of the files since it was asked last
        self._watched = watched
        self._models = models
        self._model_records = model_records  # as far as models were read
        self._special = special  # is a call of this function, with a body or not, no ordinary call?
        self._several = several
        self.block_lifetimes = block_lifetimes  # are they marked?
        self.conversions = conversions  # is one that changes the value something to be seen?
        self.records: dict[str, Record] = {}
        self.functions: dict[str, FunctionSource] = {}
        self.assumptions: dict[str, None] = {}
        self.externals: dict[str, Coord] = {}
        self._symbols: dict[Symbol, str] = {}
        self._variables: dict[str, VariableSource] = {}
        self._strings: dict[tuple[tuple[int, ...], Type], Var] = {}
        self._taken: set[str] = set()
        self.took_none_for_volatile = False
        self.has_rounding_mode = False  # is fesetround or fegetround called?
        self.wanted_functions: dict[str, Coord] = {}
        self.wanted_variables: dict[str, VariableSource] = {}
        self._mentioned_by: dict[str, list[str]] = {}  # in the initialisers of which variables
        self._led_to: set[str] = set()  # by an initialiser in the open environment, or wanted
        self.declares_volatile = False  # is any variable or member volatile, as far as was read?

    # --- filling in ---

    def learn(self) -> None:
        """Make known what has come to light of the files."""
        for file, part in self._news():
            self._add_part(part, file)

    def _learn_model(self) -> None:
        """Make known the structs of a model, which no program can name."""
        for tag, record in self._model_records().items():
            self._add_record(tag, record, MODELS)

    def _add_part(self, part: Part, file: str) -> None:
        """Two definitions of one name are the user's mistake.

        Inline definitions are no external ones: each file may have its own. C leaves open whether
        a call uses that or the external one, so they must be the same.
        """
        self.declares_volatile |= part.declares_volatile
        self.assumptions.update(dict.fromkeys(part.assumptions))
        for tag, record in part.records.items():
            self._add_record(tag, record, file)
        for found in part.functions:
            if self._is_library_inline(found):
                continue
            name = self._link_name(found.symbol, file)
            earlier = self.functions.get(name)
            if earlier is None:
                self.functions[name] = FunctionSource(name, found, self.learn)
            elif not (earlier.found.inline or found.inline):
                raise InputError(
                    f"{found.symbol.coord}: {found.symbol.name} is defined twice, "
                    f"first at {earlier.found.symbol.coord}"
                )
            elif earlier.found.inline and not found.inline:
                self.functions[name] = FunctionSource(name, found, self.learn)
                self.functions[name].others = [earlier.found, *earlier.others]
            else:
                earlier.others.append(found)
        for variable in part.variables:
            self._add_variable(variable, file)
        for variable in part.variables:
            for symbol in () if variable.init is None else variables_in(variable.init):
                mentioned = self._symbols.get(symbol, symbol.name)
                holders = self._mentioned_by.setdefault(mentioned, [])
                holders.append(self._symbols[variable.symbol])

    def _is_library_inline(self, found: FoundFunction) -> bool:
        """Is it what a header of the C library has for a compiler that optimises, in place of a
        function that predabs knows?"""
        symbol = found.symbol
        if not (found.inline and symbol.system):
            return False
        return self._models(symbol.name) is not None or self._special(symbol, False)

    def _add_record(self, tag: str, record: Record, file: str) -> None:
        earlier = self.records.setdefault(tag, record)
        if earlier != record:
            if not record.members:
                return
            if earlier.members:
                raise UnsupportedFeature(
                    f"{file}: {tag} is laid out differently than in another file; rename one"
                )
            self.records[tag] = record

    def _add_variable(self, variable: ast.VariableDef, file: str) -> None:
        symbol = variable.symbol
        name = self._link_name(symbol, file)
        new = VariableSource(
            Var(name, symbol.type),
            variable.init,
            variable.extern,
            variable.coord,
            symbol.external,
        )
        old = self._variables.get(name)
        if old is None or old.external:
            self._variables[name] = new
        elif variable.init is not None:
            if old.init is not None:
                raise InputError(
                    f"{variable.coord}: {symbol.name} is defined twice, first at {old.coord}"
                )
            self._variables[name] = new

    def _link_name(self, symbol: Symbol, file: str) -> str:
        name = self._symbols.get(symbol)
        if name is None:
            name = symbol.name
            if not symbol.external:
                # neither another file nor a library function's model may mean this one
                private = self._several or self._models(name) is not None
                name = self.unique(f"{name}@{Path(file).name}" if private else name)
            self._symbols[symbol] = name
            self._taken.add(name)
        return name

    def unique(self, name: str) -> str:
        """A name nobody has yet: itself, or with a number."""
        if name not in self._taken:
            self._taken.add(name)
            return name
        number = 2
        while f"{name}#{number}" in self._taken:
            number += 1
        self._taken.add(f"{name}#{number}")
        return f"{name}#{number}"

    # --- looking up ---

    def record(self, type_: RecordType) -> Record:
        return self.records[type_.tag]

    def variable(self, symbol: Symbol) -> Var:
        """The variable of a global symbol."""
        name = self._symbols.get(symbol)
        if name is None:
            # a block's `extern int x;` that no file-level declaration repeats
            name = symbol.name
            self._symbols[symbol] = name
        source = self._variables.get(name)
        if source is None:
            source = VariableSource(
                Var(name, symbol.type), None, True, symbol.coord, symbol.external
            )
            self._variables[name] = source
        self.wanted_variables[name] = source
        return source.var

    def want_holders(self) -> None:
        """Want the variables that another file can name and that lead, as they begin, to a variable
        of the program: a pointer of the open environment may be its address, which the program has
        taken."""
        todo = [name for name in self.wanted_variables if name not in self._led_to]
        while todo:
            name = todo.pop()
            if name not in self._led_to:
                self._led_to.add(name)
                todo += self._mentioned_by.get(name, ())
                source = self._variables.get(name)
                if source is not None and source.linked:
                    self.wanted_variables.setdefault(name, source)

    def static_local(self, function: str, symbol: Symbol) -> Var:
        """The variable of a function's static local, without an initial value so far."""
        name = self._symbols.get(symbol)
        if name is None:
            name = self.unique(f"{function}.{symbol.name}")
            self._symbols[symbol] = name
        var = Var(name, symbol.type)
        if name not in self.wanted_variables:
            self.wanted_variables[name] = VariableSource(var, None, False, symbol.coord)
        return var

    def define_static(self, var: Var, init: ast.Expr | None, coord: Coord) -> None:
        """Give a static local or compound literal its initialiser."""
        self.wanted_variables[var.name] = VariableSource(var, init, False, coord)

    def string(self, literal: ast.StringLiteral) -> Var:
        """The global array that holds a string literal; equal literals share one."""
        length = max(literal.type.length, len(literal.values))
        type_ = ArrayType(literal.type.element, length)
        key = (literal.values, type_)
        var = self._strings.get(key)
        if var is None:
            var = self._strings[key] = Var(f"{_STRING}{len(self._strings) + 1}", type_)
            self.wanted_variables[var.name] = VariableSource(var, literal, False, literal.coord)
        return var

    @property
    def has_volatile_objects(self) -> bool:
        """Is any variable or member of the program declared volatile? While not all is read yet,
        a no may turn out to be wrong: `took_none_for_volatile` says that it was given."""
        self.took_none_for_volatile |= not self.declares_volatile
        return self.declares_volatile

    def is_defined(self, name: str, type_: Type | None = None) -> bool:
        """Is there a body for the function, in the program or among the models? With the type of a
        declaration: a model only if that can mean it."""
        if name not in self.functions:
            model = self._models(name)
            if model is not None and (type_ is None or may_be(name, type_, model.symbol)):
                self.functions[name] = FunctionSource(name, model, self._learn_model)
                if name in CHOICES:
                    self.assume(CHOICES[name])
        return name in self.functions

    def function_name(self, symbol: Symbol) -> str:
        """The name in the program of the function that a symbol stands for."""
        return self._symbols.get(symbol, symbol.name)

    def function_address(self, symbol: Symbol, coord: Coord) -> FunctionAddress:
        """A function's address; from now on the function is part of the program."""
        name = self.function_name(symbol)
        type_ = symbol.type
        if self.is_defined(name, type_):
            self.wanted_functions.setdefault(name, coord)
            type_ = self.functions[name].type
        else:
            self.externals.setdefault(name, coord)
        assert isinstance(type_, FunctionType)
        return FunctionAddress(name, self.data_model.pointer(type_))

    def function_pointer(self, symbol: Symbol, coord: Coord) -> FunctionAddress:
        """A function's address as a value: where a call by name would be no ordinary call, it is
        the address of a model that makes this call."""
        name = self.function_name(symbol)
        if not self._special(symbol, name in self.functions):
            return self.function_address(symbol, coord)
        model = self._special_model(symbol.name.removeprefix("__builtin_"))
        return self.function_address(model or self._caller(symbol, coord), coord)

    def _caller(self, symbol: Symbol, coord: Coord) -> Symbol:
        """A function that does nothing but make the call that is no ordinary one."""
        name = f"{MODEL_PREFIX}{symbol.name}"
        if name not in self.functions:
            found = calling(symbol, name, coord)
            self.functions[name] = FunctionSource(name, found, self.learn)
        return self.functions[name].found.symbol

    def watched_address(self, name: str, coord: Coord) -> FunctionAddress | None:
        """If a rule watches a library function of which a call is no ordinary call: the address of
        a model that makes this call. What models themselves call is nobody's business."""
        if name not in self._watched or coord.file == MODELS:
            return None
        model = self._special_model(name)
        if model is None:
            raise UnsupportedFeature(f"{coord}: a rule cannot watch calls of {name}")
        return self.function_address(model, coord)

    def is_watched(self, name: str) -> bool:
        """Does a rule watch calls of this function?"""
        return name in self._watched

    def _special_model(self, name: str) -> Symbol | None:
        name = f"{MODEL_PREFIX}{name}"
        return self.functions[name].found.symbol if self.is_defined(name) else None

    def assume(self, text: str) -> None:
        """Note something that the model takes for granted."""
        self.assumptions[text] = None


def is_string(var: Var) -> bool:
    """Is it a string literal, which nobody may write?"""
    return var.name.startswith(_STRING) and var.name.removeprefix(_STRING).isdigit()


class FunctionScope:
    """The names inside one function: its locals and temporaries."""

    def __init__(self, names: ProgramNames, function: str, body: ast.Stmt | None = None) -> None:
        self.names = names
        self.function = function
        self._body = body
        self._locals: dict[Symbol, Var] = {}
        self._owners: dict[Var, Symbol] = {}
        self._taken: dict[str, int] = {}
        self._temporaries = 0
        self.declared: list[Var] = []

    def variable(self, symbol: Symbol) -> Var:
        """The IR variable for a symbol that is no function."""
        match symbol.storage:
            case StorageClass.GLOBAL:
                return self.names.variable(symbol)
            case StorageClass.STATIC_LOCAL:
                return self.names.static_local(self.function, symbol)
            case _:
                var = self._locals.get(symbol)
                if var is None:
                    var = self._locals[symbol] = self._new(symbol.name, symbol.type)
                    self._owners[var] = symbol
                    if symbol.storage is StorageClass.LOCAL:
                        self.declared.append(var)
                return var

    @cached_property
    def _addressed(self) -> frozenset[Symbol]:
        """The symbols that something else than their name can change."""
        return frozenset() if self._body is None else addressed(self._body)

    def has_address(self, symbol: Symbol) -> bool:
        """Does the function take the variable's address?"""
        return symbol in self._addressed

    def is_private(self, var: Var, changed: frozenset[Symbol]) -> bool:
        """Does a local keep its value while only the `changed` symbols are assigned to by name?"""
        symbol = self._owners.get(var)
        if symbol is None:
            return bool(var.function)  # a temporary: written once
        return symbol not in self._addressed and symbol not in changed

    def vla_size(self, symbol: Symbol) -> Var:
        """The variable that holds the size in bytes of a variable-length array."""
        return Var(f"{self.variable(symbol).name}.size", self.names.data_model.size_type)

    def declare_vla_size(self, symbol: Symbol) -> Var:
        var = self.vla_size(symbol)
        if var not in self.declared:
            self.declared.append(var)
        return var

    def temporary(self, type_: Type, name: str = "tmp") -> Var:
        """A fresh local that no source name can clash with."""
        self._temporaries += 1
        var = Var(f"{self.function}::{name}.{self._temporaries}", type_)
        self.declared.append(var)
        return var

    def _new(self, name: str, type_: Type) -> Var:
        count = self._taken[name] = self._taken.get(name, 0) + 1
        suffix = f"#{count}" if count > 1 else ""
        return Var(f"{self.function}::{name}{suffix}", type_)
