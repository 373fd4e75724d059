import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// Looks for a kernel for each node of a bound predicate.
struct FilterCompiler {
  let graph: Graph
  let place: EntityPlace
  let environment: FetchEnvironment

  private var table: Table { graph.tables[place.table] }

  func filter(_ predicate: PredicateTree) -> Filter {
    switch predicate.kind {
    case .constant(let value): return .constant(value)
    case .not(let inner): return .not(filter(inner))
    case .and(let parts): return .and(Filter.ordered(parts.map { filter($0) }))
    case .or(let parts): return .or(Filter.ordered(parts.map { filter($0) }))
    case .truth: return .reference(predicate)
    case .comparison(let comparison):
      if let kernel = kernel(comparison, predicate) { return .kernel(kernel) }
      return expressionKernel(comparison).map { .expression($0, predicate) }
        ?? .reference(predicate)
    }
  }
}

extension FilterCompiler {
  /// The kernel of a comparison of one attribute with literals, or nil.
  private func kernel(_ comparison: Comparison, _ predicate: PredicateTree) -> (any ChunkKernel)? {
    guard comparison.modifier == .direct else { return nil }
    if let column = attribute(comparison.left), let literal = comparison.right.literal {
      return kernel(comparison, column, literal)
    }
    guard let flipped = comparison.flipped, let column = attribute(flipped.left),
      let literal = flipped.right.literal
    else { return nil }
    return kernel(flipped, column, literal)
  }

  private func attribute(_ tree: ExpressionTree) -> (column: Int, type: AttributeType)? {
    guard case .keyPath(let path) = tree.kind, let key = path.onlyKey,
      case .attribute(let column, let type)? = table.layout.slots[place.code][key]
    else { return nil }
    return (column, type)
  }

  private func kernel(
    _ comparison: Comparison, _ place: (column: Int, type: AttributeType), _ literal: Value
  ) -> (any ChunkKernel)? {
    if literal.isNull { return nullKernel(comparison.operation, place.column) }
    switch place.type {
    case .integer, .integer16, .integer32, .date, .boolean:
      guard let ranges = literal.integerRanges(comparison.operation) else { return nil }
      return IntegerRangeKernel(
        column: place.column, ranges: ranges, isNegated: comparison.operation == .notEqual)
    case .double, .float:
      guard let ranges = literal.doubleRanges(comparison.operation) else { return nil }
      return DoubleRangeKernel(
        column: place.column, ranges: ranges, isNegated: comparison.operation == .notEqual)
    case .string: return textKernel(comparison, place.column, literal)
    case .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }

  private func nullKernel(_ operation: ComparisonOperator, _ column: Int) -> (any ChunkKernel)? {
    switch operation {
    case .equal: NullKernel(column: column, isNegated: false)
    case .notEqual: NullKernel(column: column, isNegated: true)
    default: nil
    }
  }

  private func textKernel(
    _ comparison: Comparison, _ column: Int, _ literal: Value
  ) -> (any ChunkKernel)? {
    if let dictionary = table.columns[column].dictionary {
      return dictionaryKernel(comparison, column, dictionary)
    }
    guard case .string(let text) = literal else { return nil }
    let options = TextOptions(rawValue: comparison.options.rawValue)
    let test: TextTest
    switch comparison.operation {
    case .like: return PatternKernel(column: column, pattern: LikePattern(text, options))
    case .contains: test = .contains
    case .beginsWith: test = .begins
    case .endsWith: test = .ends
    case .equal, .notEqual: test = .equals
    default: return nil
    }
    // The empty needle is nowhere, and equals only the empty text: the reference says so.
    guard !text.isEmpty else { return nil }
    let needle = TextNeedle(text, options, locale: environment.locale)
    return TextKernel(
      column: column, needle: needle, test: test, isNegated: comparison.operation == .notEqual)
  }

  /// `title MATCHES ".*[0-9]"`; nil for a bad pattern, which the reference evaluator reports.
  private func expressionKernel(_ comparison: Comparison) -> ExpressionKernel? {
    guard comparison.modifier == .direct, comparison.operation == .matches,
      let (column, type) = attribute(comparison.left), type == .string,
      table.columns[column].dictionary == nil,
      case .string(let pattern)? = comparison.right.literal
    else { return nil }
    let options = TextOptions(rawValue: comparison.options.rawValue)
    return (try? RegularExpression.cached(pattern, options)).map {
      ExpressionKernel(column: column, expression: $0)
    }
  }

  /// Asks the reference once for each distinct text; a test that can fail is left to it.
  private func dictionaryKernel(
    _ comparison: Comparison, _ column: Int, _ dictionary: TextDictionary
  ) -> (any ChunkKernel)? {
    var passes: [Bool] = []
    for code in 0..<dictionary.count {
      guard let answer = answer(comparison, .string(dictionary.string(code))) else { return nil }
      passes.append(answer)
    }
    guard let nullAnswer = answer(comparison, .null) else { return nil }
    return DictionaryKernel(column: column, passes: passes, nullPasses: nullAnswer)
  }

  private func answer(_ comparison: Comparison, _ value: Value) -> Bool? {
    var asked = comparison
    asked.left.kind = .constant(Constant(value))
    return try? PredicateTree(.comparison(asked)).evaluate(on: .null, in: environment.evaluation)
  }
}
