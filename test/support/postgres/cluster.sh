#!/usr/bin/env bash
# PostgreSQL from Debian's packages, on a folder and a port of its own. It keeps nothing: what is written is not flushed.
#
#   cluster.sh serve RUN PORT           starts it, says "ready", and ends it when the input ends
#   cluster.sh serve RUN PORT PRIMARY   the same as a standby of the one at that port
#   cluster.sh start RUN                starts it again
#   cluster.sh stop RUN MODE            stops it: fast, or immediate as a crash is
#   cluster.sh promote RUN              makes a standby the primary
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || { echo "apt-get install postgresql first" >&2; exit 1; }
run=$(realpath -m "$2")

# PostgreSQL refuses to be started by root.
as() {
  cd /
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi
}

start() { as "$bin/pg_ctl" -D "$run/data" -w -t 240 -l "$run/log" start >>"$run/said" 2>&1; }
stop() { as "$bin/pg_ctl" -D "$run/data" -w -t 240 -m "$1" stop >>"$run/said" 2>&1; }

make() {
  as "$bin/initdb" -D "$run/data" -U satchel -A trust -E UTF8 --locale=C.UTF-8 --no-sync >>"$run/said" 2>&1
  # One who has to say a password.
  { echo "host all guarded 127.0.0.1/32 scram-sha-256"; cat "$run/data/pg_hba.conf"; } >"$run/hba"
  cat "$run/hba" >"$run/data/pg_hba.conf"
  as tee -a "$run/data/postgresql.conf" >/dev/null <<CONFIG
listen_addresses = '127.0.0.1'
max_connections = 300
fsync = off
full_page_writes = off
CONFIG
}

follow() {
  as "$bin/pg_basebackup" -D "$run/data" -d "host=127.0.0.1 port=$1 user=satchel" -R --checkpoint=fast --no-sync \
    >>"$run/said" 2>&1
}

serve() {
  local port=$1
  [ "$(id -u)" != 0 ] || chown postgres "$run"
  as touch "$run/said"
  trap 'stop immediate || true; rm -rf "$run"' EXIT
  trap 'exit 1' INT TERM HUP
  if [ -n "$2" ]; then follow "$2"; else make; fi
  echo "port = $port" | as tee -a "$run/data/postgresql.conf" >/dev/null
  echo "unix_socket_directories = '$run'" | as tee -a "$run/data/postgresql.conf" >/dev/null
  start
  echo ready
  cat >/dev/null
}

case "$1" in
  serve) serve "$3" "${4:-}" ;;
  start) start ;;
  stop) stop "$3" ;;
  promote) as "$bin/pg_ctl" -D "$run/data" -w -t 240 promote >>"$run/said" 2>&1 ;;
esac
