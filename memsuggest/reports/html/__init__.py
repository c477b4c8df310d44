"""A report as one page of HTML that needs nothing else: its style, its script and its charts are in it."""
