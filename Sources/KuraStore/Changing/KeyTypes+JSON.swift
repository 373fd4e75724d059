import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraModel
import KuraValues

/// The types of a change's keys, as a history and a recovery file store them:
///
///     {"Item": {"category": {"object": "Category"}, "title": "string"}}
extension KeyTypes {
  /// On one line, sorted by entity and key.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.append(node, to: &bytes)
    return bytes
  }

  private var node: JSONNode {
    JSONNode(
      .object(
        entities.sorted { $0.key < $1.key }.map { entity, keys in
          let members = keys.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.node) }
          return JSONMember(entity, JSONNode(.object(members)))
        }))
  }

  /// Throws `StrangeRecord` for anything that `bytes` does not write.
  init(reading node: JSONNode) throws(StrangeRecord) {
    self.init()
    guard case .object(let members) = node.kind else { throw StrangeRecord() }
    for member in members {
      guard case .object(let keys) = member.value.kind else { throw StrangeRecord() }
      for key in keys { entities[member.key, default: [:]][key.key] = try Kind(reading: key.value) }
    }
  }
}

extension KeyTypes.Kind {
  fileprivate var node: JSONNode {
    switch self {
    case .attribute(let type): JSONNode(.string(type.rawValue))
    case .object(let entity): JSONNode(.object([JSONMember("object", JSONNode(.string(entity)))]))
    case .objects(let entity): JSONNode(.object([JSONMember("objects", JSONNode(.string(entity)))]))
    }
  }

  fileprivate init(reading node: JSONNode) throws(StrangeRecord) {
    if case .string(let name) = node.kind, let type = AttributeType(rawValue: name) {
      self = .attribute(type)
    } else if case .string(let entity)? = node["object"]?.kind {
      self = .object(entity)
    } else if case .string(let entity)? = node["objects"]?.kind {
      self = .objects(entity)
    } else {
      throw StrangeRecord()
    }
  }
}

extension Graph {
  /// Applies a record, or throws `StrangeRecord` if it cannot have been made for this graph or
  /// results in something that no document can have. After an error the graph must not be used.
  ///
  /// Returns the first value that differs from the one that the record replaced: `Item/3.title`.
  mutating func admit(_ kept: KeptChange) throws(StrangeRecord) -> String? {
    guard fits(kept.nextNumbers) else { throw StrangeRecord() }
    let other = otherOldValue(in: kept.change)
    do throws(Diagnostic) { try admit(kept.change, checkingOld: true) } catch {
      throw StrangeRecord(reason: error.facts.sentence)
    }
    if let fault = formFault(after: kept.change) { throw StrangeRecord(reason: fault.sentence) }
    raiseNextNumbers(kept.nextNumbers)
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
