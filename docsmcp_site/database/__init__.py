"""The installation's database: how to reach it, run it if nobody else does, prepare it, back it up and restore it."""
