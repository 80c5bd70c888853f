#!/bin/sh
set -e
programs=/opt/postgres/bin
data=/var/lib/postgresql/18/docker
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
# At each start, as in the official image.
mkdir -p "$data"
chmod 700 "$data"
chown -R postgres "$data"
if [ ! -s "$data/PG_VERSION" ]; then
  as_postgres "$programs/initdb" -D "$data" -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-host=scram-sha-256 --auth-local=trust -E UTF8 >/dev/null
  echo "host all all all scram-sha-256" >>"$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" |
    as_postgres "$programs/postgres" --single -D "$data" postgres >/dev/null
fi
# The command of the official image names the program.
[ "$1" = postgres ] && shift
exec setpriv --reuid=postgres --regid=postgres --clear-groups "$programs/postgres" -D "$data" \
  -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
