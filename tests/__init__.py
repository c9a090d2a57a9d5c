"""The tests, as a package of their own: a library may bring one of the same name along."""
