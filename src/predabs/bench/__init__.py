"""Many tasks, several tools: run them under limits, keep the answers, and compare them."""
