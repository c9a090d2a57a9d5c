"""The book and what is done with it. Knows nothing of Qt or torch; of `model` only `model.api`."""
