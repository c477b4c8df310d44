"""What customization files say already, asked about a rule."""
