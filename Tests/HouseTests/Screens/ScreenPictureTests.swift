import Foundation
import KuraLessons
import TestSupport
import Testing

/// The pictures of sessions in the documents, each recreated with the program at a terminal.
///
/// `Scripts/screens` writes them (`KURA_RECORD=1` in the environment); check the result.
@Suite("The pictures in the documents", .serialized)
struct ScreenPictureTests {
  private static let folder = "Documentation/screens"
  private static let widths = [40, 80, 120]

  /// The typed keys, each with the text that the screen then shows; the picture is taken after the
  /// last.
  private static let scenes: [(name: String, steps: [(keys: String, shown: String)])] = [
    (
      "session",
      [
        ("fetch MemoDate where title CONTAINS[cd] \"誕生\" sort date desc limit 3\r", "limit 3"),
        ("fetch MemoDate select category, count(SELF) as n group by category\r", "(2 rows)"),
        ("update MemoDate set notifiable = NO where category == \"Office\"\r", "1 updated"),
        ("undo\r", "undone: update MemoDate"),
        ("count MemoDate where titl == \"x\"\r", "did you mean"),
      ]
    ),
    ("menu", [("fetch MemoDate where ", "where"), ("\t", "boolean"), ("\u{1B}[B", "string")]),
    ("hint", [("fetch MemoDate where t", "where t")]),
    (
      "mistake",
      [
        ("count MemoDate where titel == \"誕生日\"", "titel"), ("\u{1}", "count"),
        ("\u{1B}f\u{1B}f\u{1B}f\u{1B}[C\u{1B}[C", "no key"),
      ]
    ),
  ]

  @Test("show what the program shows", arguments: widths)
  func draws(columns: Int) throws {
    let sitting = try PictureSession(columns: columns)
    for ground in [TerminalColors.dark, .light] {
      for scene in Self.scenes {
        try sitting.begin(on: ground)
        for step in scene.steps { try sitting.types(step.keys, andSees: step.shown) }
        try check(
          ScreenPicture(sitting.screen, on: ground).svg, "\(scene.name)-\(columns)-\(ground.name)")
      }
    }
  }

  private func check(_ picture: String, _ name: String) throws {
    let file = PackageFolder.url.appending(path: "\(Self.folder)/\(name).svg")
    if ProcessInfo.processInfo.environment["KURA_RECORD"] != nil {
      return try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect((try? String(contentsOf: file, encoding: .utf8)) == picture, "\(name): Scripts/screens")
  }

  @Test("are all used, and all exist") func areShown() throws {
    let shown = try DocumentTests.files.flatMap { file in
      try file.text().matches(of: #/screens/([a-z0-9-]+\.svg)/#).map { String($0.output.1) }
    }
    let drawn = Self.scenes.flatMap { scene in
      Self.widths.flatMap { width in
        [TerminalColors.dark, .light].map { "\(scene.name)-\(width)-\($0.name).svg" }
      }
    }
    #expect(Set(shown) == Set(drawn))
    let there = PackageFolder.files(in: Self.folder, suffixes: ".svg")
    #expect(Set(there.map { $0.url.lastPathComponent }) == Set(drawn))
  }
}

/// A session of which pictures are taken.
private final class PictureSession {
  private(set) var screen: ScreenModel
  private let program: ProgramOnTerminal
  private let home: TemporaryFolder

  init(columns: Int) throws {
    home = try TemporaryFolder()
    let store = home.url.appending(path: "MemoDates.json")
    try FileManager.default.copyItem(
      at: PackageFolder.url.appending(path: Transcript.usualStore), to: store)
    try Data().write(to: home.url.appending(path: ".kura_history"))
    program = try ProgramOnTerminal(
      TranscriptRunner.findBinary().path, [store.path, "--timezone", "Asia/Tokyo"],
      home: home.path, environment: ["TERM=xterm-256color"])
    program.resize(columns: Int32(columns), rows: 40)
    screen = ScreenModel(columns: columns, rows: 40)
    try program.sees("\u{1B}[?2026l")
  }

  /// Begins a scene on an empty screen.
  func begin(on ground: TerminalColors) throws {
    try types("\u{3}", andSees: ">")
    try types(".theme \(ground.name)\r", andSees: ">")
    try types("\u{C}", andSees: ">")
  }

  /// Types keys, and reads until the last frame of the editor contains a text, or the program has
  /// printed it and prompts again.
  func types(_ keys: String, andSees text: String) throws {
    program.type(keys)
    if keys.hasSuffix("\r") || keys == "\u{3}" {
      screen.show(try program.shown(upTo: "\u{1B}[?2004l"))
    }
    repeat {
      screen.show(try program.shown(upTo: "\u{1B}[?2026l"))
    } while !screen.lines.contains { $0.contains(text) }
  }
}
