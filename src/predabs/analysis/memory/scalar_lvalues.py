"""The place in the program that a plain variable of the logic stands for."""

from __future__ import annotations

from ...errors import UnsupportedFeature
from ...ir.expr import Lvalue, Var
from .partition import Partition
from .record_scalars import RecordScalars
from .regions import Scalar


def lvalue_of(partition: Partition, var: Var) -> Lvalue:
    """The variable of the program, or the member of a record that has become one (`s.f`)."""
    declared = partition.points_to.addressed.declared
    if var.name in declared:
        return var
    leaves = RecordScalars(partition.program.records, partition.program.data_model)
    name = var.name
    while "." in name:
        name = name.rpartition(".")[0]
        for leaf in leaves.members(declared[name]) if name in declared else ():
            if partition.place(leaf) == Scalar(var):
                return leaf
    raise UnsupportedFeature(f"{var.name} is no variable of the program")
