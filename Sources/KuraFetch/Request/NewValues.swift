import Foundation
import KuraBytes
import KuraChecking
package import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
package import KuraValues

extension BoundRequest {
  /// Returns the values of an expression for objects of the request, for `update … set`.
  ///
  /// With a type, a literal is read as that type. An expression without keys is evaluated once; many objects may get a
  /// column. Throws if a name is unknown, a literal does not fit, or the evaluation fails for an object.
  package func newValues(
    of expression: ExpressionTree, for objects: FetchResult, as type: AttributeType?
  ) throws(Diagnostic) -> NewValues {
    var request = self
    request.shared = SharedEnvironment(environment.ofStoredValues, snapshot.graph.model)
    return try request.storedValues(of: expression, for: objects, as: type)
  }

  private func storedValues(
    of expression: ExpressionTree, for objects: FetchResult, as type: AttributeType?
  ) throws(Diagnostic) -> NewValues {
    let tree = try Resolver(snapshot, shared).resolved(expression, of: entity, as: type).tree
    if let type, objects.count >= Self.fewestForColumn, let column = column(of: tree, objects, type)
    {
      return .column(column)
    }
    if case .constant(let constant) = tree.kind {
      return .each(Array(repeating: constant.value, count: objects.count))
    }
    let values = try values(of: tree, objects.rows)
    // Each text is within its limit, but their sum may not be.
    guard values.reduce(0, { $0 + $1.textLength }) <= Self.mostBytes else {
      throw Diagnostic(EvaluationError.tooLarge(.bytes(Self.mostBytes)), at: expression.span)
    }
    return .each(values)
  }

  private static var mostBytes: Int { 1 << 30 }
  private static var fewestForColumn: Int { 1024 }

  /// Returns the column of values as a type stores them; nil if they must be converted one by one.
  private func column(
    of tree: ExpressionTree, _ objects: FetchResult, _ type: AttributeType
  ) -> Column? {
    if case .constant(let constant) = tree.kind {
      guard constant.value.isNull || type.holds(constant.value) else { return nil }
      return Column(repeating: StoredCell(constant.value, as: type), type, table.chunkCount)
    }
    guard let whole = wholeColumn(tree, table.bitmaps(of: objects.rows)),
      let column = whole.stored(as: type), column.fits(objects.rows, type, Self.mostBytes)
    else { return nil }
    return column
  }
}

extension WholeColumn {
  /// Returns the column as an attribute of a type stores it; nil for values of another type.
  fileprivate func stored(as wanted: AttributeType) -> Column? {
    if type == .decimal, column.scale != nil {
      return wanted == .decimal ? column.decimalTexts : nil
    }
    if type == wanted { return column }
    switch (type, wanted) {
    case (.double, .float):
      let chunks = column.chunks.map { chunk in
        chunk.doubles.map {
          ColumnChunk(.doubles($0.map { Double(Float($0)) }), nulls: chunk.nulls)
        } ?? chunk
      }
      return Column(.attribute(.float), chunks: chunks)
    case (.integer, .integer16), (.integer, .integer32):
      return Column(.attribute(wanted), chunks: column.chunks)
    default: return nil
    }
  }
}

extension Column {
  /// Decimals, stored as integers with a number of places, as texts.
  fileprivate var decimalTexts: Column {
    guard let scale else { return self }
    let made = Workers.map(count: chunks.count, inParallel: chunks.count > 1) { number in
      guard case .integers(let integers) = chunks[number].values else {
        return ColumnChunk(.text(TextChunk()))
      }
      var texts = TextChunk()
      for integer in integers {
        let decimal = ScaledDecimal(scale.integer(integer), places: scale.places)
        texts.append(Array(decimal.text.utf8), isOdd: false)
      }
      return ColumnChunk(.text(texts), nulls: chunks[number].nulls)
    }
    return Column(.attribute(.decimal), chunks: made)
  }

  /// Creates chunks with the same value in every row; returns nil for long texts.
  fileprivate init?(repeating cell: StoredCell, _ type: AttributeType, _ chunks: Int) {
    let count = ColumnChunk.capacity
    let values: ColumnChunk.Values
    var texts: TextDictionary?
    switch type {
    case .integer, .integer16, .integer32, .date:
      var number: Int64 = 0
      if case .integer(let x) = cell { number = x }
      values = .integers(Array(repeating: number, count: count))
    case .double, .float:
      var number = 0.0
      if case .double(let x) = cell { number = x }
      values = .doubles(Array(repeating: number, count: count))
    case .boolean:
      values = .bytes(Array(repeating: cell == .boolean(true) ? 1 : 0, count: count))
    case .string, .decimal, .uuid, .uri, .binary, .json:
      var text = ""
      if case .text(let x) = cell { text = x }
      guard text.utf8.count <= 1024 else { return nil }
      var dictionary = TextDictionary()
      _ = dictionary.encode(text, isOdd: cell.isOddText)
      texts = dictionary
      values = .bytes(Array(repeating: 0, count: count))
    }
    let nulls = cell == .null ? Bitmap(count: count, filledWith: true) : nil
    self.init(
      .attribute(type), chunks: Array(repeating: ColumnChunk(values, nulls: nulls), count: chunks),
      dictionary: texts)
  }

  /// Returns whether the values of some rows can be stored: numbers are finite, dates in range, and the texts of all
  /// chunks have at most `most` bytes.
  fileprivate func fits(_ rows: [UInt32], _ type: AttributeType, _ most: Int) -> Bool {
    switch type {
    case .double, .float, .date, .integer16, .integer32:
      rows.allSatisfy { isNull(Int($0)) || type.holds(value(Int($0))) }
    case .string, .uri, .binary, .json:
      dictionary.map { rows.count * $0.longest }
        ?? chunks.reduce(0) { $0 + ($1.compactTexts?.bytes.count ?? 0) } <= most
    default: true
    }
  }
}

extension TextDictionary {
  fileprivate var longest: Int { (0..<count).reduce(0) { max($0, texts.packedRange($1).count) } }
}

extension Value {
  fileprivate var textLength: Int {
    if case .string(let text) = self { text.utf8.count } else { 0 }
  }
}

extension AttributeType {
  /// Converts a computed value to this type: `3` to a double, a variable's string to a date.
  package func taking(
    _ value: Value, in environment: FetchEnvironment, at span: SourceSpan? = nil
  ) throws(Diagnostic) -> Value {
    if holds(value) { return value }
    do {
      if case .decimal(let number) = value, isNumeric {
        return try self.value(ofDigits: number.description)
      }
      return try self.value(
        of: Constant(value), in: environment.rules, from: .person(now: environment.now))
    } catch {
      throw Diagnostic(error, at: span)
    }
  }
}
