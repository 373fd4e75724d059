import KuraDiagnostics

/// Changes as other languages write them, each with the statement that means the same.
struct ChangeGuesses {
  private let text: String

  init(_ text: String) { self.text = text }

  var fixes: [FixIt] {
    [assignment, addition, additionTo, compound, exchangedSigns, wholeSave].compactMap(\.self)
  }

  /// `update Task/6 set title = "x"` for `set Task/6.title = "x"`
  private var assignment: FixIt? {
    guard let match = text.wholeMatch(of: Self.assignmentForm) else { return nil }
    return FixIt(edits: [edit(match.output.verb, "update"), edit(match.output.dot, " set ")])
  }

  nonisolated(unsafe) private static let assignmentForm =
    /\s*(?<verb>(?i:set))\s+[A-Za-z_$][\w]*(?:\/[0-9]+)?(?<dot>\.)\w+\s*=[^=](?s:.*)/

  /// `update Task/1 set tags += Tag/1` for `update Task/1 add tags Tag/1`, `-=` for `remove`
  private var addition: FixIt? {
    guard let match = text.wholeMatch(of: Self.additionForm) else { return nil }
    let sign = match.output.verb.lowercased() == "add" ? " +=" : " -="
    let end = match.output.key.endIndex
    return FixIt(edits: [
      edit(match.output.verb, "set"), edit(match.output.key[end..<end], sign),
    ])
  }

  nonisolated(unsafe) private static let additionForm =
    /\s*(?i:update)\s+\S+\s+(?<verb>(?i:add|remove))\s+(?<key>\w+)\s+[A-Z$]\w*(?:\/[0-9]+)?\s*/

  /// `update Task/1 set tags += Tag/1` for `update Task/1 add Tag/1 to tags`
  private var additionTo: FixIt? {
    guard let match = text.wholeMatch(of: Self.additionToForm) else { return nil }
    let output = match.output
    let sign = output.verb.lowercased() == "add" ? "+=" : "-="
    let whole = output.verb.startIndex..<output.key.endIndex
    return FixIt(edits: [edit(text[whole], "set \(output.key) \(sign) \(output.object)")])
  }

  nonisolated(unsafe) private static let additionToForm =
    /\s*(?i:update)\s+\S+\s+(?<verb>(?i:add|remove))\s+(?<object>[A-Z$]\w*(?:\/[0-9]+)?)\s+(?i:to|from)\s+(?<key>\w+)\s*/

  /// `set priority = priority * 2` for `set priority *= 2`
  private var compound: FixIt? {
    guard let match = text.firstMatch(of: Self.compoundForm) else { return nil }
    let (key, sign) = (match.output.key, match.output.sign)
    return FixIt(edits: [edit(sign, "= \(key) \(sign.prefix(1))")])
  }

  nonisolated(unsafe) private static let compoundForm =
    /(?:(?i:set)|,)\s+(?<key>[A-Za-z_]\w*)\s*(?<sign>[*\/%]=)/

  /// `set priority += 1` for `set priority =+ 1`
  private var exchangedSigns: FixIt? {
    guard let match = text.firstMatch(of: Self.exchangedForm) else { return nil }
    let sign = match.output.sign
    return FixIt(edits: [edit(sign, String(sign.reversed()))])
  }

  nonisolated(unsafe) private static let exchangedForm =
    /(?:(?i:set)|,)\s+[A-Za-z_]\w*\s*(?<sign>=[+])(?=\s)/

  /// `save` for `save changes`: the store that is open.
  private var wholeSave: FixIt? {
    guard let match = text.wholeMatch(of: Self.saveForm) else { return nil }
    return FixIt(edits: [edit(match.output.rest, "")])
  }

  nonisolated(unsafe) private static let saveForm =
    /\s*(?i:save)(?<rest>\s+(?i:all|changes|everything|it|now|store|the store|all changes))\s*;?\s*/

  private func edit(_ part: Substring, _ replacement: String) -> TextEdit {
    let start = text.utf8.distance(from: text.utf8.startIndex, to: part.startIndex)
    return TextEdit(SourceSpan(start, start + part.utf8.count), replacement)
  }
}
