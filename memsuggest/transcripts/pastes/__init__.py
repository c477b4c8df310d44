"""Whose words a typed message consists of: what the person composed, what they pasted, and what is in doubt."""
