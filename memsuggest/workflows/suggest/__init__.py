"""Making the suggestions that wait: planned from facts and files, kept, and planned anew after each decision."""
