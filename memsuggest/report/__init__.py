"""One page about a workspace: gathering what it says, what of it a team may see, and writing it."""
