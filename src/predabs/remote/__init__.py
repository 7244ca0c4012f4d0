"""The engines of one check on the workers of a cluster."""
