# Shared by the scripts: what they need of the machine, and the build.
# To be sourced by bash with `root` set to the folder of the package.

# The exit status of sysexits.h for "a service is not available".
unavailable=69

# Says something to the person, never on stdout: that belongs to the program.
say() { printf 'kura: %s\n' "$*" >&2; }

require_swift() {
  command -v swift >/dev/null 2>&1 && return
  say "Swift is not installed. Get version 6.2 or later from https://www.swift.org/install"
  exit $unavailable
}

has_header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]; }

# Runs a command as root: as it is, or with sudo, which asks on a terminal only.
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

# Whether a person agrees to a command, when there is a person to ask: not in CI and not without a terminal.
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

# Libraries that belong to macOS; on Linux their headers are packages of their own.
require_libedit() { require_library libedit histedit.h libedit-dev libedit-devel; }
# Wanted by the tests alone, which ask SQLite the same questions.
require_sqlite() { require_library SQLite sqlite3.h libsqlite3-dev sqlite-devel; }

# require_library NAME HEADER PACKAGE OTHER: the package of Debian, and what it is called elsewhere.
require_library() {
  local name=$1 header=$2 package=$3 other=$4
  [ "$(uname -s)" = Linux ] || return 0
  has_header "$header" && return
  if ! command -v apt-get >/dev/null 2>&1; then
    say "the headers of $name are missing; install them ($other, $package or the like)"
    exit $unavailable
  fi
  agrees "$name is missing. Install it with apt-get install $package" || {
    say "install it yourself: apt-get install $package"
    exit $unavailable
  }
  say "installing $package"
  mkdir -p "$build"
  : >"$log"
  apt_install "$package" && return
  # The list of packages may be old or empty.
  as_root apt-get update -q </dev/null >>"$log" 2>&1 && apt_install "$package" && return
  say "$package could not be installed; run as an administrator: apt-get install $package"
  say "apt-get's messages are in $log"
  exit $unavailable
}

require_all() {
  require_swift
  require_libedit
}

# The arguments of a release build; on Linux the runtime goes into the binary, which then starts
# in half the time and on machines without Swift. A command that is started for each question has
# its addresses from the linker (most of a start was writing a hundred thousand of them), and no
# names that only a debugger reads.
release_arguments() {
  printf '%s\n' --package-path "$root" --scratch-path "$build" -c release --product kura
  # Generic types are made with the conformances that the compiler knows; without this the runtime
  # looks through all of the binary for each, which was half of a start.
  printf -- '-Xswiftc\n%s\n' -Xfrontend -disable-concrete-type-metadata-mangled-name-accessors
  [ "$(uname -s)" = Linux ] || return 0
  printf '%s\n' --static-swift-stdlib -Xlinker -s -Xlinker --no-pie
  link_archives
}

# Takes libraries into the binary where their archives are there: each that the system loads costs a
# start some tenth of a millisecond.
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

# link_archive NAME: a library of the C compiler that is taken into the binary where its archive is
# there; its folder has no other form of it, so that the linker finds this one first.
link_archive() {
  local archive
  archive=$(clang -print-file-name="$1" 2>/dev/null) && [ -e "$archive" ] || return 1
  mkdir -p "$build/archives" && ln -sf "$archive" "$build/archives/$1"
}

# The module of a line of SwiftPM and how many steps remain: [12/60] Compiling KuraGraph Graph.swift
step_of_build='^\[([0-9]+)/([0-9]+)\] [A-Z][a-z]+ ([A-Za-z_]+)'

# Copies standard input to the log; on a terminal one line shows how far the build is.
show_progress() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    printf '%s\n' "$line"
    [ -t 2 ] && [[ $line =~ $step_of_build ]] || continue
    printf '\r\033[Kkura: building %s, %d steps to go' \
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

# A limit of the address space below the size of the program: the system would end it without a word.
check_memory() {
  local limit size
  limit=$(ulimit -v)
  [ "$limit" != unlimited ] || return 0
  size=$(wc -c <"$binary")
  [ "$limit" -lt $((size / 1024)) ] || return 0
  say "the limit of $limit KB (ulimit -v) leaves no room for the program, which needs $((size / 1024)) KB and more"
  exit 1
}

# Whether the binary is newer than everything it is built from. A file that is added or removed changes
# the time of its folder.
is_up_to_date() {
  [ -x "$binary" ] && [ -e "$stamp" ] || return 1
  find "${made_of[@]/#/$root/}" -newer "$stamp" -exec false {} +
}

build_release() {
  local arguments=() line
  # The flags contain this path: another spelling of it would build everything again.
  root=$(cd "$root" && pwd -P)
  set_paths
  require_all
  while IFS= read -r line; do arguments+=("$line"); done < <(release_arguments)
  say "building; the first time takes a few minutes"
  mkdir -p "$build"
  # The time from before the build counts: a file that is saved meanwhile is built the next time.
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

# The lessons and their stores are in the binary too.
made_of=(Package.swift Sources Examples/Lessons)
set_paths
