"""From a fact to an exact edit: match, place, merge, diff; decisions and the journal."""
