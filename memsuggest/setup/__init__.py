"""Looking after the tool itself: settings, doctor, the bundled example, the schemas of its JSON."""
