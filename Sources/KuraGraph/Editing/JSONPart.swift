import KuraDiagnostics
import KuraJSON
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// A step from a JSON value to a part of it: the `.list` and the `[0]` of `meta.list[0]`.
package enum JSONStep: Sendable, Hashable {
  case key(String)
  case index(Int64)
  case first
  case last
}

extension GraphEditor {
  /// Returns the value of a JSON attribute after a part of it was set.
  ///
  /// Linear in the attribute's text. All other parts keep their characters.
  func cell(
    of attribute: Attribute, _ place: GraphPlace, setting steps: [JSONStep], to value: NewValue
  ) throws(Diagnostic) -> StoredCell {
    var json = JSONNode(.null)
    var present = StoredCell.null
    if let column = slot(attribute.name, place)?.attributeColumn {
      present = self.value(ColumnPlace(table: place.table, column: column), place.row)
      if case .text(let text) = present, let node = try? JSONNode(reading: Array(text.utf8)) {
        json = node
      }
    }
    let before = json.text
    do throws(JSONPartMisfit) {
      guard steps.count < JSONNode.depthLimit else { throw JSONPartMisfit(0, .tooDeep) }
      try json.set(steps[...], to: JSONNode(ofJSON: value.value))
      if json.isNested(deeperThan: JSONNode.depthLimit) { throw JSONPartMisfit(0, .tooDeep) }
    } catch {
      let path = attribute.name.writtenName + steps[..<error.place].map(\.text).joined()
      throw Diagnostic(
        JSONPartProblem(path: path, object: objectID(place), reason: error.reason), at: value.span)
    }
    let after = json.text
    // The document may write the same value with other blanks.
    if after == before { return present }
    return json.kind == .null ? .null : .text(after)
  }
}

extension JSONNode {
  /// Sets the part at the end of some steps. Keys that are missing are added, with an object as the
  /// value of those before the last.
  fileprivate mutating func set(
    _ steps: ArraySlice<JSONStep>, to value: JSONNode
  ) throws(JSONPartMisfit) {
    guard let step = steps.first else {
      self = value
      return
    }
    let rest = steps.dropFirst()
    switch (step, kind) {
    case (.key(let key), .object(var members)):
      let place =
        members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
        ?? members.firstIndex { $0.key == key }
      var part = place.map { members[$0].value } ?? JSONNode(.null)
      try part.set(rest, to: value)
      if let place { members[place].value = part } else { members.append(JSONMember(key, part)) }
      kind = .object(members)
    case (.key(let key), .null):
      var part = JSONNode(.null)
      try part.set(rest, to: value)
      kind = .object([JSONMember(key, part)])
    case (.key(let key), _): throw JSONPartMisfit(steps.startIndex, .noKey(key, jsonKind))
    case (_, .array(var elements)):
      guard let place = step.place(amongFirst: elements.count) else {
        throw JSONPartMisfit(steps.startIndex, .noElement(count: elements.count))
      }
      try elements[place].set(rest, to: value)
      kind = .array(elements)
    case (_, _): throw JSONPartMisfit(steps.startIndex, .noElements(jsonKind))
    }
  }

  fileprivate func isNested(deeperThan limit: Int) -> Bool {
    switch kind {
    case .null, .boolean, .number, .string: false
    case .array(let elements):
      limit == 0 || elements.contains { $0.isNested(deeperThan: limit - 1) }
    case .object(let members):
      limit == 0 || members.contains { $0.value.isNested(deeperThan: limit - 1) }
    }
  }
}

extension JSONStep {
  /// Returns the index of the element in a list of this length; nil if it has no such element.
  fileprivate func place(amongFirst count: Int) -> Int? {
    switch self {
    case .key: nil
    case .index(let number): Int(exactly: number).flatMap { (0..<count).contains($0) ? $0 : nil }
    case .first: count > 0 ? 0 : nil
    case .last: count > 0 ? count - 1 : nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .key(let key): "." + key.writtenName
    case .index(let number): "[\(number)]"
    case .first: "[FIRST]"
    case .last: "[LAST]"
    }
  }
}

/// The step that does not fit a value, and the reason.
private struct JSONPartMisfit: Error {
  let place: Int
  let reason: JSONPartProblem.Reason

  init(_ place: Int, _ reason: JSONPartProblem.Reason) {
    (self.place, self.reason) = (place, reason)
  }
}

/// The reason why a part of a JSON value cannot be set.
struct JSONPartProblem: DiagnosticFacts {
  /// The value without the part, as a path from the attribute.
  let path: String
  let object: ObjectID
  let reason: Reason

  enum Reason: Sendable {
    /// `meta.version` if `meta` is a list
    case noKey(String, JSONKind)
    /// `meta[0]` if `meta` is an object
    case noElements(JSONKind)
    /// `meta[5]` if `meta` has 2 elements
    case noElement(count: Int)
    case tooDeep
  }

  var kind: Diagnostic.Kind { .change }

  var sentence: String {
    switch reason {
    case .noKey(let key, let kind):
      localized("\"\(path)\" of \(object) is \(kind.phrase) and cannot have a key \"\(key)\"")
    case .noElements(let kind):
      localized("\"\(path)\" of \(object) is \(kind.phrase) and has no elements")
    case .noElement(let count):
      localized("\"\(path)\" of \(object) has \(counted(count, "element", "elements"))")
    case .tooDeep:
      localized(
        "\"\(path)\" of \(object) would be nested more than \(JSONNode.depthLimit) levels deep")
    }
  }

  var help: String? {
    switch reason {
    case .noKey(let key, .array):
      localized("write the element that has the key: \(path)[0].\(key.writtenName)")
    case .noElement(let count) where count > 0: localized("the last one is \(path)[\(count - 1)]")
    case .noKey, .noElement, .noElements, .tooDeep: nil
    }
  }
}
