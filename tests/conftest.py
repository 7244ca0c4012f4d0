"""Settings for all tests: the same examples every time, and no time limit for one of them.

`HYPOTHESIS_PROFILE=search` looks for new counterexamples instead.
"""

import os

from hypothesis import settings

settings.register_profile("predabs", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "predabs"))
