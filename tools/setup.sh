#!/usr/bin/env bash
# What must be installed before anything runs? QEMU from Debian, and a virtual environment with the pinned packages.
# For the tests, a browser from Debian.
#
#     bash tools/setup.sh VENV | --browser
set -eu
venv=$1
python=${PYTHON:-python3}

say() { echo "setup: $*"; }

# Install Debian packages, or tell how.
debian() {
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        say "installing $* with apt-get"
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends "$@" > /dev/null
    else
        say "missing: run \`sudo apt-get install -y $*\`, then again"
        exit 1
    fi
}

if [ "$venv" = --browser ]; then
    command -v chromium > /dev/null || debian chromium
    exit
fi

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { say "Python 3.11 or later is needed"; exit 1; }
command -v qemu-system-aarch64 > /dev/null || debian qemu-system-arm
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
"$python" -c 'import ensurepip' 2> /dev/null || debian "python$version-venv"

say "packages of pyproject.toml into $venv"
"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[all]"
say "ready"
