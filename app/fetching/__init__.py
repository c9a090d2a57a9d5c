"""Books that lie on a server: a IIIF manifest read, and its images fetched when a person orders it.

Nothing else of the program uses the network, and this does for the one address that was given and
for the servers that its manifest names, after these have been shown.
"""
