import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// The kernel of an attribute compared with a literal, or nil.
  mutating func attributeLeaf(
    _ question: LeafQuestion, _ column: Int, _ type: AttributeType, _ scope: FilterScope
  ) -> Filter? {
    let table = graph.tables[scope.place.table]
    if type == .string, !question.literal.isNull, table.columns[column].dictionary != nil {
      return encodedLeaf(question.predicate, scope)
    }
    return kernel(question, column, type, scope).map { node(question.predicate, .kernel($0)) }
  }

  private mutating func kernel(
    _ question: LeafQuestion, _ column: Int, _ type: AttributeType, _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    let operation = question.comparison.operation
    let table = graph.tables[scope.place.table]
    let key = table.layout.columns[column].key
    if question.literal.isNull { return nullKernel(operation, column, key) }
    let asked = AskedColumn(
      column: column, type: type, key: key, table: table, isUnique: isUnique(key, scope.entity))
    if asked.isUnique, let kernel = indexKernel(question, asked) { return kernel }
    if let kernel = declaredIndexKernel(question, asked, scope) { return kernel }
    switch type {
    case .integer, .integer16, .integer32, .date, .boolean:
      guard let ranges = question.literal.integerRanges(operation) else { return nil }
      if ranges.count >= IntegerSetKernel.least, type != .boolean {
        return IntegerSetKernel(column: column, key: key, ranges: ranges)
      }
      return IntegerRangeKernel(
        column: column, key: key, ranges: ranges, isNegated: operation == .notEqual)
    case .double, .float:
      guard let ranges = question.literal.doubleRanges(operation) else { return nil }
      return rangeKernel(column, key, ranges, operation)
    case .string:
      return indexKernel(question, asked) ?? textKernel(question, column, key)
    case .uuid, .uri: return indexKernel(question, asked) ?? storedTextKernel(question, asked)
    case .decimal:
      return Self.column(column, type).flatMap {
        vectorKernel(question.comparison, question.predicate, left: $0, scope)
      }
    case .binary, .json: return nil
    }
  }

  func rangeKernel(
    _ column: Int, _ key: String, _ ranges: [ClosedRange<Double>], _ operation: ComparisonOperator
  ) -> any ChunkKernel {
    DoubleRangeKernel(
      column: column, key: key, ranges: ranges, isNegated: operation == .notEqual)
  }

  private func nullKernel(
    _ operation: ComparisonOperator, _ column: Int, _ key: String
  ) -> (any ChunkKernel)? {
    switch operation {
    case .equal: NullKernel(column: column, key: key, isNegated: false)
    case .notEqual: NullKernel(column: column, key: key, isNegated: true)
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like, .beginsWith, .endsWith,
      .contains, .in, .between, .selector, .unsupported:
      nil
    }
  }

  /// Whether a UUID or URI is one, or one of some: its text is.
  private func storedTextKernel(
    _ question: LeafQuestion, _ asked: AskedColumn
  ) -> (any ChunkKernel)? {
    switch question.comparison.operation {
    case .equal, .notEqual: break
    case .in: return storedTextSet(question, asked)
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like, .beginsWith, .endsWith,
      .contains, .between, .selector, .unsupported:
      return nil
    }
    guard question.comparison.options.isEmpty,
      let text = question.literal.storedText(as: asked.type), !text.isEmpty
    else { return nil }
    let needle = TextNeedle(text, [], locale: environment.locale)
    return TextKernel(
      column: asked.column, key: asked.key, needle: needle, test: .equals,
      isNegated: question.comparison.operation == .notEqual, cancel: environment.cancel)
  }

  private func storedTextSet(
    _ question: LeafQuestion, _ asked: AskedColumn
  ) -> (any ChunkKernel)? {
    guard question.comparison.options.isEmpty, case .list(let elements) = question.literal else {
      return nil
    }
    var texts: [Value] = []
    for element in elements where !element.isNull {
      guard let text = element.storedText(as: asked.type) else { return nil }
      texts.append(.string(text))
    }
    let asTexts = LeafQuestion(
      comparison: question.comparison, literal: .list(texts), predicate: question.predicate)
    return TextOrderKernel(asTexts, asked.column, asked.key, [])
  }

  /// The kernel of a text compared with a literal, or nil.
  func textKernel(
    _ question: LeafQuestion, _ column: Int, _ key: String
  ) -> (any ChunkKernel)? {
    let options = TextOptions(rawValue: question.comparison.options.rawValue)
    if let order = TextOrderKernel(question, column, key, options) { return order }
    if let set = FoldedSetKernel(question, column, key, options) { return set }
    if let range = FoldedRangeKernel(question, column, key, options) { return range }
    // The empty needle is nowhere, and equals only the empty text: the reference says so.
    guard case .string(let text) = question.literal, !text.isEmpty else { return nil }
    let test: TextTest
    switch question.comparison.operation {
    case .like: return LikeKernel(column: column, key: key, text: text, options: options)
    case .matches:
      // Whether the pattern is one is ICU's to say; what is folded in it too.
      guard let expression = try? RegularExpression.cached(text, options) else { return nil }
      let automaton: (any ChunkKernel)? =
        options.folds
        ? FoldedMatchKernel(column: column, key: key, text: text, options: options)
        : MatchKernel(column: column, key: key, text: text)
      if let automaton { return automaton }
      return ExpressionKernel(
        column: column, key: key, expression: expression, cancel: environment.cancel,
        literal: options.folds ? ExpressionKernel.literal(text) : nil)
    case .contains: test = .contains
    case .beginsWith: test = .begins
    case .endsWith: test = .ends
    case .equal, .notEqual: test = .equals
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between, .selector, .unsupported:
      return nil
    }
    return TextKernel(
      column: column, key: key, needle: TextNeedle(text, options, locale: environment.locale),
      test: test, isNegated: question.comparison.operation == .notEqual,
      cancel: environment.cancel)
  }
}
