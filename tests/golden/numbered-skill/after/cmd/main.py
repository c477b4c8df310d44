NAME = "lantern"
