"""The lazy engine: an abstract reachability tree, refined from the pivot on."""
