"""Memory across chats: layers, recall, identity, the archive, and what each app remembers."""
