# The steps of Scripts/fuzz. Source it after setup.sh.

fuzzing=$root/.build-fuzz

# The flags of Package.swift, with assertions: a failed assertion is a finding.
fuzz_flags=(
  -swift-version 6 -package-name kura -parse-as-library -wmo -O -g -assert-config Debug
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -sanitize=fuzzer,address
)

# Checks that the toolchain has a fuzzer. Not every toolchain has the runtime.
require_fuzzer() {
  mkdir -p "$fuzzing"
  local probe=$fuzzing/probe
  [ ! -x "$probe" ] || return 0
  printf '%s\n' '@_cdecl("LLVMFuzzerTestOneInput")' \
    'public func f(_ p: UnsafePointer<UInt8>?, _ n: Int) -> CInt { 0 }' >"$probe.swift"
  swiftc -parse-as-library -sanitize=fuzzer,address "$probe.swift" -o "$probe" \
    2>"$probe.log" && return
  cat "$probe.log" >&2
  say "this toolchain cannot build with -sanitize=fuzzer,address: it lacks libFuzzer's runtime"
  say "(Xcode's toolchain lacks it; the toolchain from swift.org has it)"
  exit $unavailable
}

# Prints the modules of a target, each after the modules that it imports.
modules_of() {
  case $1 in
    store)
      echo KuraBytes KuraDiagnostics KuraValues KuraPredicates KuraModel KuraGraph KuraStore ;;
    *) echo KuraBytes KuraDiagnostics KuraValues KuraPredicates KuraScript ;;
  esac
}

is_newer() {
  [ ! -e "$1" ] || [ -n "$(find "${@:2}" -newer "$1" -print | head -n 1)" ]
}

build_module() {
  local files=()
  while IFS= read -r file; do files+=("$file"); done < <(find "$root/Sources/$1" -name '*.swift')
  say "building $1 for the fuzzer"
  swiftc "${fuzz_flags[@]}" -module-name "$1" -I "$fuzzing" "${files[@]}" \
    -emit-module -emit-module-path "$fuzzing/$1.swiftmodule" -c -o "$fuzzing/$1.new.o"
  mv -f "$fuzzing/$1.new.o" "$fuzzing/$1.o"
}

build_target() {
  local module objects=() before=() libraries=()
  for module in $(modules_of "$1"); do
    local object=$fuzzing/$module.o
    is_newer "$object" "$root/Sources/$module" ${before[@]+"${before[@]}"} &&
      build_module "$module"
    objects+=("$object")
    before=("$object")
  done
  is_newer "$fuzzing/$1" "$root/Fuzzing" "${before[@]}" || return 0
  [ "$(uname -s)" != Linux ] || libraries=(-l_FoundationICU -use-ld=lld)
  swiftc "${fuzz_flags[@]}" -module-name "Fuzz_$1" -I "$fuzzing" \
    "$root/Fuzzing/$1.swift" "$root/Fuzzing/Support.swift" "${objects[@]}" \
    ${libraries[@]+"${libraries[@]}"} -o "$fuzzing/$1"
}

# Writes the texts of the test tables to one file each; ⏎ is a line break there.
make_seeds() {
  local folder=$fuzzing/seeds/$1 predicates=$root/Tests/KuraPredicatesTests/Tables
  rm -rf "$folder"
  mkdir -p "$folder"
  if [ "$1" = store ]; then
    find "$root/Examples" -name '*.json' -size -16k -exec cp {} "$folder/" \;
    cut -f 1 "$predicates/evaluation.tsv" | grep '^[{[]' | sort -u
  else
    grep -v '^# ' "$predicates/evaluation.tsv" | cut -f 2
    cat "$predicates/reads.tsv" "$predicates/refused.tsv" | grep -v '^# ' | cut -f 1
    awk '/^(# |$)/ { begins = 1; next } begins { print; begins = 0 }' \
      "$predicates/diagnostics.txt"
    grep -v -e '^# ' -e '^=>' "$root/Tests/KuraScriptTests/Tables/statements.txt"
  fi | awk -v folder="$folder" '
    length($0) { gsub(/⏎/, "\n"); file = folder "/" NR; printf "%s", $0 > file; close(file) }'
}

# Writes a dictionary of quoted words from the sources.
make_words() {
  local sources=$root/Sources
  if [ "$1" = store ]; then
    grep -rhoE '"[A-Za-z]{2,24}"' "$sources/KuraModel/Document" "$sources/KuraStore/Loading"
    printf '"%s"\n' '{' '}' '[' ']' ': ' ', ' '\\\"' '\\u8a95' '1e5' '-0.5' 'null' 'true' \
      '2009-01-01' 'Item/1'
  else
    grep -hoE '"[A-Za-z:-]{2,24}"' "$sources/KuraPredicates/Lexing/Keyword.swift" \
      "$sources/KuraPredicates/Functions/FunctionCatalogue.swift"
    grep -rhoE '"[a-z]{2,24}"' "$sources/KuraScript/Statements" "$sources/KuraScript/Parsing"
    printf '"%s"\n' ' == ' '&&' '||' '!=' '=<' '=>' '<>' ':=' '**' '[cd]' '[FIRST]' '@count' \
      '@sum.' '$x' '%@' '%K' '%d' '%%' '\\' '\\\"' '\x0A' '\x0A  ' '\x0A\x0A' '-- ' '#\"a b\"' \
      'E/17' '0x1F' '1e400' '.5' 'desc' 'natural' 'nulls last' 'without subentities' \
      '\xEF\xBC\x9D' '\xE3\x80\x80' '\xE2\x80\x9C' '\xE2\x80\x9D'
  fi | sort -u >"$fuzzing/$1.words"
}

# Runs a target for a number of seconds. Crashes are kept in found, inputs that reach new code in corpus.
run_target() {
  local corpus=$fuzzing/corpus/$1 found=$fuzzing/found/$1
  mkdir -p "$corpus" "$found"
  say "$1: $2 seconds"
  # libFuzzer must receive the signals that the runtime would catch, and the parser must see the real
  # stack. Short traces double the speed.
  local options=malloc_context_size=4:quarantine_size_mb=16:detect_stack_use_after_return=0
  # A thousand levels need a larger stack with the sanitizer.
  ulimit -s 65520 2>/dev/null || true
  SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=$options \
    "$fuzzing/$1" "$corpus" "$fuzzing/seeds/$1" \
    -max_total_time="$2" -max_len=4096 -timeout=5 -report_slow_units=2 -rss_limit_mb=4096 \
    -dict="$fuzzing/$1.words" -artifact_prefix="$found/" -print_final_stats=1 </dev/null
}

# Types random keys into the editor at a pseudo-terminal for a number of seconds, a million keys per
# seed. This does not require libFuzzer. KURA_SEED repeats the same keys.
run_keys() {
  local end=$((SECONDS + $1)) seed
  require_all
  require_sqlite
  (cd "$root" && swift build --build-tests </dev/null >&2) || return 1
  while :; do
    seed=${KURA_SEED-$((RANDOM * 32768 + RANDOM))}
    say "keys: a million, KURA_SEED=$seed"
    (cd "$root" && KURA_KEYS=1000000 KURA_SEED=$seed \
      swift test --skip-build --filter TerminalEditorTests.anything </dev/null) || return 1
    [ "$SECONDS" -lt "$end" ] || return 0
  done
}
