NAME = "sundial"
