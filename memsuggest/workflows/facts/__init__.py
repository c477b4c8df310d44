"""Facts by hand and in git: the stores, changes to them, the limits, merging branches, consolidation."""
