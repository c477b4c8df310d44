"""A Graphiti server at a workspace: permission, trying it, and what goes there and comes back."""
