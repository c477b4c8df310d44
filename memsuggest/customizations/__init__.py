"""Customization files: where they are, what they hold, when they apply."""
