"""The page that `--report` writes."""
