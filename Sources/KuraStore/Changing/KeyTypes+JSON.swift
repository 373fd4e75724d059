import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraModel
import KuraValues

/// The types of a change's keys, as a history and a recovery file store them:
///
///     {"Item": {"category": {"object": "Category"}, "title": "string"}}
extension KeyTypes {
  /// Sorted by entity and key.
  var node: JSONNode {
    JSONNode(
      .object(
        entities.sorted { $0.key < $1.key }.map { entity, keys in
          let members = keys.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.node) }
          return JSONMember(entity, JSONNode(.object(members)))
        }))
  }

  /// Throws `InvalidRecord` for anything that `node` does not write.
  init(reading node: JSONNode) throws(InvalidRecord) {
    self.init()
    guard case .object(let members) = node.kind else { throw InvalidRecord() }
    for member in members {
      guard case .object(let keys) = member.value.kind else { throw InvalidRecord() }
      for key in keys { entities[member.key, default: [:]][key.key] = try Kind(reading: key.value) }
    }
  }
}

extension KeyTypes.Kind {
  fileprivate var node: JSONNode {
    switch self {
    case .attribute(let type): JSONNode(type.rawValue)
    case .object(let entity): JSONNode(["object": JSONNode(entity)])
    case .objects(let entity): JSONNode(["objects": JSONNode(entity)])
    }
  }

  fileprivate init(reading node: JSONNode) throws(InvalidRecord) {
    if case .string(let name) = node.kind, let type = AttributeType(rawValue: name) {
      self = .attribute(type)
    } else if case .string(let entity)? = node["object"]?.kind {
      self = .object(entity)
    } else if case .string(let entity)? = node["objects"]?.kind {
      self = .objects(entity)
    } else {
      throw InvalidRecord()
    }
  }
}

extension Graph {
  /// Applies a record, or throws `InvalidRecord` if it cannot have been made for this graph or
  /// results in a state that no document can represent. After an error the graph must not be used.
  ///
  /// Returns the first value that differs from the one that the record replaced: `Item/3.title`.
  mutating func admit(_ journaled: JournaledChange) throws(InvalidRecord) -> String? {
    guard fits(journaled.nextNumbers) else { throw InvalidRecord() }
    let other = otherOldValue(in: journaled.change)
    do throws(Diagnostic) { try admit(journaled.change, checkingOld: true) } catch {
      throw InvalidRecord(reason: error.facts.sentence)
    }
    if let fault = unrepresentableState(after: journaled.change) {
      throw InvalidRecord(reason: fault.sentence)
    }
    raiseNextNumbers(journaled.nextNumbers)
    return other
  }

  /// Returns whether the numbers, by root entity, are possible in a document.
  private func fits(_ next: [String: Int64]) -> Bool {
    next.allSatisfy { root, number in
      tables.contains { $0.layout.root == root }
        && (1...ObjectID.greatestNumber + 1).contains(number)
    }
  }
}
