#!/usr/bin/env bash
# Makes what marking needs, once, as root, on Debian or Ubuntu: Python, an environment with the pinned packages beside
# this folder, a sandbox; closes this folder to all others; and marks the solutions, to see that all of it works.
umask 022
export DEBIAN_FRONTEND=noninteractive
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
environment=$(dirname "$source")/environment
export MPLCONFIGDIR=$source/.matplotlib
cpu_wheels=https://download.pytorch.org/whl/cpu

fail() {
  printf '\nSET-UP FAILED: %s\n' "$*"
  exit 1
}
install() {
  apt-get install -y --no-install-recommends "$@"
}

cd "$source" || fail "$source cannot be entered."
chmod -R go= "$source" || fail "$source cannot be closed to students' code: run this as root."
command -v apt-get >/dev/null || fail "There is no apt-get here: choose a base image of Ubuntu."
apt-get update || fail "The lists of packages could not be fetched. Try again later."
install python3 ca-certificates || fail "Python could not be installed. Try again later."
python=python3
new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
if python3 -c "$new_enough"; then
  install python3-venv || fail "python3-venv could not be installed. Try again later."
else
  python=python3.11
  install python3.11 python3.11-venv || fail "There is no Python 3.11 or newer here: choose a newer base image."
fi
install bubblewrap || echo "There is no bubblewrap: answers will run as another user."

$python -m venv --clear "$environment" || fail "The environment could not be made."
python=$environment/bin/python
pip="$python -m pip --disable-pip-version-check install --no-cache-dir --no-compile"
if $python -c "import urllib.request as r; r.urlopen('$cpu_wheels/torch/', timeout=5)" 2>/dev/null; then
  $pip --index-url $cpu_wheels "$(grep '^torch==' requirements.txt)" || fail "torch could not be installed."
else
  echo "The index of CPU builds does not answer: taking the torch that pip finds, which may bring gigabytes."
fi
$pip -r requirements.txt || fail "The packages could not be installed: what stands above says why."
$python -m compileall -qq -j 0 "$environment/lib" || true  # fails for files of other versions, which some have

$python -m grading.gradescope_run "$source/.." --trial || fail "The trial failed: what stands above says why."
chmod -R go= "$source"
echo "The autograder is ready."
