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
  /// The names of the store's state before and after the save (`StoreKeeper.state`); nil if not
  /// known.
  package var before: String?
  package var after: String?
  /// Whether the store was changed between the previous save and this one without a record in the
  /// history.
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
    var bytes = Array(#"{"save": \#(number), "time": \#(time.microseconds), "author": "#.utf8)
    JSONWriter.append(author, to: &bytes)
    bytes += Array(#", "program": "#.utf8)
    JSONWriter.append(program, to: &bytes)
    bytes += Array(#", "actions": ["#.utf8)
    for (i, action) in actions.enumerated() {
      if i > 0 { bytes += Array(", ".utf8) }
      JSONWriter.append(action, to: &bytes)
    }
    bytes += Array("]".utf8)
    for (key, state) in [("before", before), ("after", after)] {
      guard let state else { continue }
      bytes += Array(#", "\#(key)": "#.utf8)
      JSONWriter.append(state, to: &bytes)
    }
    bytes += Array(#", "change": "#.utf8)
    bytes +=
      change.map { JournaledChange(change: $0, nextNumbers: [:]).bytes } ?? Array("null".utf8)
    if let types { bytes += Array(#", "types": "#.utf8) + types.bytes }
    return HistoryLine.closed(bytes)
  }

  /// Nil if the node is not a possible save.
  fileprivate init?(_ node: JSONNode, in line: ArraySlice<UInt8>) {
    guard let number = node.integer("save"), Self.numbers.contains(number),
      let microseconds = node.integer("time"),
      case let time = Timestamp(microseconds: microseconds), time.isInRange,
      let author = node.text("author"), let program = node.text("program"),
      case .array(let actions)? = node["actions"]?.kind, let change = node["change"]
    else { return nil }
    self.init(
      time: time, author: author, program: program,
      actions: actions.compactMap { if case .string(let text) = $0.kind { text } else { nil } })
    self.number = number
    (before, after) = (node.text("before"), node.text("after"))
    if case .null = change.kind { return }
    let bytes = line[(line.startIndex + change.span.lowerBound)...].prefix(change.span.count)
    guard let kept = try? JournaledChange(reading: bytes) else { return nil }
    self.change = kept.change
    guard let types = node["types"] else { return }
    guard let types = try? KeyTypes(reading: types) else { return nil }
    self.types = types
  }

  /// Returns the number of the save in a line, read from its beginning; nil if it is missing or
  /// cut.
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
    var bytes = Array(#"{"fold": "#.utf8)
    JSONWriter.append(before, to: &bytes)
    bytes += Array(#", "after": "#.utf8)
    JSONWriter.append(after, to: &bytes)
    return closed(bytes)
  }

  /// Appends the check, which is the checksum of the bytes before `, "check"`.
  static func closed(_ bytes: [UInt8]) -> [UInt8] {
    bytes + Array(#", "check": "\#(UInt64(checksumOf: bytes).hexadecimal)"}"#.utf8)
  }

  /// Nil for a line that is damaged.
  init?(_ line: ArraySlice<UInt8>) {
    let form = #", "check": "0123456789abcdef"}"#.utf8.count
    guard line.count > form, line.elementsEqual(Self.closed(Array(line.dropLast(form)))),
      let node = try? JSONNode(reading: Array(line))
    else { return nil }
    if let before = node.text("fold"), let after = node.text("after") {
      self = .fold(before: before, after: after)
      return
    }
    guard let save = SaveEntry(node, in: line) else { return nil }
    self = .save(save)
  }
}

extension JSONNode {
  func integer(_ key: String) -> Int64? {
    guard case .number(let digits)? = self[key]?.kind else { return nil }
    return Int64(digits)
  }

  func text(_ key: String) -> String? {
    guard case .string(let text)? = self[key]?.kind else { return nil }
    return text
  }
}
