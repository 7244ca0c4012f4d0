"""What an earlier check has learned, checked again."""
