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

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q "$@" \
    </dev/null >&2
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
  say "installing $package"
  apt_install "$package" && return
  # The list of packages may be old or empty.
  as_root apt-get update -q </dev/null >&2 && apt_install "$package" && return
  say "$package could not be installed; run as an administrator: apt-get install $package"
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

# What the binary is made of, one path a line.
list_sources() {
  (cd "$root" && find "${made_of[@]}" -type f)
}

# Whether the binary is newer than all that it is made of, and nothing of that came or went.
is_up_to_date() {
  [ -x "$binary" ] && [ -e "$stamp" ] || return 1
  [ -z "$(cd "$root" && find "${made_of[@]}" -newer "$stamp" -print | head -n 1)" ] ||
    return 1
  # Written by the build that made the binary: a file that was deleted is missing from the list.
  [ "$(list_sources)" = "$(cat "$stamp.list" 2>/dev/null)" ]
}

build_release() {
  local arguments=() line
  require_all
  while IFS= read -r line; do arguments+=("$line"); done < <(release_arguments)
  say "building (a few minutes the first time)"
  mkdir -p "$build"
  # The time from before the build counts: a file that is saved meanwhile is built the next time.
  : >"$stamp.new.$$"
  list_sources >"$stamp.list.$$"
  if ! swift build "${arguments[@]}" </dev/null >&2; then
    rm -f "$stamp.new.$$" "$stamp.list.$$"
    say "the build failed"
    exit $unavailable
  fi
  mv -f "$stamp.list.$$" "$stamp.list"
  mv -f "$stamp.new.$$" "$stamp"
}

# The lessons and their stores are in the binary too.
made_of=(Package.swift Sources Examples/Lessons)
build=$root/.build
binary=$build/release/kura
stamp=$build/kura-release.stamp
