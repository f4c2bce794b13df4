"""The scripts of experiments/ can be imported as they import each other."""

import sys

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "experiments"))
