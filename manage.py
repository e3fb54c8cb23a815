#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

if __name__ == "__main__":  # the solver's worker imports this too, under another name
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")
    execute_from_command_line(sys.argv)
