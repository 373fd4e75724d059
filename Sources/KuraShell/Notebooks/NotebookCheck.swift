import KuraDiagnostics
import KuraSentences
import KuraStore

/// `kura notebook FILE.md …`: runs the blocks again, and shows the differences.
package struct NotebookCheck {
  private let files: [String]
  /// Whether the files are updated.
  private let writes: Bool
  private let services: SystemServices

  package init(_ files: [String], writes: Bool, _ services: SystemServices) {
    self.files = files
    self.writes = writes
    self.services = services
  }

  package static var overview: String {
    localized(
      """
      Runs the blocks of a Markdown file that begin with ```kura as if they were
      typed, and compares the results with the text in the file. The first block
      opens a session, and later blocks continue it. ```kura store=todo.json opens
      a new session on a copy of that store. A block ```kura norun is not run.
      """)
  }

  package func run() -> ExitStatus {
    var status = ExitStatus.done
    for file in files {
      do {
        if try check(file), status == .done { status = .statementFailed }
      } catch is ClosedOutput {
        return status
      } catch {
        let failure = Failure(error)
        services.report(failure.rendered(in: nil, style: services.styleNow) + "\n")
        status = failure.status == .storeFailed ? .storeFailed : .statementFailed
      }
    }
    services.results.flushQuietly()
    return status
  }

  /// Returns whether there are differences that are not written.
  private func check(_ file: String) throws -> Bool {
    let notebook = Notebook(try services.readFile(file), path: file)
    let language = Language(ofDocument: file) ?? .current
    let blocks = try language.speaks {
      try notebook.run { store throws(Failure) in try open(store, for: file) }
    }
    guard blocks.contains(where: \.hasStatements) else {
      throw Failure(NotebookProblem.noStatement(file))
    }
    let differing = blocks.filter(\.differs)
    guard writes else {
      for block in differing { try show(block, file) }
      try say(NotebookReport.checked(file, blocks: blocks.count, differing: differing.count))
      return !differing.isEmpty
    }
    if !differing.isEmpty {
      try services.replaceFile(file, Array(notebook.text(with: blocks).utf8))
    }
    try say(NotebookReport.written(file, blocks: blocks.count, differing: differing.count))
    return false
  }

  private func open(_ store: String?, for file: String) throws(Failure) -> NotebookSession {
    guard let store else { return NotebookSession(nil, now: services.now) }
    if let path = try NamedStore(store, namedIn: file).path() {
      let bytes = try services.readFile(path)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      do throws(StoreProblems) {
        let contents = try StoreReader(
          bytes, name: name.split(separator: ".").first.map(String.init) ?? name
        ).read()
        return NotebookSession(contents, now: services.now)
      } catch { throw Failure(error) }
    }
    throw Failure([Diagnostic(NotebookProblem.noStore(store))], status: .storeFailed)
  }

  private func say(_ text: String) throws { try services.results.append(text + "\n") }

  /// Shows the removed lines and the added ones.
  private func show(_ block: Notebook.Block, _ file: String) throws {
    let difference = LineDifference(from: block.lines, to: block.now)
    try say(localized("\(file):\(block.firstLine + difference.firstLine): the block differs"))
    for change in difference.changes {
      switch change {
      case .removed(let line): try say("  - \(line)")
      case .added(let line): try say("  + \(line)")
      }
    }
  }
}

enum NotebookReport {
  static func checked(_ file: String, blocks: Int, differing: Int) -> String {
    let state =
      switch differing {
      case 0: localized("no differences")
      case 1: localized("1 differs; --write updates it")
      default: localized("\(differing) differ; --write updates them")
      }
    return "\(file): " + [counted(blocks, "block", "blocks"), state].list
  }

  static func written(_ file: String, blocks: Int, differing: Int) -> String {
    let state =
      differing == 0
      ? localized("nothing to update") : localized("\(differing) updated")
    return "\(file): " + [counted(blocks, "block", "blocks"), state].list
  }
}

/// The difference between the lines of a text and those of an earlier one.
///
///     LineDifference(from: ["a", "b"], to: ["a", "c"]).changes    // [.removed("b"), .added("c")]
///
/// Linear in the lines: if many lines differ, the result has all old lines and all new lines from
/// the first difference to the last.
struct LineDifference {
  enum Change: Equatable {
    case removed(String)
    case added(String)
  }

  /// The number of equal lines before the first change.
  let firstLine: Int
  /// The changes from the first line to the last.
  let changes: [Change]

  /// The number of changes up to which the shortest difference is computed.
  private static let most = 200

  init(from old: [String], to new: [String]) {
    let shorter = min(old.count, new.count)
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.reversed(), new.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
    let (old, new) = (old[start..<old.count - end], new[start..<new.count - end])
    firstLine = start
    changes =
      EditPath(Array(old), Array(new), most: Self.most)?.changes
      ?? old.map(Change.removed) + new.map(Change.added)
  }
}

/// The shortest edit path from one list of lines to another, according to Myers' algorithm.
///
/// A diagonal is a place in the old list minus one in the new list. After n changes every second
/// diagonal has been followed to its furthest place.
private struct EditPath {
  private let old: [String]
  private let new: [String]
  /// The furthest places before each number of changes; diagonal 0 is in the middle.
  private var furthest: [[Int]] = []
  private let middle: Int

  /// Finds the path; nil if there are more than `most` changes.
  init?(_ old: [String], _ new: [String], most: Int) {
    (self.old, self.new) = (old, new)
    middle = most + 1
    let (before, after) = Self.numbered(old, new)
    var places = [Int](repeating: 0, count: 2 * middle + 1)
    for count in 0...most {
      furthest.append(places)
      for diagonal in stride(from: -count, through: count, by: 2) {
        let origin = Self.origin(of: diagonal, count, places, middle)
        var place = places[middle + origin] + (origin < diagonal ? 1 : 0)
        while place < old.count, place - diagonal < new.count,
          before[place] == after[place - diagonal]
        {
          place += 1
        }
        places[middle + diagonal] = place
        if place >= old.count, place - diagonal >= new.count { return }
      }
    }
    return nil
  }

  /// Numbers the lines, so that equal lines have equal numbers.
  private static func numbered(_ old: [String], _ new: [String]) -> ([Int], [Int]) {
    var numbers: [String: Int] = [:]
    for line in old + new where numbers[line] == nil { numbers[line] = numbers.count }
    return (old.map { numbers[$0] ?? 0 }, new.map { numbers[$0] ?? 0 })
  }

  /// Returns the diagonal from which a change leads to another; a removal comes from the one below.
  private static func origin(
    of diagonal: Int, _ count: Int, _ places: [Int], _ middle: Int
  ) -> Int {
    let isAddition =
      diagonal == -count
      || diagonal != count && places[middle + diagonal - 1] < places[middle + diagonal + 1]
    return isAddition ? diagonal + 1 : diagonal - 1
  }

  var changes: [LineDifference.Change] {
    var changes: [LineDifference.Change] = []
    var (place, other) = (old.count, new.count)
    for count in furthest.indices.reversed() where count > 0 {
      let (places, diagonal) = (furthest[count], place - other)
      let origin = Self.origin(of: diagonal, count, places, middle)
      place = places[middle + origin]
      other = place - origin
      changes.append(origin > diagonal ? .added(new[other]) : .removed(old[place]))
    }
    return changes.reversed()
  }
}
