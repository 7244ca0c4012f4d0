"""The interval analysis of scalar integers."""
