import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// What is asked for keys: a dictionary, an object of a graph, or something else with keys.
struct ReadKeys {
  let reader: any KeyReadable
  /// All of them; nil where nobody can say.
  private let known: [String]?

  init(_ reader: any KeyReadable) {
    self.reader = reader
    switch reader {
    case let dictionary as ValueDictionary: known = dictionary.keys
    case let object as GraphObject: known = object.ownKeys
    case let object as ObjectSnapshot: known = object.object.ownKeys
    case let object as ManagedObject: known = object.graphObject?.ownKeys ?? []
    default: known = nil
    }
  }

  var names: [String] { known ?? [] }

  /// `objectID` is a key of every object.
  func has(_ key: String) -> Bool {
    known.map { $0.contains(key) || key == "objectID" && reader.objectID != nil } ?? true
  }

  func value(_ key: String) throws -> Value { try reader.value(forKey: key) }
}

extension GraphObject {
  /// The keys of its entity.
  fileprivate var ownKeys: [String] { snapshot.graph.model.keys(of: entityName) }
}

extension Value {
  /// Its keys, if it has some.
  var readKeys: ReadKeys? {
    switch self {
    case .dictionary(let dictionary): ReadKeys(dictionary)
    case .object(let reference): ReadKeys(reference.reader)
    default: nil
    }
  }

  /// What it is, for a message.
  var kindName: String {
    switch self {
    case .null: "nothing"
    case .integer, .double, .decimal: "a number"
    case .boolean: "YES or NO"
    case .string: "a string"
    case .date: "a date"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .binary: "bytes"
    case .list, .set: "several values"
    case .dictionary: "a dictionary"
    case .object(let reference): reference.id.map { "the object \($0)" } ?? "an object"
    }
  }
}
