"""Trains the small reader: pages drawn and degraded as archives scan them, and the network on them.

Text and fonts come from a folder that is given; nothing of it is kept but the trained weights.
`leg` is what `make train-reader` runs. The order of the modules: alphabet, corpus, faces, manner,
sheet, makeup, matter, lie, targets, renderer (one page), feed (many, beside the trainer), scan
(degradation, on the card), trunk, heads, optimiser, state, leg; evaluate and export follow a leg.
"""
