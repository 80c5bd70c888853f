#!/bin/sh
# At each start, as in the official image: its files belong to a user that alone may read their folders.
set -e
chown -R valkey .
umask 077
exec setpriv --reuid=valkey --regid=valkey --clear-groups "$@"
