import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A range of values of a key, in its order.
enum KeyRange: Sendable {
  /// Numbers, dates and booleans, as words with their order
  case numbers(ClosedRange<UInt64>)
  case texts(TextRange)
}

/// A range of texts in the order of their bytes.
struct TextRange: Sendable {
  var from: [UInt8]?
  var includesFrom = true
  var to: [UInt8]?
  var includesTo = true
  /// The number of leading bytes that are compared; nil for all.
  var length: Int?

  /// Returns whether a text is before, in or after the range.
  func place(of text: UnsafeBufferPointer<UInt8>) -> ValueOrder {
    let text = UnsafeBufferPointer(rebasing: text[..<min(text.count, length ?? text.count)])
    if let from {
      let order = from.withUnsafeBufferPointer { Bytes.compare(text, $0) }
      if order == .before || order == .same && !includesFrom { return .before }
    }
    guard let to else { return .same }
    let order = to.withUnsafeBufferPointer { Bytes.compare(text, $0) }
    return order == .after || order == .same && !includesTo ? .after : .same
  }
}

extension LeafComparison {
  /// Returns the ranges of a key's values for which the comparison is true; nil if they do not form ranges.
  func ranges(of type: AttributeType, _ column: Column) -> [KeyRange]? {
    guard comparison.options.isEmpty, comparison.operation != .notEqual else { return nil }
    switch type {
    case .integer, .integer16, .integer32, .date, .boolean:
      return literal.integerRanges(comparison.operation)?.map {
        .numbers($0.lowerBound.orderedWord...$0.upperBound.orderedWord)
      }
    case .double, .float:
      return literal.doubleRanges(comparison.operation)?.map {
        .numbers($0.lowerBound.orderedBits...$0.upperBound.orderedBits)
      }
    case .string: return textRanges(column)?.map { .texts($0) }
    case .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }

  private func textRanges(_ column: Column) -> [TextRange]? {
    switch (comparison.operation, literal) {
    case (.equal, .string(let x)): [TextRange(from: x.bytes, to: x.bytes)]
    case (.beginsWith, .string(let x)): prefix(x, column)
    case (.in, .list(let elements)) where elements.count <= 64:
      elements.texts?.map { TextRange(from: $0.bytes, to: $0.bytes) }
    default: textRange.map { [$0] }
    }
  }

  /// The range of texts that `<`, `<=`, `>`, `>=` and BETWEEN describe; nil for other operators.
  var textRange: TextRange? {
    switch (comparison.operation, literal) {
    case (.less, .string(let x)): return TextRange(to: x.bytes, includesTo: false)
    case (.lessOrEqual, .string(let x)): return TextRange(to: x.bytes)
    case (.greater, .string(let x)): return TextRange(from: x.bytes, includesFrom: false)
    case (.greaterOrEqual, .string(let x)): return TextRange(from: x.bytes)
    case (.between, .list(let bounds)):
      guard bounds.count == 2, case .string(let x) = bounds[0], case .string(let y) = bounds[1]
      else { return nil }
      return TextRange(from: x.bytes, to: y.bytes)
    default: return nil
    }
  }

  /// Returns the texts that begin with a text; nil if bytes alone do not decide that.
  private func prefix(_ text: String, _ column: Column) -> [TextRange]? {
    guard !text.isEmpty, !OddScalars.areIn(text), !column.hasOddTexts else { return nil }
    return [TextRange(from: text.bytes, to: text.bytes, length: text.utf8.count)]
  }
}

extension [Value] {
  /// The texts, without null; nil if there are other values.
  var texts: [String]? {
    filter { !$0.isNull }.mapAll { if case .string(let text) = $0 { text } else { nil } }
  }
}

extension Column {
  /// Whether a search of bytes may differ from Foundation's answer.
  fileprivate var hasOddTexts: Bool {
    if let dictionary { return dictionary.texts.oddRows != nil }
    return chunks.contains { $0.compactTexts?.oddRows != nil }
  }
}

extension OddScalars {
  fileprivate static func areIn(_ text: String) -> Bool {
    text.bytes.withUnsafeBufferPointer { areIn($0) }
  }
}

extension String {
  fileprivate var bytes: [UInt8] { Array(utf8) }
}
