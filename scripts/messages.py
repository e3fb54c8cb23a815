"""The texts of the project, as GNU gettext finds them in its sources.

Run by itself (`make messages`) it takes new texts into locale/ and compiles the catalogues.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ("zh_Hans", "zh_Hant", "ru", "ja")
DOMAINS = ("django", "djangojs")  # what Python and templates say; what the page's modules say

# No reader meets these.
IGNORED = ("benchmarks", "build", "docs", "scripts", "tests", "var", "vendor")


class GettextMissing(Exception):
    def __str__(self) -> str:
        return "GNU gettext is missing: install gettext (apt-get install gettext)"


def make_messages(root: Path, *, keep_pot: bool = False) -> None:
    """Brings the catalogues below `root` up to the sources there. With `keep_pot`, what was
    found stays in locale/<domain>.pot. Raises `GettextMissing`, `CalledProcessError`."""
    if shutil.which("xgettext") is None:
        raise GettextMissing()
    (root / "locale").mkdir(exist_ok=True)
    arguments = [f"--locale={locale}" for locale in LOCALES]
    for ignored in IGNORED:
        arguments += ["--ignore", ignored, "--ignore", f"*/{ignored}"]
    if keep_pot:
        arguments.append("--keep-pot")
    for domain in DOMAINS:
        django(
            root, "makemessages", f"--domain={domain}", "--add-location=file", "--no-obsolete",
            *arguments,
        )  # fmt: skip


def compile_messages(root: Path) -> None:
    django(root, "compilemessages", *[f"--locale={locale}" for locale in LOCALES])


def django(folder: Path, command: str, *arguments: str) -> None:
    """Without settings: the folder alone counts. Raises `CalledProcessError`."""
    environment = {**os.environ}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    subprocess.run(
        [sys.executable, "-m", "django", command, *arguments],
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


if __name__ == "__main__":
    try:
        make_messages(ROOT)
        compile_messages(ROOT)
    except GettextMissing as missing:
        sys.exit(str(missing))
    except subprocess.CalledProcessError as error:
        sys.exit(error.stdout)
