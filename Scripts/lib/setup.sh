# Functions for all scripts: the requirements and the build.
# Source it with bash, with `root` set to the folder of the package.

# The exit status of sysexits.h for "a service is not available".
unavailable=69

# Prints a message on standard error, because standard output belongs to the program.
say() { printf 'kura: %s\n' "$*" >&2; }

require_swift() {
  command -v swift >/dev/null 2>&1 && return
  say "Swift is not installed. Get version 6.2 or later from https://www.swift.org/install"
  exit $unavailable
}

has_header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]; }

# Runs a command as root: directly, or with sudo, which asks for a password only on a terminal.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif ! command -v sudo >/dev/null 2>&1; then
    return 1
  elif [ -t 2 ]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

# Asks whether to run a command. Succeeds without asking in CI and without a terminal.
agrees() {
  local answer
  [ -t 0 ] && [ -t 2 ] && [ -z "${CI-}" ] || return 0
  printf 'kura: %s? [Y/n] ' "$1" >&2
  read -r answer || return 1
  case $answer in '' | [yY]*) ;; *) return 1 ;; esac
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q "$@" \
    </dev/null >>"$log" 2>&1
}

# Libraries that are part of macOS. On Linux, their headers are separate packages.
require_libedit() { require_library libedit histedit.h libedit-dev libedit-devel; }
# Only the tests need SQLite: they compare its results with those of Kura.
require_sqlite() { require_library SQLite sqlite3.h libsqlite3-dev sqlite-devel; }

# require_library NAME HEADER PACKAGE OTHER: requires a library; PACKAGE is its name in Debian, OTHER elsewhere.
require_library() {
  local name=$1 header=$2 package=$3 other=$4
  [ "$(uname -s)" = Linux ] || return 0
  has_header "$header" && return
  if ! command -v apt-get >/dev/null 2>&1; then
    say "the headers of $name are missing; install $other, $package or a similar package"
    exit $unavailable
  fi
  agrees "$name is missing. Install it with apt-get install $package" || {
    say "to install it yourself: apt-get install $package"
    exit $unavailable
  }
  say "installing $package"
  mkdir -p "$build"
  : >"$log"
  apt_install "$package" && return
  # The package list may be out of date or empty.
  as_root apt-get update -q </dev/null >>"$log" 2>&1 && apt_install "$package" && return
  say "$package could not be installed; run as an administrator: apt-get install $package"
  say "apt-get's messages are in $log"
  exit $unavailable
}

require_all() {
  require_swift
  require_libedit
}

# Prints the arguments of a release build. On Linux the runtime is linked statically, so the program
# starts in half the time, and on machines without Swift. The addresses are fixed by the linker,
# because relocating a hundred thousand of them took most of the start time. Debug symbols are removed.
release_arguments() {
  printf '%s\n' --package-path "$root" --scratch-path "$build" -c release --product kura
  # The compiler provides the conformances of generic types. Otherwise the runtime searches the whole
  # binary for each of them, which took half of the start time.
  printf -- '-Xswiftc\n%s\n' -Xfrontend -disable-concrete-type-metadata-mangled-name-accessors
  [ "$(uname -s)" = Linux ] || return 0
  printf '%s\n' --static-swift-stdlib -Xlinker -s -Xlinker --no-pie
  link_archives
}

# Links libraries statically if their archives exist. Each shared library adds about 0.1 ms to the start.
link_archives() {
  printf '%s\n' -Xlinker "-L$build/archives"
  link_archive libstdc++.a || :
  if link_archive libtinfo.a && link_archive libbsd.a && link_archive libmd.a &&
    link_archive libedit.a; then
    printf -- '-Xlinker\n%s\n' -ltinfo -lbsd -lmd
  fi
  if link_archive libgcc_eh.a; then
    printf -- '-Xswiftc\n%s\n' -Xclang-linker -static-libgcc
  fi
}

# link_archive NAME: links a library of the C compiler statically if its archive exists. The folder
# contains only the archive, so the linker finds it first.
link_archive() {
  local archive
  archive=$(clang -print-file-name="$1" 2>/dev/null) && [ -e "$archive" ] || return 1
  mkdir -p "$build/archives" && ln -sf "$archive" "$build/archives/$1"
}

# Matches the module and the steps in a line of SwiftPM: [12/60] Compiling KuraGraph Graph.swift
step_of_build='^\[([0-9]+)/([0-9]+)\] [A-Z][a-z]+ ([A-Za-z_]+)'

# Copies standard input to the log. On a terminal, one line shows the progress of the build.
show_progress() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    printf '%s\n' "$line"
    [ -t 2 ] && [[ $line =~ $step_of_build ]] || continue
    printf '\r\033[Kkura: building %s, %d steps left' \
      "${BASH_REMATCH[3]}" $((BASH_REMATCH[2] - BASH_REMATCH[1])) >&2
  done >>"$log"
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Runs `swift build`; if it fails, shows the errors and names the log.
logged_build() {
  mkdir -p "$build"
  : >"$log"
  swift build "$@" </dev/null 2>&1 | show_progress && return
  grep -E 'error:' "$log" | sort -u | head -n 20 >&2 || :
  say "the build failed; its messages are in $log"
  return 1
}

# Checks the limit of the address space. If the program does not fit, the system ends it without a message.
check_memory() {
  local limit size
  limit=$(ulimit -v)
  [ "$limit" != unlimited ] || return 0
  size=$(wc -c <"$binary")
  [ "$limit" -lt $((size / 1024)) ] || return 0
  say "the memory limit of $limit KB (ulimit -v) is too small: the program needs more than $((size / 1024)) KB"
  exit 1
}

# Whether the binary is newer than all of its sources. An added or removed file changes the time of its
# folder.
is_up_to_date() {
  [ -x "$binary" ] && [ -e "$stamp" ] || return 1
  find "${made_of[@]/#/$root/}" -newer "$stamp" -exec false {} +
}

build_release() {
  local arguments=() line
  # The flags contain this path: a different spelling would rebuild everything.
  root=$(cd "$root" && pwd -P)
  set_paths
  require_all
  while IFS= read -r line; do arguments+=("$line"); done < <(release_arguments)
  say "building; the first time takes a few minutes"
  mkdir -p "$build"
  # The stamp has the time before the build, so a file that is saved during the build is built next time.
  : >"$stamp.new.$$"
  if ! KURA_BUILD=release logged_build "${arguments[@]}"; then
    rm -f "$stamp.new.$$"
    exit $unavailable
  fi
  mv -f "$stamp.new.$$" "$stamp"
}

set_paths() {
  build=$root/.build
  binary=$build/release/kura
  stamp=$build/kura-release.stamp
  log=$build/kura-build.log
}

# The binary contains the lessons and their stores too.
made_of=(Package.swift Sources Examples/Lessons)
set_paths
