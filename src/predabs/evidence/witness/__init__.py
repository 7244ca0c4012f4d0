"""Witnesses in the exchange format 2.0 of SV-COMP [ABL+24]: written, read and validated."""
