"""`python -m tests.solver.interpreted …`: the solver's command line with the interpreted kernel,
also where a compiled one lies beside its sources."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from tests.serving import ROOT


class SourcesFirst(MetaPathFinder):
    """Finds the kernel's sources; Python's own finder prefers extension modules."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith("solver.kernel."):
            return None
        return spec_from_file_location(name, Path(ROOT, *name.split(".")).with_suffix(".py"))


if __name__ == "__main__":
    sys.meta_path.insert(0, SourcesFirst())
    from solver.__main__ import main

    sys.exit(main())
