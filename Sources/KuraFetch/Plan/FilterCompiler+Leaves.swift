import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension FilterCompiler {
  /// The kernel of an attribute compared with a literal, or nil.
  mutating func attributeLeaf(
    _ question: LeafQuestion, _ column: Int, _ type: AttributeType, _ scope: FilterScope
  ) -> Filter? {
    kernel(question, column, type, scope).map { node(question.predicate, .kernel($0)) }
  }

  private func kernel(
    _ question: LeafQuestion, _ column: Int, _ type: AttributeType, _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    let operation = question.comparison.operation
    let table = graph.tables[scope.place.table]
    let key = table.layout.columns[column].key
    if question.literal.isNull { return nullKernel(operation, column, key) }
    let asked = AskedColumn(
      column: column, type: type, key: key, table: table, isUnique: isUnique(key, scope.entity))
    if asked.isUnique, let kernel = indexKernel(question, asked) { return kernel }
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
      return DoubleRangeKernel(
        column: column, key: key, ranges: ranges, isNegated: operation == .notEqual)
    case .string:
      if let dictionary = table.columns[column].dictionary {
        return dictionaryKernel(question, column, key, dictionary)
      }
      return indexKernel(question, asked) ?? textKernel(question, column, key)
    case .uuid, .uri: return indexKernel(question, asked) ?? storedTextKernel(question, asked)
    case .decimal, .binary, .json: return nil
    }
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

  /// Asks the reference once for each distinct text; a test that can fail is left to it.
  private func dictionaryKernel(
    _ question: LeafQuestion, _ column: Int, _ key: String, _ dictionary: TextDictionary
  ) -> (any ChunkKernel)? {
    guard let passes = passes(question, dictionary), let nullAnswer = answer(question, .null) else {
      return nil
    }
    return DictionaryKernel(column: column, key: key, passes: passes, nullPasses: nullAnswer)
  }

  private func passes(_ question: LeafQuestion, _ dictionary: TextDictionary) -> [Bool]? {
    if dictionary.count > 64, let kernel = textKernel(question, 0, ""), kernel.isSure {
      let texts = Column(.attribute(.string), chunks: [ColumnChunk(.text(dictionary.texts))])
      let layout = TableLayout(root: "", entities: [], columns: [], slots: [])
      let all = Bitmap(count: dictionary.count, filledWith: true)
      let passing = kernel.matches(
        ChunkRows(table: Table(layout: layout, columns: [texts]), number: 0, candidates: all))
      return (0..<dictionary.count).map { passing[$0] }
    }
    var passes: [Bool] = []
    for code in 0..<dictionary.count {
      guard let answer = answer(question, .string(dictionary.string(code))) else { return nil }
      passes.append(answer)
    }
    return passes
  }

  /// Whether a UUID or URI is one: its text is.
  private func storedTextKernel(
    _ question: LeafQuestion, _ asked: AskedColumn
  ) -> (any ChunkKernel)? {
    switch question.comparison.operation {
    case .equal, .notEqual: break
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like, .beginsWith, .endsWith,
      .contains, .in, .between, .selector, .unsupported:
      return nil
    }
    guard question.comparison.options.isEmpty,
      let text = question.literal.storedText(as: asked.type), !text.isEmpty
    else { return nil }
    let needle = TextNeedle(text, [], locale: environment.locale)
    return TextKernel(
      column: asked.column, key: asked.key, needle: needle, test: .equals,
      isNegated: question.comparison.operation == .notEqual)
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
      test: test, isNegated: question.comparison.operation == .notEqual)
  }
}

extension FilterCompiler {
  /// `home == Category/2`, `home != nil`, `home IN {Category/1, Category/2}`
  mutating func linkLeaf(
    _ question: LeafQuestion, _ column: Int, _ destination: Int, _ key: String,
    _ scope: FilterScope
  ) -> Filter? {
    let operation = question.comparison.operation
    guard let objects = question.objects else { return nil }
    var targets: Set<UInt32> = []
    for object in objects {
      guard let id = object else {
        // A nil in a list equals nothing.
        if operation != .in { targets.insert(noRow) }
        continue
      }
      if let place = graph.find(id), place.table == destination {
        targets.insert(UInt32(truncatingIfNeeded: place.row))
      }
    }
    if operation != .notEqual, !targets.contains(noRow), targets.count <= 64,
      let rows = graph.fewRows(source: scope.place.table, column: column, leadingTo: targets)
    {
      let kernel = RowsKernel(
        ranges: SortedRanges(rows: rows), isNegated: false, method: localized("index of \(key)"))
      return node(question.predicate, .kernel(kernel))
    }
    return node(
      question.predicate,
      .kernel(
        LinkKernel(
          column: column, key: key, targets: targets, isNegated: operation == .notEqual)))
  }

  /// `SELF == Item/7`, `objectID IN {Item/7}`
  mutating func selfLeaf(_ question: LeafQuestion, _ scope: FilterScope) -> Filter? {
    guard question.comparison.modifier == .direct, let objects = question.objects else {
      return nil
    }
    let rows = objects.compactMap { id -> Int? in
      guard let id, let place = graph.find(id), place.table == scope.place.table else {
        return nil
      }
      return place.row
    }
    return rowsLeaf(SortedRanges(rows: rows), question)
  }

  /// `objectID > 20`: a range of rows where they stand in the order of their numbers.
  mutating func numberLeaf(_ question: LeafQuestion, _ scope: FilterScope) -> Filter? {
    let table = graph.tables[scope.place.table]
    guard table.identifiers.isAscending, !question.literal.isNull,
      let ranges = question.literal.integerRanges(question.comparison.operation)
    else { return nil }
    let rows = ranges.map { table.identifiers.rows(of: $0) }
    return rowsLeaf(SortedRanges(rows), question)
  }

  private mutating func rowsLeaf(_ ranges: SortedRanges, _ question: LeafQuestion) -> Filter {
    let kernel = RowsKernel(
      ranges: ranges, isNegated: question.comparison.operation == .notEqual)
    return node(question.predicate, .kernel(kernel))
  }

  /// `entity.name == "Task"`: asked once for each entity.
  mutating func entityLeaf(_ question: LeafQuestion, _ scope: FilterScope) -> Filter? {
    var passes: [Bool] = []
    for entity in graph.tables[scope.place.table].layout.entities {
      guard let answer = answer(question, .string(entity)) else { return nil }
      passes.append(answer)
    }
    return node(question.predicate, .kernel(EntityKernel(passes: passes)))
  }
}

extension LeafQuestion {
  /// The objects that something is compared with, nil among them for nil; nil for other literals.
  fileprivate var objects: [ObjectID?]? {
    switch (comparison.operation, literal) {
    case (.equal, .null), (.notEqual, .null): return [nil]
    case (.equal, .object(let object)), (.notEqual, .object(let object)):
      return object.id.map { [$0] }
    case (.in, .list(let elements)):
      var ids: [ObjectID?] = []
      for element in elements {
        switch element {
        case .null: ids.append(nil)
        case .object(let object):
          guard let id = object.id else { return nil }
          ids.append(id)
        default: return nil
        }
      }
      return ids
    default: return nil
    }
  }
}

extension IdentifierColumn {
  /// The rows whose numbers lie in a range; the rows stand in the order of their numbers.
  fileprivate func rows(of range: ClosedRange<Int64>) -> Range<Int> {
    let low = place(of: range.lowerBound)
    let high = range.upperBound == .max ? count : place(of: range.upperBound + 1)
    return low..<max(low, high)
  }

  /// The first row whose number is not below.
  private func place(of number: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
