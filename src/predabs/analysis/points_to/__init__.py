"""The points-to analysis: inclusion constraints over objects with byte offsets."""
