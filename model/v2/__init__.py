"""What Unlimited-OCR-2 has and its first version has not, as three small parts.

`dash_router` chooses which blocks of 32 tokens a query reads (SR-SWA with a trained router, called
DASH), `page_frames` gives every token its place inside its page, `page_guard` holds the number of
page sections to the number of pages. `twins` has each of them a second time, slow and plain.

The outline of these parts is public, their constants partly are not. So nothing stands here as a
default: every number and every choice comes from the checkpoint's `config.json`, and a checkpoint
that lacks one is refused by the name of the key (`model.v2.config`). No checkpoint is read with
these parts until they were compared with the checkpoint's own code, token for token.
"""
