import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// A column that a question is about.
struct AskedColumn {
  let column: Int
  let type: AttributeType
  let key: String
  let table: Table
  /// Whether each object has a value of its own.
  let isUnique: Bool
}

extension FilterCompiler {
  /// The rows that an index leads to, where a value is equal to one that few have, or to one of
  /// some.
  func indexKernel(_ question: LeafQuestion, _ asked: AskedColumn) -> (any ChunkKernel)? {
    guard question.comparison.options.isEmpty, let values = question.equalValues else { return nil }
    // Without an index yet the texts of a list are looked for all at once.
    guard asked.isUnique || question.comparison.operation == .equal else { return nil }
    var rows: Set<Int> = []
    for value in values {
      guard let found = self.rows(of: value, asked) else { return nil }
      rows.formUnion(found)
    }
    return RowsKernel(
      ranges: SortedRanges(rows: rows), isNegated: false,
      method: localized("index of \(asked.key)"))
  }

  private func rows(of value: Value, _ asked: AskedColumn) -> [Int]? {
    switch asked.type {
    case .string, .uuid, .uri:
      guard let text = value.storedText(as: asked.type) else { return nil }
      return asked.table.rows(
        ofColumn: asked.column, withText: Array(text.utf8), isUnique: asked.isUnique)
    case .integer, .integer16, .integer32, .date:
      // Integers are compared so fast that only a unique key is worth an index.
      guard asked.isUnique, let number = value.integerRanges(.equal) else { return nil }
      guard let point = number.first else { return [] }
      return asked.table.rows(ofUniqueColumn: asked.column, withInteger: point.lowerBound)
    case .boolean, .double, .float, .decimal, .binary, .json: return nil
    }
  }

  /// Whether the model says that no two objects of the entity have the same value of a key.
  func isUnique(_ key: String, _ entity: String) -> Bool {
    graph.model.allUniquenessConstraints(of: entity).contains { $0.keys == [key] }
  }
}

extension Value {
  /// The text in which a column holds a text, a UUID or a URI; nil for other values.
  func storedText(as type: AttributeType) -> String? {
    switch (type, self) {
    case (.string, .string(let text)), (.uri, .uri(let text)): text
    case (.uuid, .uuid(let uuid)): uuid.uuidString
    default: nil
    }
  }
}

extension LeafQuestion {
  /// The values of `==` and of a short IN, without nil, which is in no list; nil for other
  /// operators.
  fileprivate var equalValues: [Value]? {
    switch (comparison.operation, literal) {
    case (.equal, _): [literal]
    case (.in, .list(let elements)) where elements.count <= 64: elements.filter { !$0.isNull }
    default: nil
    }
  }
}
