"""Judging by a model or offline: the two questions, who is asked, with whose consent, at what cost."""
