"""The examples are tests too: each says at its head how it is run and what it prints."""

import os

lit_config.load_config(
    config, os.path.join(os.path.dirname(__file__), "..", "test", "lit.cfg.py")
)
config.name = "examples"
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_exec_root, "examples")
config.excludes = ["testing"]
