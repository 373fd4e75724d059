import KuraModel
import KuraValues

/// Which keys and which kinds of values JSON has, as the first rows of a column show.
///
/// Of a list the elements count as what stands there: `lines.qty` leads through both.
package struct JSONShape: Sendable {
  private var below: [String: JSONShape] = [:]
  private var lists = 0
  private var dictionaries = 0
  private var others = 0
  private var numbers = 0
  private var texts = 0
  private var singles = 0
  /// How many values were looked at.
  package private(set) var rows = 0
  /// Whether these are all that the chunk has.
  fileprivate var isWhole = false

  /// Whether whatever stands there is a list.
  package var isLists: Bool { lists > 0 && dictionaries == 0 && others == 0 }
  /// Whether all single values are numbers, those of a list with them.
  package var isNumbers: Bool { numbers > 0 && numbers == singles && dictionaries == 0 }
  /// Whether all single values are texts.
  package var isTexts: Bool { texts > 0 && texts == singles && dictionaries == 0 }
  /// The keys of the dictionaries that stand there or in a list there.
  package var keys: [String] { below.keys.sorted() }

  /// What stands behind a key; nil where none of the rows has it.
  package subscript(key: String) -> JSONShape? { below[key] }
}

extension JSONShape {
  /// How many rows are looked at.
  private static let mostRows = 256
  /// How many bytes of JSON.
  private static let mostBytes = 1 << 20

  /// The shape of the first rows' values.
  fileprivate init(_ chunk: ColumnChunk) {
    guard case .text(let text) = chunk.keptOnly else { return }
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

  private mutating func noteSingle(_ kind: WritableKeyPath<JSONShape, Int>?, _ inList: Bool) {
    singles += 1
    others += inList ? 0 : 1
    if let kind { self[keyPath: kind] += 1 }
  }
}

extension Column {
  /// What the JSON of the first rows has, made once; nil where there is no row.
  package var jsonShape: JSONShape? {
    guard let chunk = chunks.first, kind == .attribute(.json) else { return nil }
    return chunk.derived.shape { JSONShape(chunk) }
  }

  /// Whether a shape shows all that the rows have.
  package func shows(_ shape: JSONShape) -> Bool { shape.isWhole && chunks.count == 1 }
}
