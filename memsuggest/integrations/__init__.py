"""Meeting points with other programs."""
