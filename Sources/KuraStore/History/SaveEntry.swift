import KuraBytes
package import KuraGraph
import KuraJSON
package import KuraValues

/// A save as recorded in the history of a store.
package struct SaveEntry: Sendable, Equatable {
  /// The number of the save; 1 for the first that was recorded.
  package var number: Int64 = 0
  package var time: Timestamp
  /// The author: `--author`, or the user's name.
  package var author: String
  /// `kura 0.1.0`
  package var program: String
  /// The names of the steps, from the history of the context: `insert Item`.
  package var actions: [String]
  /// The change; nil if the model was changed, which a change set does not describe.
  package var change: ChangeSet?
  /// The types of the keys in the change; nil in a line of an older format.
  package var types: KeyTypes?
  /// The names of the store's state before and after the save (`StoreKeeper.state`); nil if not known.
  package var before: String?
  package var after: String?
  /// Whether the store was changed between the previous save and this one without a record in the history.
  package var followsGap = false

  package init(
    time: Timestamp, author: String, program: String, actions: [String], change: ChangeSet? = nil,
    types: KeyTypes? = nil
  ) {
    self.time = time
    self.author = author
    self.program = program
    self.actions = actions
    self.change = change
    self.types = types
  }

  /// The possible numbers of a save.
  static let numbers: ClosedRange<Int64> = 1...(1 << 53)
}

// A line of the file
extension SaveEntry {
  /// `{"save": 1, "time": …, …, "change": {…}, "types": {…}, "check": "…"}`
  var line: [UInt8] {
    let head = JSONNode([
      "save": JSONNode(number), "time": JSONNode(time.microseconds), "author": JSONNode(author),
      "program": JSONNode(program), "actions": JSONNode(.array(actions.map { JSONNode($0) })),
      "before": before.map { JSONNode($0) }, "after": after.map { JSONNode($0) },
    ])
    var rest = Array(#", "change": "#.utf8)
    rest += change.map { JournaledChange(change: $0, nextNumbers: [:]).bytes } ?? Array("null".utf8)
    if let types { rest += Array(#", "types": "#.utf8) + types.node.bytes }
    return SealedLine.seal(head, rest).line
  }

  /// Throws `InvalidRecord` if the line is not a possible save.
  fileprivate init(_ line: RecordMembers) throws(InvalidRecord) {
    guard let number = line["save"]?.integer, Self.numbers.contains(number),
      let microseconds = line["time"]?.integer,
      case let time = Timestamp(microseconds: microseconds), time.isInRange,
      let author = line["author"]?.string, let program = line["program"]?.string,
      case .array(let actions)? = line["actions"]?.kind,
      line.change != nil || line["change"]?.kind == .null
    else { throw InvalidRecord() }
    self.init(
      time: time, author: author, program: program,
      actions: actions.compactMap(\.string))
    self.number = number
    (before, after) = (line["before"]?.string, line["after"]?.string)
    guard let journaled = line.change else { return }
    change = journaled.change
    types = try line["types"].map { (node) throws(InvalidRecord) in try KeyTypes(reading: node) }
  }

  /// Returns the number of the save in a line, read from its beginning; nil if it is missing or cut.
  static func number(ofLine line: ArraySlice<UInt8>) -> Int64? {
    let head = #"{"save": "#.utf8
    guard line.starts(with: head) else { return nil }
    let digits = line.dropFirst(head.count).prefix { (48...57).contains($0) }
    guard digits.endIndex < line.endIndex, line[digits.endIndex] == UInt8(ascii: ",") else {
      return nil
    }
    return Int64(String(decoding: digits, as: UTF8.self)).flatMap {
      numbers.contains($0) ? $0 : nil
    }
  }
}

/// A line of a history, except the first.
enum HistoryLine {
  case save(SaveEntry)
  /// `{"fold": "…", "after": "…", "check": "…"}`: folding the journal into the document gave the
  /// same content another name.
  case fold(before: String, after: String)
}

extension HistoryLine {
  static func fold(_ before: String, _ after: String) -> [UInt8] {
    SealedLine.seal(JSONNode(["fold": JSONNode(before), "after": JSONNode(after)])).line
  }

  /// Returns nil if the line is damaged or the work was cancelled.
  init?(_ line: ArraySlice<UInt8>, _ cancel: CancelFlag = CancelFlag()) {
    guard SealedLine.check(of: line) != nil,
      let members = try? RecordMembers(reading: line, cancel)
    else { return nil }
    if let before = members["fold"]?.string, let after = members["after"]?.string {
      self = .fold(before: before, after: after)
    } else if let save = try? SaveEntry(members) {
      self = .save(save)
    } else {
      return nil
    }
  }
}
