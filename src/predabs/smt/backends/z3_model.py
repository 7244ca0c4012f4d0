"""Reading values out of a z3 model, which stays readable after its solver has gone on."""

from __future__ import annotations

import ctypes
from typing import Any

import z3

from ...errors import InternalError
from ..semantics import ModelValue, array_value
from ..term import ArraySort, BoolSort, IntSort, Sort
from .z3_context import Z3Context


class Z3Model:
    """A native model, counted as ours."""

    def __init__(self, context: Z3Context, model: Any) -> None:
        self._ref = context.ref
        self._model = model
        z3.Z3_model_inc_ref(self._ref, model)
        context.lend(self, model, z3.Z3_model_dec_ref)

    def value(self, ast: Any, sort: Sort) -> ModelValue:
        """The value of a term of the sort; a symbol that the model leaves open gets one."""
        out = (z3.Ast * 1)()
        if not z3.Z3_model_eval(self._ref, self._model, ast, True, out):
            raise InternalError("z3 cannot evaluate a term in its own model")
        result = out[0]
        z3.Z3_inc_ref(self._ref, result)
        try:
            return self._parse(result, sort)
        finally:
            z3.Z3_dec_ref(self._ref, result)

    def _parse(self, ast: Any, sort: Sort) -> ModelValue:
        if isinstance(sort, ArraySort):
            return self._array(ast, sort)
        if isinstance(sort, BoolSort):
            truth = z3.Z3_get_bool_value(self._ref, ast)
            if truth == z3.Z3_L_UNDEF:
                raise InternalError("z3 gave no truth value")
            return int(truth == z3.Z3_L_TRUE)
        if z3.Z3_get_ast_kind(self._ref, ast) != z3.Z3_NUMERAL_AST:
            raise InternalError("z3 gave no number")
        small = ctypes.c_int64() if isinstance(sort, IntSort) else ctypes.c_uint64()
        read = z3.Z3_get_numeral_int64 if isinstance(sort, IntSort) else z3.Z3_get_numeral_uint64
        if read(self._ref, ast, ctypes.byref(small)):
            return int(small.value)
        return int(z3.Z3_get_numeral_string(self._ref, ast))

    def _array(self, ast: Any, sort: ArraySort) -> ModelValue:
        """Stores upon stores, the outermost counts, down to a constant array or a function."""
        ref = self._ref
        entries: dict[int, ModelValue] = {}
        while True:
            if z3.Z3_get_ast_kind(ref, ast) != z3.Z3_APP_AST:
                raise InternalError("z3 gave an array in an unknown form")
            app = z3.Z3_to_app(ref, ast)
            kind = z3.Z3_get_decl_kind(ref, z3.Z3_get_app_decl(ref, app))
            if kind == z3.Z3_OP_CONST_ARRAY:
                default = self._parse(z3.Z3_get_app_arg(ref, app, 0), sort.element)
                return array_value(default, entries, sort.index)
            if kind == z3.Z3_OP_AS_ARRAY:
                return self._function(z3.Z3_get_as_array_func_decl(ref, ast), entries, sort)
            if kind != z3.Z3_OP_STORE:
                raise InternalError("z3 gave an array in an unknown form")
            at = self._parse(z3.Z3_get_app_arg(ref, app, 1), sort.index)
            if not isinstance(at, int):
                raise InternalError("z3 gave an index that is no number")
            if at not in entries:
                entries[at] = self._parse(z3.Z3_get_app_arg(ref, app, 2), sort.element)
            ast = z3.Z3_get_app_arg(ref, app, 0)

    def _function(self, decl: Any, above: dict[int, ModelValue], sort: ArraySort) -> ModelValue:
        """An array that the model gives as the table of a function of one argument."""
        ref = self._ref
        table = z3.Z3_model_get_func_interp(ref, self._model, decl)
        z3.Z3_func_interp_inc_ref(ref, table)
        try:
            entries: dict[int, ModelValue] = {}
            for i in range(z3.Z3_func_interp_get_num_entries(ref, table)):
                entry = z3.Z3_func_interp_get_entry(ref, table, i)
                z3.Z3_func_entry_inc_ref(ref, entry)
                at = self._parse(z3.Z3_func_entry_get_arg(ref, entry, 0), sort.index)
                assert isinstance(at, int)
                entries[at] = self._parse(z3.Z3_func_entry_get_value(ref, entry), sort.element)
                z3.Z3_func_entry_dec_ref(ref, entry)
            default = self._parse(z3.Z3_func_interp_get_else(ref, table), sort.element)
            return array_value(default, {**entries, **above}, sort.index)
        finally:
            z3.Z3_func_interp_dec_ref(ref, table)
