"""How fast it is: the engine beside OpenSpiel in one run, tables, and sandboxes. `make bench`."""
