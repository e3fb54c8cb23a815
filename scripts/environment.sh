#!/bin/sh
# environment.sh runtime|dev: make .venv and fill it from requirements/, unless it is there already.
#
# This finds a Python that can do it; environment.py, run by that Python, does it.
set -eu
cd "$(dirname "$0")/.."

# Python's own account of what keeps it from making the environment; nothing if it can.
objection='
import sys
if sys.version_info < (3, 11):
    print("is Python %d.%d" % sys.version_info[:2])
else:
    try:
        import ensurepip, venv
    except ImportError:
        print("has no ensurepip: install python%d.%d-venv" % sys.version_info[:2])
'
# The environment is whole: its own Python, of a version that is good, with its own pip.
whole='import sys, pip; sys.exit(sys.version_info < (3, 11) or sys.prefix == sys.base_prefix)'

find_python() {
    refused=
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
        path=$(command -v "$name") || continue
        answer=$("$path" -c "$objection" 2>&1) || continue # a stand-in for one not installed
        [ -n "$answer" ] || return 0
        refused="$refused
  $path $answer"
    done
    cat >&2 <<TEXT
This needs Python 3.11 or newer with its venv module, and found ${refused:-none.}
On Debian and Ubuntu:  apt-get install python3 python3-venv
On Fedora:             dnf install python3
On macOS:              brew install python3
TEXT
    exit 1
}

path=.venv/bin/python
"$path" -c "$whole" >/dev/null 2>&1 || find_python
exec "$path" scripts/environment.py "$1"
