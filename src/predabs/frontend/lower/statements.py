"""Lower statements: control structures become branches and jumps of the automaton."""

from __future__ import annotations

from functools import cached_property
from typing import assert_never

from ...ir import make
from ...ir.cfa import Coord, Function
from ...ir.expr import Expr, Var
from ...ir.ops import AllocKind, Assign, Assume, Havoc, Return, Skip, Source
from ...ir.types import INT, FunctionType, IntType, PointerType, VoidType, size_of
from ...records import dataclass, field
from .. import ast
from ..symbols import StorageClass, Symbol
from .allocation import allocate
from .block_lifetimes import BlockLifetimes
from .calls import call, variadic_parameter
from .cfa_builder import CfaBuilder
from .expressions import LowerExpressions
from .initializers import initialise
from .inline_assembly import lower_assembly
from .jumps import Jumps
from .scopes import FunctionScope, ProgramNames
from .sources import FunctionSource


@dataclass(slots=True)
class _Switch:
    """The cases seen so far of the switch statement that is being lowered."""

    stmt: ast.Switch
    cases: list[tuple[ast.Case, int]] = field(default_factory=list)
    default: tuple[ast.Default, int] | None = None


class LowerStatements:
    """Lowers the body of one function."""

    def __init__(self, names: ProgramNames, source: FunctionSource) -> None:
        self._source = source
        self._names = names
        self._graph = CfaBuilder(source.name)
        self._scope = FunctionScope(names, source.name, source.definition.body)
        self._low = LowerExpressions(self._graph, self._scope, call, self.lower, initialise)
        self._labels: dict[str, int] = {}
        # where they lead to, and how many blocks are open there
        self._breaks: list[tuple[int, int]] = []
        self._continues: list[tuple[int, int]] = []
        self._lives = BlockLifetimes(self._scope, self._graph, marks=names.block_lifetimes)
        self._switches: list[_Switch] = []

    @cached_property
    def _jumps(self) -> Jumps:
        return Jumps(self._source.definition.body)

    def function(self) -> Function:
        """The finished automaton."""
        definition = self._source.definition
        type_ = self._source.type
        params = [self._scope.variable(param) for param in definition.params]
        if type_.variadic:
            params.append(variadic_parameter(self._source.name, self._names.data_model))
        self.lower(definition.body)
        if self._graph.here is not None:
            self._fall_off_the_end(type_, definition.coord)
        shape = self._graph.finish(self._labels)
        return Function(
            self._source.name,
            type_,
            tuple(params),
            tuple(self._scope.declared),
            shape.entry,
            shape.exit,
            shape.edges,
            definition.coord,
            shape.labels,
            self._lives.inside,
        )

    def _fall_off_the_end(self, type_: FunctionType, coord: Coord) -> None:
        if isinstance(type_.result, VoidType):
            value: Expr | None = None
        elif self._source.name == "main" and isinstance(type_.result, IntType):
            value = make.const(0, type_.result)
        else:
            value = self._scope.temporary(type_.result)
            name = f"the result of {self._source.name}"
            self._graph.emit(Havoc(value, Source.UNINITIALIZED, name), coord)
        self._graph.emit(Return(value), coord)

    def lower(self, stmt: ast.Stmt) -> None:
        """Append the statement to the graph."""
        graph, low = self._graph, self._low
        match stmt:
            case ast.Compound(items, coord):
                self._lives.enter(items, coord)
                for item in items:
                    self.lower(item)
                self._lives.leave(coord)
            case ast.Declare():
                self._declare(stmt)
            case ast.Evaluate(expr, _):
                low.discard(expr)
            case ast.If():
                self._if(stmt)
            case ast.While(cond, body, coord):
                head = self._location(coord)
                inside, after = graph.fresh(), graph.fresh()
                low.branch(cond, inside, after)
                graph.here = inside
                self._loop_body(body, head, after)
                graph.jump(head, coord)
                graph.here = after
            case ast.DoWhile(body, cond, coord):
                start = self._location(coord)
                test, after = graph.fresh(), graph.fresh()
                self._loop_body(body, test, after)
                graph.jump(test, coord)
                graph.here = test
                low.branch(cond, start, after)
                graph.here = after
            case ast.For():
                self._for(stmt)
            case ast.Switch():
                self._switch(stmt)
            case ast.Case(_, _, body, coord):
                self._switches[-1].cases.append((stmt, self._location(coord)))
                self.lower(body)
            case ast.Default(body, coord):
                self._switches[-1].default = stmt, self._location(coord)
                self.lower(body)
            case ast.Label(name, body, coord):
                at = self._label(name)
                graph.jump(at, coord)
                graph.here = at
                self.lower(body)
            case ast.Goto(name, coord):
                self._cross(stmt, name, coord)
                graph.jump(self._label(name), coord)
            case ast.Break(coord):
                self._leave_to(self._breaks[-1], coord)
            case ast.Continue(coord):
                self._leave_to(self._continues[-1], coord)
            case ast.Return(expr, coord):
                self._return(expr, coord)
            case ast.Asm():
                lower_assembly(low, stmt)
                if stmt.targets != frozenset():
                    self._asm_goto(stmt)
            case ast.Empty():
                pass
            case _:
                assert_never(stmt)

    # --- locations
    # -----------------------------------------------------------------------------------

    def _location(self, coord: Coord) -> int:
        """A new location that what came before leads to."""
        at = self._graph.fresh()
        self._graph.jump(at, coord)
        self._graph.here = at
        return at

    def _label(self, name: str) -> int:
        """The location of a label, whether or not it was seen yet."""
        if name not in self._labels:
            self._labels[name] = self._graph.fresh()
        return self._labels[name]

    # --- control ----------------------------------------------------------------------------------

    def _if(self, stmt: ast.If) -> None:
        """An if with its chain of `else if`s, which can be thousands long."""
        after = self._graph.fresh()
        current: ast.Stmt | None = stmt
        while isinstance(current, ast.If):
            yes, no = self._graph.fresh(), self._graph.fresh()
            self._low.branch(current.cond, yes, no)
            self._graph.here = yes
            self.lower(current.then)
            self._graph.jump(after, current.coord)
            self._graph.here = no
            current = current.other
        if current is not None:
            self.lower(current)
        self._graph.jump(after, stmt.coord)
        self._graph.here = after

    def _for(self, stmt: ast.For) -> None:
        graph = self._graph
        inits = stmt.init.items if isinstance(stmt.init, ast.Compound) else (stmt.init,)
        for init in inits:  # which live as long as the loop
            if init is not None:
                self.lower(init)
        head = self._location(stmt.coord)
        step, after = graph.fresh(), graph.fresh()
        if stmt.cond is not None:
            inside = graph.fresh()
            self._low.branch(stmt.cond, inside, after)
            graph.here = inside
        self._loop_body(stmt.body, step, after)
        graph.jump(step, stmt.coord)
        graph.here = step
        if stmt.step is not None:
            self._low.discard(stmt.step)
        graph.jump(head, stmt.coord)
        graph.here = after

    def _loop_body(self, body: ast.Stmt, next_: int, after: int) -> None:
        self._breaks.append((after, self._lives.depth))
        self._continues.append((next_, self._lives.depth))
        self.lower(body)
        self._breaks.pop()
        self._continues.pop()

    def _switch(self, stmt: ast.Switch) -> None:
        graph = self._graph
        value = self._low.value(stmt.value)
        if not isinstance(value, Var):
            value = self._low.saved(value, stmt.coord)
        assert isinstance(value.type, IntType)
        dispatch, after = graph.here, graph.fresh()
        graph.here = None
        switch = _Switch(stmt)
        self._switches.append(switch)
        self._breaks.append((after, self._lives.depth))
        self.lower(stmt.body)
        self._breaks.pop()
        self._switches.pop()
        graph.jump(after, stmt.coord)
        graph.here = after
        if dispatch is None:
            return
        tests = []
        for case, at in switch.cases:
            test = _in_range(value, case.low, case.high)
            tests.append(test)
            self._enter_case(dispatch, Assume(test), stmt, case, at)
        rest = Assume(make.conj(make.negate(test) for test in tests)) if tests else Skip()
        if switch.default is None:
            graph.add(dispatch, rest, after, stmt.coord)
        else:
            self._enter_case(dispatch, rest, stmt, *switch.default)
        graph.here = after

    def _enter_case(
        self,
        dispatch: int,
        op: Assume | Skip,
        stmt: ast.Switch,
        case: ast.Case | ast.Default,
        at: int,
    ) -> None:
        coord = case.coord if isinstance(case, ast.Case) else stmt.coord
        self._graph.here = self._graph.fresh()
        self._graph.add(dispatch, op, self._graph.here, coord)
        self._cross(stmt, case, coord)
        return self._graph.jump(at, coord)

    def _leave_to(self, target: tuple[int, int], coord: Coord) -> None:
        location, depth = target
        self._lives.end_to(depth, coord)
        self._graph.jump(location, coord)

    def _cross(
        self,
        jump: ast.Goto | ast.Switch | ast.Asm,
        target: ast.Case | ast.Default | str,
        coord: Coord,
    ) -> None:
        """A jump leaves blocks, enters others and passes over declarations."""
        left, entered = self._jumps.crossed(jump, target)
        self._lives.end(left, coord)
        self._lives.begin(entered, coord)
        self._forget(self._jumps.skipped(jump, target), coord)

    def _forget(self, symbols: list[Symbol], coord: Coord) -> None:
        """The variables hold any value: a jump has passed over their declarations."""
        for symbol in symbols:
            var = self._scope.variable(symbol)
            self._graph.emit(Havoc(var, Source.UNINITIALIZED, symbol.name), coord)

    def _return(self, expr: ast.Expr | None, coord: Coord) -> None:
        result = self._source.type
        if expr is None and not isinstance(result.result, VoidType):
            self._lives.end_to(0, coord)
            return self._fall_off_the_end(result, coord)
        if expr is None or isinstance(result.result, VoidType):
            if expr is not None:
                self._low.discard(expr)
            self._lives.end_to(0, coord)
            return self._graph.emit(Return(None), coord)
        value = make.cast(self._low.value(expr), result.result)
        if self._lives.any_open():
            value = self._low.saved(value, coord)
            self._lives.end_to(0, coord)
        return self._graph.emit(Return(value), coord)

    # --- declarations -----------------------------------------------------------------------------

    def _declare(self, stmt: ast.Declare) -> None:
        symbol = stmt.symbol
        var = self._scope.variable(symbol)
        self._lives.declare(var)
        if symbol.storage is StorageClass.STATIC_LOCAL:
            self._names.define_static(var, stmt.init, stmt.coord)
        elif symbol.storage is StorageClass.LOCAL:
            if stmt.length is not None:
                self._allocate(symbol, var, stmt.length, stmt.coord)
            elif stmt.init is None:
                self._graph.emit(Havoc(var, Source.UNINITIALIZED, symbol.name), stmt.coord)
            elif isinstance(stmt.init, ast.Call) and stmt.init.type is var.type:
                call(self._low, stmt.init, var, wanted=True)
            else:
                initialise(self._low, var, stmt.init)

    def _allocate(self, symbol: Symbol, var: Var, length: ast.Expr, coord: Coord) -> None:
        """A variable-length array: its name is a pointer to fresh memory of the function."""
        assert isinstance(var.type, PointerType)
        size_type = self._names.data_model.size_type
        count = make.cast(self._low.value(length), size_type)
        element = make.const(size_of(var.type.target), size_type)
        size = self._scope.declare_vla_size(symbol)
        self._graph.emit(Assign(size, self._low.combine("*", count, element, size_type)), coord)
        factors = count, element
        allocate(self._names, self._graph, var, factors, AllocKind.STACK, coord, size=size)

    def _asm_goto(self, stmt: ast.Asm) -> None:
        """It goes on at any of its labels, or behind it."""
        coord = stmt.coord
        for label in self._jumps.labels():
            if stmt.targets is not None and label.partition("#")[0] not in stmt.targets:
                continue  # else it goes on there, or does not
            choice = self._scope.temporary(INT)
            self._graph.emit(Havoc(choice, Source.ASM, "asm goto"), coord)
            start, there, after = self._graph.here, self._graph.fresh(), self._graph.fresh()
            if start is not None:
                stays = make.equal(choice, make.const(0, INT))
                self._graph.add(start, Assume(make.negate(stays)), there, coord)
                self._graph.add(start, Assume(stays), after, coord)
                self._graph.here = there
                self._cross(stmt, label, coord)
                self._graph.jump(self._label(label), coord)
                self._graph.here = after


def _in_range(value: Expr, low: int, high: int) -> Expr:
    type_ = value.type
    assert isinstance(type_, IntType)
    bottom, top = make.const(low, type_), make.const(high, type_)
    if bottom is top:
        return make.equal(value, bottom)
    return make.conj((make.less_equal(bottom, value), make.less_equal(value, top)))
