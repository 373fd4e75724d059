# The steps of Scripts/test. Source it after setup.sh.

# The tests have a build of their own, because it optimizes some modules.
tests=$root/.build-tests
export KURA_BUILD=tests

# Builds all tests, or those of KURA_TESTS.
build_tests() { logged_build --scratch-path "$tests" --build-tests; }

# Runs tests that are already built, and repeats the failures at the end of the output.
run_tests() {
  local output
  mkdir -p "$build"
  output=$(mktemp "$build/tests.XXXXXX")
  swift test --skip-build --scratch-path "$tests" "$@" </dev/null 2>&1 | tee "$output" || {
    step "Failures"
    grep -E -A 6 '^✘|Fatal error|^(/.*: )?error: ' "$output" | grep -Ev '^--$|(◇|✔) ' | tail -n 150
    say "the whole output is in $output"
    return 1
  }
  rm -f "$output"
}

# Runs the program through a link, in another folder with a space in its name.
smoke_run() {
  local folder
  folder=$(mktemp -d "${TMPDIR:-/tmp}/kura smoke.XXXXXX")
  trap 'rm -rf "$folder"' RETURN
  ln -s "$root/Scripts/kura" "$folder/kura"
  cp "$root/Examples/MemoDates/MemoDates.json" "$folder/"
  [ "$(cd "$folder" && ./kura MemoDates.json 'count MemoDate' </dev/null)" = 10 ]
}

# Prints the files that differ from the last commit, including new ones.
changed_files() {
  { git diff --name-only --diff-filter=d HEAD -- && git ls-files --others --exclude-standard; } | sort -u
}

check_changed_style() {
  local files=() file
  while IFS= read -r file; do files+=("$file"); done < <(changed_files | grep '\.swift$')
  [ ${#files[@]} = 0 ] || swift format lint --strict --parallel "${files[@]}"
}

# Prints the modules of the changed files. Sources/KuraFetch/… and Tests/KuraFetchTests/… belong to
# KuraFetch; documents, scripts and the package belong to House.
changed_modules() {
  changed_files | sed -n \
    -e 's|^Sources/\([A-Za-z]*\)/.*|\1|p' -e 's|^Tests/\([A-Za-z]*\)Tests/.*|\1|p' \
    -e 's|^Tests/\([A-Z][A-Za-z]*\)/.*|\1|p' \
    -e 's|^\(Documentation\|Examples\|Scripts\)/.*|House|p' -e 's|^Package.swift$|House|p' \
    -e 's|^[A-Za-z.]*\.md$|House|p' | sort -u
}

# Prints the targets of Package.swift, one per line: the name, and the targets that it depends on.
target_lines() {
  swift package describe | awk '
    /^    Name: /                { name = $2; deps = ""; inside = 0; kind = "" }
    /^    Target dependencies:/  { inside = 1; next }
    /^    [A-Z]/                 { inside = 0 }
    inside && NF == 1            { deps = deps " " $1 }
    name != "" && /^$/           { print name deps; name = "" }
    END                          { if (name != "") print name deps }'
}

# Prints the test targets of the named modules, then those that depend on them, with the prefix "+".
test_targets() {
  target_lines | awk -v wanted="$*" '
    BEGIN { count = split(wanted, names, " "); for (i = 1; i <= count; i++) hit[names[i]] = 1 }
    { all[NR] = $1; for (i = 2; i <= NF; i++) needs[$1, i] = $i; last[$1] = NF }
    END {
      do {
        more = 0
        for (n = 1; n <= NR; n++) if (!(all[n] in hit)) for (i = 2; i <= last[all[n]]; i++)
          if (needs[all[n], i] in hit) { hit[all[n]] = 1; more = 1; break }
      } while (more)
      for (i = 1; i <= count; i++) own[names[i] "Tests"] = 1
      for (n = 1; n <= NR; n++) if (all[n] ~ /Tests$/ && all[n] in own) print all[n]
      for (n = 1; n <= NR; n++) if (all[n] ~ /Tests$/ && all[n] in hit && !(all[n] in own)) print "+" all[n]
    }'
}

# Prints the slow tests, which run only for their own modules and without arguments.
slow_tests() { grep -v '^#' "$root/Tests/Slow.txt" || :; }

# test_modules MODULE …: runs all tests of the modules, and the quick tests of the modules that depend on them.
test_modules() {
  local own=() above=() target skips=() start=$SECONDS
  while IFS= read -r target; do
    case $target in +*) above+=("${target#+}") ;; *) own+=("$target") ;; esac
  done < <(test_targets "$@")
  if [ $((${#own[@]} + ${#above[@]})) = 0 ]; then
    say "no tests belong to $*"
    exit 64
  fi
  while IFS= read -r target; do skips+=(--skip "$target"); done < <(slow_tests)
  KURA_TESTS=$(IFS=,; printf '%s' "${own[*]-} ${above[*]-}" | tr ' ' ',')
  export KURA_TESTS
  step "Build: $*"
  build_tests
  printf 'built in %s s\n' $((SECONDS - start))
  start=$SECONDS
  [ ${#own[@]} = 0 ] || run_tests $(printf -- '--filter ^%s\\. ' "${own[@]}")
  [ ${#above[@]} = 0 ] ||
    run_tests $(printf -- '--filter ^%s\\. ' "${above[@]}") "${skips[@]}"
  printf '\nPassed: all tests of %s, and the quick tests of %s dependent modules (%s s)\n' \
    "$*" "${#above[@]}" $((SECONDS - start))
}
