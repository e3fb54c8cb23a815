"""Makes .venv and fills it from a lock file in requirements/: `environment.py runtime|dev`.

`dev` holds all of `runtime`. Once an install is through, a stamp in .venv says which file it was
of, by its hash, so that the next call has nothing to do; an install that was broken off is done
again. Runs in any Python from 3.11 on, before anything is installed.
"""

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed.json"
SETS = {"runtime": ("runtime", "dev"), "dev": ("dev",)}  # what each may be found in


def main(wanted: str) -> None:
    with_lock_on(ROOT)
    if Path(sys.prefix) != VENV:  # it is not there, or not whole
        say(f"Making {VENV.name} with Python {sys.version.split()[0]} …")
        venv.create(VENV, clear=True, with_pip=True)
    if not any(is_installed(name) for name in SETS[wanted]):
        install(wanted)
    subprocess.run(
        [str(VENV / "bin" / "python"), "scripts/compile_solver.py"], cwd=ROOT, check=True
    )


def with_lock_on(folder: Path) -> None:
    """Two calls at once take turns; the lock goes when this process ends."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Waiting for another make to finish installing …")
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def is_installed(name: str) -> bool:
    try:
        stamp = json.loads(STAMP.read_text())
    except (FileNotFoundError, ValueError):
        return False
    return bool(stamp.get(name) == digest(lock_file(name)))


def install(name: str) -> None:
    source = lock_file(name)
    count = sum(line[:1].isalnum() for line in source.read_text().splitlines())
    say(f"Installing {count} packages from {source.relative_to(ROOT)}, once …")
    started = time.monotonic()
    STAMP.unlink(missing_ok=True)
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run([*pip, "install", "-qq", "--require-hashes", "-r", str(source)])
    if done.returncode:
        sys.exit(f"The install from {source.relative_to(ROOT)} failed; see above.")
    STAMP.write_text(json.dumps({name: digest(source)}))
    say(f"Installed in {time.monotonic() - started:.0f} s.")


def lock_file(name: str) -> Path:
    return ROOT / "requirements" / f"{name}.txt"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
