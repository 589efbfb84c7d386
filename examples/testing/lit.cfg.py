"""Tests of your own programs with lit and FileCheck (docs/testing.md).

Copy this folder, put programs beside it, and run:  lit -v .
OCCC names another compiler than the one on the path; FILECHECK another FileCheck."""

import os
import shutil

import lit.formats

config.name = "my-occam-programs"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".occ"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "Output")

occc = os.environ.get("OCCC") or shutil.which("occc") or "occc"
filecheck = os.environ.get("FILECHECK") or shutil.which("FileCheck") or shutil.which("FileCheck-19")
config.substitutions.append(("%check", (filecheck or "FileCheck") + " %s"))
config.substitutions.append(("%run", "timeout 60 " + occc + " run"))
config.substitutions.append(("%occc", occc))

# A fixed seed and virtual time: what a program prints is the same in every run.
config.environment["OCC_SEED"] = os.environ.get("OCC_SEED", "1")
config.environment["OCC_TIME"] = "virtual"
config.environment["NO_COLOR"] = "1"
for name in ("HOME", "XDG_CACHE_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
