#!/bin/sh
# Installs what the tests start by themselves where it is missing: PostgreSQL, Redis, nginx, OpenSSL, and Chromium unless
# $CHROMIUM names one. Says nothing if all is there.
set -eu

found() {
    for place in "$@"; do
        if [ -x "$place" ] || command -v "$place" >/dev/null 2>&1; then return 0; fi
    done
    return 1
}

missing=""
found postgres /usr/lib/postgresql/*/bin/postgres || missing="$missing postgresql"
found redis-server /usr/sbin/redis-server || missing="$missing redis-server"
found nginx /usr/sbin/nginx || missing="$missing nginx"
found openssl || missing="$missing openssl"
found "${CHROMIUM:-/usr/bin/chromium}" || missing="$missing chromium"
[ -n "$missing" ] || exit 0

command="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "The tests need$missing. On Debian or Ubuntu:" >&2
    echo "    sudo $command" >&2
    exit 1
fi

echo "Installing$missing"
export DEBIAN_FRONTEND=noninteractive
case "$missing" in *postgresql*)
    # the package would make a database of its own and start it
    if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
        mkdir -p /etc/postgresql-common
        echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
    fi
esac
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get -q update && $command; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "Could not install$missing" >&2
    exit 1
fi

# What the packages started is not ours to leave running.
if [ -d /run/systemd/system ]; then
    for service in $missing; do
        [ "$service" = postgresql ] || systemctl --quiet disable --now "$service" >/dev/null 2>&1 || true
    done
else
    for service in $missing; do
        [ "$service" = postgresql ] || invoke-rc.d --quiet "$service" stop >/dev/null 2>&1 || true
    done
fi
