"""Graphiti: a team's memory in a temporal graph, on a server that somebody runs; everything that speaks its wire."""
