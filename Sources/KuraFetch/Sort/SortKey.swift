import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The values of one sort key for the rows that are sorted.
enum SortKeyColumn {
  /// Numbers of 64 bits with the order of the values, equal for equal values.
  case exact([UInt64])
  /// Texts that a locale orders, and the index of each place's text.
  case collated([UInt32], CollatedTexts)
  /// Values of the reference evaluator.
  case values([Value])
}

struct SortKey {
  let tree: SortTree
  let column: SortKeyColumn
  /// The places with a null value; nil if there are none.
  let nulls: [Bool]?
}

extension SortKey {
  /// Reads or evaluates the key for each row. `whole`: all rows are sorted, not only the first.
  init(
    _ tree: SortTree, _ request: BoundRequest, _ rows: [UInt32], whole: Bool
  ) throws(Diagnostic) {
    guard let key = tree.plainKey, key == "objectID" || key == objectNumberKey else {
      let values = try request.values(of: tree.expression, rows)
      try self.init(tree, values, request.environment, whole: whole)
      return
    }
    let identifiers = request.table.identifiers
    let words = rows.map { identifiers[Int($0)].orderedWord }
    self.init(tree: tree, column: .exact(words), nulls: nil)
  }

  init(
    _ tree: SortTree, _ values: [Value], _ environment: FetchEnvironment, whole: Bool
  ) throws(Diagnostic) {
    self.tree = tree
    column = try .of(values, tree, environment, whole: whole)
    nulls = values.contains { $0.isNull } ? values.map { $0.isNull } : nil
  }
}

/// A text that is equal only to a text with the same scalars.
private struct ScalarText: Hashable {
  let text: String

  static func == (a: ScalarText, b: ScalarText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension SortKeyColumn {
  /// Returns the values as words or texts if possible; otherwise unchanged.
  fileprivate static func of(
    _ values: [Value], _ tree: SortTree, _ environment: FetchEnvironment, whole: Bool
  ) throws(Diagnostic) -> SortKeyColumn {
    let words = AggregateValues(values).orderedWords(
      Array(values.indices), isAscending: true, nullsFirst: true)
    if let words { return .exact(words) }
    guard tree.isNatural || tree.options.contains(.localeSensitive),
      let (places, texts) = collated(values, tree, environment)
    else { return .values(values) }
    guard whole, texts.count > 0 else { return .collated(places, texts) }
    // If all rows are sorted, ranks replace the texts, so that a comparison compares numbers.
    guard let ranks = texts.ranks(environment.cancel) else {
      throw Diagnostic(EvaluationError.stopped)
    }
    return .exact(places.map { UInt64(ranks[Int($0)]) })
  }

  /// Stores each distinct text once; nil if there are values other than texts and nulls.
  private static func collated(
    _ values: [Value], _ tree: SortTree, _ environment: FetchEnvironment
  ) -> ([UInt32], CollatedTexts)? {
    var numbers = Numbering<ScalarText>()
    var (places, texts): ([UInt32], [String]) = ([], [])
    for value in values {
      guard case .string(let text) = value else {
        guard value.isNull else { return nil }
        places.append(0)
        continue
      }
      let number = numbers.number(of: ScalarText(text: text))
      if number == texts.count { texts.append(text) }
      places.append(number)
    }
    let options = TextOptions(rawValue: tree.options.rawValue)
    return CollatedTexts(texts, isNatural: tree.isNatural, options, environment.locale)
      .map { (places, $0) }
  }
}

extension SortTree {
  /// The key, if the descriptor sorts by an attribute without special options.
  var plainKey: String? {
    guard !isNatural, options.isSubset(of: .normalized), case .keyPath(let path) = expression.kind
    else { return nil }
    return path.onlyKey?.name
  }
}

extension BoundRequest {
  /// Returns the texts of a sort key as bytes with the order of the key's options; nil for other keys, and for options
  /// with which a locale orders.
  func foldedColumn(_ tree: SortTree, _ rows: [Bitmap]) -> Column? {
    let options = TextOptions(rawValue: tree.options.rawValue)
    guard !tree.isNatural, !options.contains(.localeSensitive), let fold = TextFold.of(options),
      typeOfColumn(tree.expression) == .string,
      let whole = wholeColumn(tree.expression, rows)
    else { return nil }
    let column = whole.column
    let chunks = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      column.chunks[number].sortKeys(fold, column.dictionary, rows[number])
    }
    return chunks.unwrapped().map { Column(column.kind, chunks: $0) }
  }
}

extension Column {
  /// Returns binary data, stored in base64, as texts with the order of the data's bytes.
  ///
  /// Digits are replaced by their values plus one, and the padding by zero: the six bits of a digit are compared before
  /// the next digit's, and data precedes longer data that begins with it.
  func orderedBase64(_ rows: [Bitmap]) -> Column? {
    let chunks = Workers.map(count: rows.count, inParallel: rows.count > 2) {
      number -> ColumnChunk? in
      let chunk = self.chunks[number]
      if rows[number].isEmpty { return ColumnChunk(.text(TextChunk())) }
      guard let lane = TextLane(chunk, dictionary) else { return nil }
      return ColumnChunk(.text(lane.orderedBase64(rows[number].count)), nulls: chunk.nulls)
    }
    return chunks.unwrapped().map { Column(kind, chunks: $0) }
  }
}

extension TextLane {
  fileprivate func orderedBase64(_ count: Int) -> TextChunk {
    var builder = TextBuilder(count)
    var ordered: [UInt8] = []
    forEach(count) { _, text in
      ordered.removeAll(keepingCapacity: true)
      for digit in text { ordered.append(Self.ordersOfDigits[Int(digit)]) }
      ordered.withUnsafeBufferPointer { builder.append($0) }
    }
    return TextChunk(bytes: builder.texts.bytes, ends: builder.texts.ends)
  }

  private static let ordersOfDigits: [UInt8] = {
    var orders = [UInt8](repeating: 0, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { orders[Int(digit)] = UInt8(value + 1) }
    return orders
  }()
}

extension ColumnChunk {
  /// Returns the sort keys of the wanted texts; nil unless the chunk has texts.
  fileprivate func sortKeys(
    _ fold: TextFold, _ dictionary: TextDictionary?, _ rows: Bitmap
  ) -> ColumnChunk? {
    if rows.isEmpty { return ColumnChunk(.text(TextChunk())) }
    guard let lane = TextLane(self, dictionary) else { return nil }
    let few = rows.popcount * 2 > rows.count ? nil : rows
    let keys = lane.sortKeys(fold, rows.count, ofFew: few).chunk(rows.count)
    return ColumnChunk(.text(keys), nulls: nulls)
  }
}
