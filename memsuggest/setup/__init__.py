"""`setup`: finds the assistants here, shows what each could have, writes what the person chooses."""
