import KuraModel
import KuraValues

/// The keys and kinds of values in JSON, from the first rows of a column.
///
/// The elements of a list count as if they replaced the list: `lines.qty` reads each line.
package struct JSONShape: Sendable {
  private var below: [String: JSONShape] = [:]
  private var lists = 0
  private var dictionaries = 0
  private var others = 0
  private var numbers = 0
  private var texts = 0
  private var singles = 0
  /// The number of values that were examined.
  package private(set) var rows = 0
  /// Whether all values of the chunk were examined.
  fileprivate var isWhole = false

  /// Whether all values here are lists.
  package var isLists: Bool { lists > 0 && dictionaries == 0 && others == 0 }
  /// Whether all single values are numbers, including elements of lists.
  package var isNumbers: Bool { numbers > 0 && numbers == singles && dictionaries == 0 }
  /// Whether all single values are texts.
  package var isTexts: Bool { texts > 0 && texts == singles && dictionaries == 0 }
  /// The keys of the dictionaries here, directly or in a list.
  package var keys: [String] { below.keys.sorted() }

  /// The shape of the values of a key; nil if no row has it.
  package subscript(key: String) -> JSONShape? { below[key] }
}

extension JSONShape {
  /// The shape of the values of all keys; nil if there are no keys.
  package var allValues: JSONShape? { JSONShape(Array(below.values)) }

  /// Creates the shape of the values of several shapes; nil if there are none.
  package init?(_ shapes: [JSONShape]) {
    guard let first = shapes.first else { return nil }
    self = shapes.dropFirst().reduce(into: first) { $0.add($1) }
  }

  /// The maximum number of rows to examine.
  private static let mostRows = 256
  /// The maximum number of bytes of JSON to examine.
  private static let mostBytes = 1 << 20

  /// Creates the shape of the first rows' values.
  fileprivate init(_ chunk: ColumnChunk) {
    guard let text = chunk.compactTexts else { return }
    var room = Self.mostBytes
    for row in 0..<min(chunk.count, Self.mostRows) {
      guard let place = chunk.place(of: row) else { continue }
      text.withText(place) { room -= $0.count }
      guard room >= 0 else { return }
      note(Value(jsonText: text.string(place)))
      rows += 1
    }
    isWhole = chunk.count <= Self.mostRows
  }

  private mutating func note(_ value: Value, inList: Bool = false) {
    switch value {
    case .null: break
    case .list(let elements):
      lists += inList ? 0 : 1
      for element in elements { note(element, inList: true) }
    case .dictionary(let dictionary):
      dictionaries += inList ? 0 : 1
      for (key, value) in zip(dictionary.keys, dictionary.values) {
        below[key, default: JSONShape()].note(value)
      }
    case .integer, .double, .decimal: noteSingle(\.numbers, inList)
    case .string: noteSingle(\.texts, inList)
    case .boolean, .date, .uuid, .uri, .binary, .set, .object: noteSingle(nil, inList)
    }
  }

  private mutating func add(_ other: JSONShape) {
    for (key, shape) in other.below { below[key, default: JSONShape()].add(shape) }
    let counts: [WritableKeyPath<JSONShape, Int>] = [
      \.lists, \.dictionaries, \.others, \.numbers, \.texts, \.singles, \.rows,
    ]
    for count in counts { self[keyPath: count] += other[keyPath: count] }
  }

  private mutating func noteSingle(_ kind: WritableKeyPath<JSONShape, Int>?, _ inList: Bool) {
    singles += 1
    others += inList ? 0 : 1
    if let kind { self[keyPath: kind] += 1 }
  }
}

extension Column {
  /// The shape of the JSON in the first rows, computed once; nil if there are no rows.
  package var jsonShape: JSONShape? {
    guard let chunk = chunks.first, kind == .attribute(.json) else { return nil }
    return chunk.derived.shape { JSONShape(chunk) }
  }

  /// Returns whether a shape covers all rows.
  package func shows(_ shape: JSONShape) -> Bool { shape.isWhole && chunks.count == 1 }
}
