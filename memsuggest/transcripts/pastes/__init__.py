"""Words in a typed message by whose they are: composed by the person, pasted, or in doubt."""
