# Sourced by every step. It starts the step again in an empty home, so that nothing is found there
# which a new machine has not: no caches, no data, no EAI_* variable. Of the user's settings only
# those of pip are kept, because without them some machines cannot install anything.
#
# One folder, $CI_WORK, has all that is made; steps that `.ci/run` starts share it.
set -euo pipefail

if [ -z "${CI_WORK:-}" ]; then
  script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  home=$work/home
  mkdir -p "$home" "$work/skips"
  for file in .config/pip/pip.conf .pip/pip.conf pip/pip.ini "Library/Application Support/pip/pip.conf"; do
    if [ -f "$HOME/$file" ]; then mkdir -p "$(dirname "$home/$file")" && cp "$HOME/$file" "$home/$file"; fi
  done
  if [ -f "${XDG_CONFIG_HOME:-}/pip/pip.conf" ]; then
    mkdir -p "$home/.config/pip" && cp "$XDG_CONFIG_HOME/pip/pip.conf" "$home/.config/pip/"
  fi
  kept=("CI_WORK=$work" "HOME=$home" "USERPROFILE=$home" "APPDATA=$home" "LOCALAPPDATA=$home")
  kept+=("EAI_CACHE=$home/eai" "PYENV_ROOT=${PYENV_ROOT:-$HOME/.pyenv}")
  for name in $(compgen -e); do
    case $name in
      PATH | LANG | LC_* | TERM | TMPDIR | TMP | TEMP) ;;                      # where programs are, and how they talk
      PIP_* | SSL_CERT_FILE | SSL_CERT_DIR | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE) ;; # pip, and its certificates
      HTTP_PROXY | HTTPS_PROXY | NO_PROXY | http_proxy | https_proxy | no_proxy) ;;
      SYSTEMROOT | SystemRoot | COMSPEC | ComSpec | PATHEXT | WINDIR | windir | OS) ;; # without them Windows starts nothing
      *) continue ;;
    esac
    kept+=("$name=${!name}")
  done
  # Most modules are never imported: pip compiles nothing, as its option --no-compile says (0 is right).
  kept+=("PIP_NO_COMPILE=0")
  status=0
  env -i "${kept[@]}" bash "$script" "$@" </dev/null || status=$?
  exit "$status"
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
step=$(basename "$0")
skips=$CI_WORK/skips/$step # how many tests of this step were skipped, and why
copy=$CI_WORK/copy         # a copy of this clone to run the README's commands in
tools=$CI_WORK/tools       # the environment with the extra `dev`
# The README's test command makes most of one, which the step `test` completes.
if [ -f "$copy/.venv-test/complete" ]; then tools=$copy/.venv-test; fi

# python_in FOLDER: the Python of a virtual environment.
python_in() {
  if [ -d "$1/Scripts" ]; then echo "$1/Scripts/python"; else echo "$1/bin/python"; fi
}

# environment FOLDER PYTHON REQUIREMENT...: make a virtual environment, unless it is there already.
environment() {
  local folder=$1 python=$2
  shift 2
  if [ -f "$folder/complete" ]; then return; fi
  make_pip &&
    "$python" -m venv --without-pip "$folder" &&
    "$pip" -m pip --python "$(python_in "$folder")" install --quiet "$@" &&
    touch "$folder/complete"
}

# make_pip: a Python whose pip installs into all environments, as $pip: to give each a pip of its own
# takes longer than to install most packages. It is upgraded, as an old one does not run on newer Pythons.
make_pip() {
  pip=$(python_in "$CI_WORK/pip")
  if [ -f "$CI_WORK/pip/complete" ]; then return; fi
  python3 -m venv "$CI_WORK/pip" &&
    pip=$(python_in "$CI_WORK/pip") &&
    "$pip" -m pip install --quiet --upgrade pip &&
    touch "$CI_WORK/pip/complete"
}

# make_tools: the environment with the extra `dev`, with the pip that fetches data.
make_tools() {
  environment "$tools" python3 ".[dev]" pip
}

# fetch_data: the official data, into the cache of the empty home.
fetch_data() {
  "$(python_in "$tools")" -m eai data fetch eai
}

# make_wheel: the wheel of this clone, as $wheel.
make_wheel() {
  if [ ! -d "$CI_WORK/dist" ]; then
    make_pip
    "$pip" -m pip wheel --quiet --no-deps --wheel-dir "$CI_WORK/dist" .
  fi
  wheel=$(echo "$CI_WORK"/dist/*.whl)
}

# make_copy: the copy of this clone, in which the README's commands make environments and files.
# Python copies, as tar fails where another program makes a file in the clone at the same time; and
# a copy has its name only when it is whole.
make_copy() {
  if [ -d "$copy" ]; then return; fi
  rm -rf "$copy.part"
  python3 - "$copy.part" <<'END' && mv "$copy.part" "$copy"
import shutil, sys

made = shutil.ignore_patterns(".venv*", ".*_cache", "__pycache__", "*.egg-info")
made_at_the_root = {".git", "build", "dist", "runs"}

def left_out(folder, names):
    return made(folder, names) | (made_at_the_root if folder == "." else set())

shutil.copytree(".", sys.argv[1], symlinks=True, ignore=left_out)
END
}

# readme_command NAME: the block of the README behind the comment `<!-- ci: NAME -->`. awk reads to
# the end of the file: if it stopped behind the block, `tr` could fail because nobody reads any more.
readme_command() {
  tr -d '\r' <README.md | awk -v marker="<!-- ci: $1 -->" '
    $0 == "```" { inside = 0 }
    inside { print }
    marked && $0 == "```sh" { inside = 1 }
    { marked = ($0 == marker) }' | if [ "${OS:-}" = Windows_NT ]; then sed 's,/bin/,/Scripts/,g; s/python3/python/g'; else cat; fi
}

# run_readme NAME: do as the README says, in the copy.
run_readme() {
  local command
  command=$(readme_command "$1")
  if [ -z "$command" ]; then echo "README.md has no command behind <!-- ci: $1 -->"; exit 1; fi
  make_copy
  printf '+ %s\n' "$command"
  (cd "$copy" && bash -e -c "$command")
}

# find_python VERSION: a Python of this version that can make environments; nothing if there is none.
find_python() {
  local found is_usable='import ensurepip, sys; sys.exit("%d.%d" % sys.version_info[:2] != sys.argv[1])'
  for found in "python$1" "$PYENV_ROOT/versions/$1".*/bin/python python3; do
    if "$found" -c "$is_usable" "$1" 2>/dev/null; then
      echo "$found"
      return
    fi
  done
}
