import KuraBytes
package import KuraGraph
import KuraJSON
package import KuraModel
package import KuraValues

/// A save as the history of a store keeps it.
package struct SaveEntry: Sendable, Equatable {
  /// 1 for the first that was kept.
  package var number: Int64 = 0
  package var time: Timestamp
  /// Who saved: `--author`, or the user's name.
  package var author: String
  /// `kura 0.1.0`
  package var program: String
  /// What the history of the context called the steps: `insert Item`.
  package var actions: [String]
  /// Nil: the model was changed, of which a change set knows nothing.
  package var change: ChangeSet?
  /// The types of the keys in the change; nil in a line that was written before there were any.
  package var types: KeyTypes?

  package init(
    time: Timestamp, author: String, program: String, actions: [String], change: ChangeSet?,
    in model: Model
  ) {
    self.time = time
    self.author = author
    self.program = program
    self.actions = actions
    self.change = change
    types = change.map { KeyTypes($0, in: model) }
  }
}

// A line of the file
extension SaveEntry {
  /// `{"save": 1, "time": …, …, "change": {…}, "types": {…}, "check": "…"}`: the check is the checksum of the bytes
  /// before `, "check"`.
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
    bytes += Array(#"], "change": "#.utf8)
    bytes += change.map { KeptChange(change: $0, nextNumbers: [:]).bytes } ?? Array("null".utf8)
    if let types { bytes += Array(#", "types": "#.utf8) + types.bytes }
    let check = UInt64(checksumOf: bytes).hexadecimal
    return bytes + Array(#", "check": "\#(check)"}"#.utf8)
  }

  /// Nil for a line that is not as it was written.
  init?(line: ArraySlice<UInt8>) {
    let form = #", "check": "0123456789abcdef"}"#.utf8.count
    guard line.count > form else { return nil }
    let check = UInt64(checksumOf: line.dropLast(form)).hexadecimal
    guard line.suffix(form).elementsEqual(#", "check": "\#(check)"}"#.utf8),
      let node = try? JSONNode(reading: Array(line)), let number = node.integer("save"),
      let time = node.integer("time"), case .string(let author)? = node["author"]?.kind,
      case .string(let program)? = node["program"]?.kind,
      case .array(let actions)? = node["actions"]?.kind, let change = node["change"]
    else { return nil }
    self.init(
      time: Timestamp(microseconds: time), author: author, program: program,
      actions: actions.compactMap { if case .string(let text) = $0.kind { text } else { nil } },
      change: nil, in: Model())
    self.number = number
    if case .null = change.kind { return }
    let bytes = line[(line.startIndex + change.span.lowerBound)...].prefix(change.span.count)
    guard let kept = try? KeptChange(reading: bytes) else { return nil }
    self.change = kept.change
    guard let types = node["types"] else { return }
    guard let types = try? KeyTypes(reading: types) else { return nil }
    self.types = types
  }

  /// The number of a line's save, read from its beginning; nil where it has none.
  static func number(ofLine line: ArraySlice<UInt8>) -> Int64? {
    let head = #"{"save": "#.utf8
    guard line.starts(with: head) else { return nil }
    let digits = line.dropFirst(head.count).prefix { (48...57).contains($0) }
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}

extension JSONNode {
  fileprivate func integer(_ key: String) -> Int64? {
    guard case .number(let digits)? = self[key]?.kind else { return nil }
    return Int64(digits)
  }
}
