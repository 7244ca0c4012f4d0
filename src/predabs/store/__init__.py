"""The store: one SQLite file with what checks have found out, for checks that come later."""
