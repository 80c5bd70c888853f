"""Runs one Swift server in the foreground: run_server.py <directory> <kind>, where the directory
holds swift.conf and <kind>-server.conf. Swift's own commands read swift.conf from /etc only."""

import os
import sys

from swift.common import utils

directory, kind = sys.argv[1:]
utils.set_swift_dir(directory)

# Only now: these modules read swift.conf when they are imported.
from swift.common.wsgi import run_wsgi

configuration = os.path.join(directory, kind + "-server.conf")
sys.exit(run_wsgi(configuration, kind + "-server", verbose=True))
