"""Rules that customization files have already, asked about a rule."""
