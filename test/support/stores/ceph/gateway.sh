#!/usr/bin/env bash
# A real S3 server for tests: Ceph's gateway over one monitor and one storage daemon that keeps everything in memory.
# Debian's packages are unpacked into a folder and run from there; nothing is installed and no service is touched.
#
#   gateway.sh start PACKAGES RUN    prints "endpoint access-key secret" once the gateway answers
#   gateway.sh stop RUN              ends what runs in RUN, by the process ids that it noted there
#   gateway.sh serve PACKAGES RUN    starts it, and stops it when its standard input ends: whoever wants it may die as he likes
#
# PACKAGES keeps the unpacked packages between runs (about 300 MB), RUN everything of this one. Needs a Debian with apt, whose
# package lists are there (apt-get update).
set -euo pipefail

fail() {
  echo "Ceph's gateway cannot be had: $1" >&2
  [ ! -s "${2:-}" ] || tail -n 20 "$2" >&2
  exit 1
}

# Only a folder that is whole gets the name that later runs look for, however many unpack at once.
unpack() {
  local packages=$1 work
  [ ! -x "$packages/root/usr/bin/radosgw" ] || return 0
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || fail "this is no Debian, there is no apt-get"
  mkdir -p "$packages"
  work=$(mktemp -d "$packages/new.XXXXXX")
  mkdir -p "$work/archives/partial" "$work/root"
  # Nothing is installed, so the locks of whoever does install are no concern of ours.
  apt-get -y -qq -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Dir::Cache::archives="$work/archives" \
    --no-install-recommends --download-only --reinstall install radosgw ceph-mon ceph-osd ceph-common \
    >"$packages/apt.log" 2>&1 || fail "apt-get does not deliver its packages" "$packages/apt.log"
  for package in "$work"/archives/*.deb; do
    dpkg -x "$package" "$work/root" || fail "$(basename "$package") cannot be unpacked"
  done
  rm -rf "$work/archives"
  mv -T "$work/root" "$packages/root" 2>/dev/null || [ -x "$packages/root/usr/bin/radosgw" ] ||
    fail "the packages cannot be put into $packages"
  rm -rf "$work"
}

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Ports that nobody listens on: four for the daemon that picks its own, then the gateway's and the monitor's two.
choose_ports() {
  local first port
  for _ in $(seq 50); do
    first=$((20000 + RANDOM % 12000))
    for port in $(seq "$first" $((first + 15))); do is_free "$port" || continue 2; done
    echo "$first"
    return 0
  done
  fail "no ports are free"
}

configure() {
  local run=$1 root=$2 lib=$3 first=$4
  cat <<EOC
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon host = [v2:127.0.0.1:$((first + 13)),v1:127.0.0.1:$((first + 14))]
ms bind port min = $first
ms bind port max = $((first + 11))
auth cluster required = none
auth service required = none
auth client required = none
run dir = $run
pid file = $run/\$name.pid
admin socket =
log file = $run/\$name.log
mon data = $run/mon
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
mon data avail warn = 2
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd crush chooseleaf type = 0
plugin dir = $lib/ceph
erasure code dir = $lib/ceph/erasure-code
osd class dir = $lib/rados-classes
setuser match path =
[osd]
osd data = $run/osd
osd objectstore = memstore
memstore device bytes = 8589934592
# The gateway would wait five minutes for keys that nobody made.
[client.rgw]
auth client required = none
ms mon client mode = crc
# Without the second, each small answer waits 40 ms for an acknowledgement of its head.
rgw frontends = beast endpoint=127.0.0.1:$((first + 15)) tcp_nodelay=1
rgw dns name = localhost
rgw thread pool size = 64
# What was removed leaves the memory soon, and not after two hours.
rgw gc obj min wait = 5
rgw gc processor period = 5
rgw gc processor max time = 5
EOC
}

start() {
  local packages=$1 run=$2
  unpack "$packages"
  local root=$packages/root machine first port uuid said=$run/start.log
  machine=$(uname -m)-linux-gnu
  local lib=$root/usr/lib/$machine
  [ ! -e "$run/ceph.conf" ] || fail "$run was used before"
  mkdir -p "$run/mon" "$run/osd"
  export LD_LIBRARY_PATH=$root/lib/$machine:$lib:$lib/ceph:$root/usr/lib/ceph:$root/usr/lib
  export PATH=$root/usr/bin:$PATH PYTHONPATH=$root/usr/lib/python3/dist-packages CEPH_CONF=$run/ceph.conf
  first=$(choose_ports)
  port=$((first + 15))
  configure "$run" "$root" "$lib" "$first" >"$CEPH_CONF"
  step() { timeout 240 "$@" >>"$said" 2>&1 || fail "$1 did not do its part" "$said"; }

  step monmaptool --create --fsid "$(sed -n 's/^fsid = //p' "$CEPH_CONF")" \
    --addv a "[v2:127.0.0.1:$((first + 13)),v1:127.0.0.1:$((first + 14))]" "$run/monmap"
  step ceph-mon --mkfs -i a --monmap "$run/monmap"
  step ceph-mon -i a --public-addr 127.0.0.1
  uuid=$(cat /proc/sys/kernel/random/uuid)
  step ceph osd new "$uuid"
  step ceph-osd -i 0 --mkfs --osd-uuid "$uuid"
  step ceph osd crush add osd.0 1.0 host=localhost root=default
  step ceph-osd -i 0
  # Made now, so that no test waits for them with the first object.
  for pool in index data non-ec; do
    step ceph osd pool create "default.rgw.buckets.$pool" 8
    step ceph osd pool application enable "default.rgw.buckets.$pool" rgw
  done
  step radosgw -n client.rgw
  step radosgw-admin -n client.rgw user create --uid=test --display-name=test --access-key=testkey \
    --secret-key=testsecret --max-buckets=0
  for _ in $(seq 960); do
    ! is_free "$port" && echo "http://127.0.0.1:$port testkey testsecret" && return 0
    sleep 0.25
  done
  fail "it does not answer" "$said"
}

# A process id may have gone to somebody else since: only ours has this folder in its environment.
stop() {
  local run=$1 file pid
  for file in "$run"/*.pid; do
    pid=$(cat "$file" 2>/dev/null || true)
    [ -n "$pid" ] && grep -qaF "CEPH_CONF=$run/ceph.conf" "/proc/$pid/environ" 2>/dev/null || continue
    kill -KILL "$pid" 2>/dev/null || true
  done
}

# A trap runs when the function is over: its arguments are none of the function's by then.
serve() {
  served=$2
  trap 'stop "$served"; rm -rf "$served"' EXIT
  trap 'exit 1' INT TERM HUP
  start "$1" "$served"
  cat >/dev/null
}

packages=$(realpath -m "${2:-.}")
case "${1:-} $#" in
  "start 3") start "$packages" "$(realpath -m "$3")" ;;
  "serve 3") serve "$packages" "$(realpath -m "$3")" ;;
  "stop 2") stop "$packages" ;;
  *) fail "gateway.sh start PACKAGES RUN, gateway.sh serve PACKAGES RUN, or gateway.sh stop RUN" ;;
esac
