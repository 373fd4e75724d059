import Foundation
import TestSupport
import Testing

/// Without a terminal the output is always the same, whatever the environment says about one.
extension TerminalSetupTests {
  @Test("runs scripts in the same way", arguments: TerminalSetup.each)
  func runsScripts(at seat: TerminalSetup) throws {
    let folder = try TemporaryFolder()
    let store = try TerminalSetupStore.write(to: folder.url)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", Self.script, "sh", try TranscriptRunner.findBinary().path, store.path,
    ]
    process.currentDirectoryURL = folder.url
    process.environment = Dictionary(
      uniqueKeysWithValues: (seat.environment + ["HOME=\(folder.path)"]).map { entry in
        let parts = entry.split(separator: "=", maxSplits: 1)
        return (String(parts[0]), String(parts[1]))
      })
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: data, as: UTF8.self) == Self.said)
  }

  private static let script = #"""
    run() { echo "== $1"; shift; "$@" 2>&1; echo "status $?"; }
    printf 'count Day\nfetch Dy\ncount Day\n' > bad.kura
    run 'stops at the first error' "$1" "$2" -f bad.kura
    cp "$2" copy.json
    printf 'insert Person name = "x"\nfetch Dy\nsave\n' > half.kura
    run 'leaves the store as it was' "$1" copy.json -f half.kura
    cmp "$2" copy.json && echo same
    run 'cuts nothing' "$1" "$2" 'fetch Day where objectID == 1 select title, note, note as b'
    run 'one array' "$1" --format json "$2" 'fetch Day where title == "none"' \
      'fetch Day where objectID == 1 select title, date' 'print 9007199254740993 as n'
    run 'null and empty' "$1" --format csv "$2" 'fetch Day where objectID IN {2, 4} select title, note'
    run 'a closed pipe' sh -c '"$1" --format csv "$2" "fetch N" | head -2' sh "$1" "$2"
    run 'a value' "$1" "$2" --arg who "O'Brien\"誕" 'count Day where title == $who' 'print $who'
    run 'many' sh -c 'for i in $(seq 300); do echo "count Person"; done | "$1" "$2" | uniq -c | tr -d " "' sh "$1" "$2"
    """#

  private static let said = """
    == stops at the first error
    5
    bad.kura:2:7: error: there is no entity "Dy"
      fetch Dy
            ^~
      did you mean "Day"?
    status 1
    == leaves the store as it was
    1 inserted: Person/3
    half.kura:2:7: error: there is no entity "Dy"
      fetch Dy
            ^~
      did you mean "Day"?
    quit without saving: 1 object
    status 1
    same
    == cuts nothing
    ┌────────────┬──────────────────────────────────────────────────────────────────┬──────────────────────────────────────────────────────────────────┐
    │ title      │ note                                                             │ b                                                                │
    ├────────────┼──────────────────────────────────────────────────────────────────┼──────────────────────────────────────────────────────────────────┤
    │ 父の誕生日 │ \(TerminalSetupStore.long) │ \(TerminalSetupStore.long) │
    └────────────┴──────────────────────────────────────────────────────────────────┴──────────────────────────────────────────────────────────────────┘
    (1 row)
    status 0
    == one array
    []
    [
      {"title": "父の誕生日", "date": "1935-06-11"}
    ]
    [
      {"n": 9007199254740993}
    ]
    status 0
    == null and empty
    title,note
    がんばる日,
    NULL,""
    status 0
    == a closed pipe
    objectID,n
    N/1,1
    status 0
    == a value
    0
    O'Brien"誕
    status 0
    == many
    3002
    status 0

    """
}
