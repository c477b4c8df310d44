"""References of customization files to things that are gone: what there is, and how it went. Pure."""
