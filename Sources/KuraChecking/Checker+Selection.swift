import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

/// The checked output and order of a fetch.
struct FetchShape {
  var sort: [SortTree] = []
  var selection: CheckedSelection?
  var section: CheckedColumn?
  /// The keys of `limit 3 per category`: the limit applies to each combination of their values.
  var limitKeys: [CheckedColumn] = []
}

extension Checker {
  /// Checks the clauses after `where`.
  func shape(of fetch: FetchTree) -> FetchShape {
    if fetch.hasWindows { return windowedShape(of: fetch) }
    let isGrouped = isGrouped(fetch)
    guard fetch.selection != nil || fetch.isDistinct || isGrouped else {
      return FetchShape(
        sort: checked(fetch.sort), selection: nil, section: column(fetch.section),
        limitKeys: fetch.limitKeys.map(limitKey))
    }
    var fetch = fetch
    if let having = fetch.having, fetch.grouping.isEmpty, !hasSummary(fetch) {
      let written = fetch.writingOutGroups(context.predicates).having ?? having
      let isOfObjects = written.first { aggregate($0) != nil } == nil
      if isOfObjects || fetch.selection == nil {
        state.problems.append(havingWithoutGroups(having, fetch, isOfObjects))
        fetch.having = nil
        return shape(of: fetch)
      }
    }
    let names = SelectedNames(columns(of: fetch))
    if !isGrouped { return plainShape(of: fetch, names) }
    let written = fetch.writingOutGroups(context.predicates)
    return GroupChecker.shape(of: written, self, SelectedNames(columns(of: written)))
  }

  /// Checks a fetch with a row per object.
  private func plainShape(of fetch: FetchTree, _ names: SelectedNames) -> FetchShape {
    var page = self
    page.isOfPage = fetch.isPage
    let columns = names.columns.map { column in
      let checked = page.checked(column.expression)
      warnOfQuotedKey(column.expression)
      return CheckedColumn(name: column.name, tree: checked.tree, type: checked.type)
    }
    if fetch.isDistinct { checkDistinct(fetch, names) }
    return FetchShape(
      sort: checked(fetch.sort.map { $0.replacing(names.replaced) }),
      selection: CheckedSelection(columns: columns, isDistinct: fetch.isDistinct),
      section: column(fetch.section.map(names.replaced)),
      limitKeys: fetch.limitKeys.map { limitKey(names.replaced($0)) })
  }

  /// Checks `distinct`, after which a row represents many objects, so that sort keys must be columns.
  private func checkDistinct(_ fetch: FetchTree, _ names: SelectedNames) {
    let sectionKeys = fetch.section.map { [$0] } ?? []
    for tree in fetch.sort.map(\.expression) + sectionKeys + fetch.limitKeys {
      let rest = names.replaced(tree).replacing { node in
        names.columns.contains { $0.expression == node }
          ? ExpressionTree(.constant(Constant(.null))) : nil
      }
      if let key = rest.firstKey { note(.notSelected(text(key)), at: key.span) }
    }
  }

  private func limitKey(_ tree: ExpressionTree) -> CheckedColumn {
    let checked = checked(tree)
    if checked.type.isCollection { note(.groupNeedsValue(text(tree)), at: tree.span) }
    return CheckedColumn(name: text(tree), tree: checked.tree, type: checked.type)
  }

  private func column(_ tree: ExpressionTree?) -> CheckedColumn? {
    guard let tree else { return nil }
    let checked = checked(tree)
    if checked.type.isCollection { note(.sectionNeedsValue(text(tree)), at: tree.span) }
    return CheckedColumn(name: tree.expressionFormat, tree: checked.tree, type: checked.type)
  }
}

extension Checker {
  /// Returns the columns of a fetch by name, with `*` expanded to all attributes.
  func columns(of fetch: FetchTree) -> [NamedColumn] {
    var result: [NamedColumn] = []
    for column in fetch.shownColumns {
      guard let name = column.name else {
        result += allAttributes(at: column.span)
        continue
      }
      result.append(
        NamedColumn(
          name: name, expression: column.expression, isNamed: column.isNamed, span: column.span))
    }
    var names: Set<String> = []
    if let again = result.first(where: { !names.insert($0.name).inserted }) {
      note(.repeatedColumn(again.name), at: again.span)
    }
    return result
  }

  private func allAttributes(at span: SourceSpan) -> [NamedColumn] {
    model.allAttributes(of: entity ?? "").map { attribute in
      let path = KeyPathTree([KeyComponent(attribute.name, span: span)])
      let tree = ExpressionTree(.keyPath(path), span: span)
      return NamedColumn(name: attribute.name, expression: tree, isNamed: false, span: span)
    }
  }

  /// Returns whether rows represent groups of objects.
  private func isGrouped(_ fetch: FetchTree) -> Bool {
    !fetch.grouping.isEmpty || fetch.having != nil || hasSummary(fetch)
  }

  /// Returns whether a column summarizes several objects.
  private func hasSummary(_ fetch: FetchTree) -> Bool {
    (fetch.selection ?? []).contains { column in
      column.name != nil
        && column.expression.first { aggregate($0) != nil || summarizesGroup($0) } != nil
    }
  }

  /// Returns the problem of a condition on groups that do not exist. The fix of a condition on objects belongs to
  /// `where`.
  private func havingWithoutGroups(
    _ having: PredicateTree, _ fetch: FetchTree, _ isOfObjects: Bool
  ) -> Diagnostic {
    var problem = Diagnostic(.havingWithoutGroups(isOfObjects: isOfObjects), at: having.span)
    guard isOfObjects, let word = word(before: having.span.start) else { return problem }
    guard let predicate = fetch.predicate else {
      problem.fixIts = [FixIt(word, "where")]
      return problem
    }
    let end = predicate.span.end
    guard predicate.span != .none, end < word.start,
      let between = context.source?.bytes[end..<word.start],
      between.allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ")") })
    else { return problem }
    problem.fixIts = [
      FixIt(edits: predicate.inBrackets + [TextEdit(word, "AND")] + having.inBrackets)
    ]
    return problem
  }
}

extension FetchTree {
  /// The columns of `select`; by default the grouping keys, or all attributes.
  fileprivate var shownColumns: [SelectedColumn] {
    if let selection { return selection }
    if grouping.isEmpty { return [.all(span: span)] }
    // A hidden column needs no name, which could contain a fetch with a thousand levels.
    let isSeen = result == .objects || grouping.count > 1
    return grouping.map {
      let name = isSeen ? $0.pathWithoutQuotes ?? $0.expressionFormat : ""
      return SelectedColumn($0, name: name, span: $0.span)
    }
  }
}

/// A column of a fetch as written.
struct NamedColumn {
  let name: String
  let expression: ExpressionTree
  /// Whether the name was given with `as`.
  let isNamed: Bool
  let span: SourceSpan
}

/// The names of columns, which take precedence over the entity's keys in `sort`, `having`, `group by` and `per`.
struct SelectedNames {
  let columns: [NamedColumn]
  private let named: [String: ExpressionTree]

  init(_ columns: [NamedColumn]) {
    self.columns = columns
    named = Dictionary(
      columns.filter(\.isNamed).map { ($0.name, $0.expression) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension SelectedNames {
  /// Returns the tree with names replaced by their columns.
  ///
  /// Inside an aggregate, a name is the entity's: `select max(date) as date … sort max(date)`.
  func replaced(_ tree: ExpressionTree) -> ExpressionTree {
    named.isEmpty ? tree : tree.replacing { replacement($0) }
  }

  func replaced(_ predicate: PredicateTree) -> PredicateTree {
    named.isEmpty ? predicate : predicate.replacing { replacement($0) }
  }

  private func replacement(_ node: ExpressionTree) -> ExpressionTree? {
    if node.isSummary { return node }
    guard case .keyPath(let path) = node.kind, path.base == nil, let first = path.components.first,
      first.kind == .key, let column = named[first.name]
    else { return nil }
    // The expression of a column is checked at the column.
    let base = ExpressionTree(column.kind, span: node.span)
    if path.components.count == 1 { return base }
    // `select author.name as author … group by author.name` means the path of the key.
    if case .keyPath(let own) = column.kind, own.base == nil, own.components.count > 1,
      own.components.first?.name == first.name
    {
      return nil
    }
    let rest = KeyPathTree(base: base, Array(path.components.dropFirst()))
    return ExpressionTree(.keyPath(rest), span: node.span)
  }
}

extension PredicateTree {
  /// The edits that put an OR in brackets, so that it can be a part of an AND.
  var inBrackets: [TextEdit] {
    guard case .or = kind else { return [] }
    return [
      TextEdit(SourceSpan(span.start, span.start), "("),
      TextEdit(SourceSpan(span.end, span.end), ")"),
    ]
  }
}

extension SortTree {
  func replacing(_ replace: (ExpressionTree) -> ExpressionTree) -> SortTree {
    var result = self
    result.expression = replace(expression)
    return result
  }
}

extension ExpressionTree {
  /// Whether it calls an aggregate, or a function of lists that can summarize a group.
  fileprivate var isSummary: Bool {
    if case .function(let call) = kind { call.function?.summarizes ?? false } else { false }
  }

  /// Whether it contains an aggregate.
  var containsAggregate: Bool { first { $0.aggregate != nil } != nil }

  /// The first key of the evaluated object, or the object itself.
  var firstKey: ExpressionTree? {
    first { node in
      switch node.kind {
      case .evaluatedObject: true
      case .keyPath(let path): path.base == nil
      default: false
      }
    }
  }
}

extension FetchTree {
  /// Whether its rows are a page of at most 100 objects.
  fileprivate var isPage: Bool {
    guard case .constant(let constant)? = limit?.kind, case .integer(1...100) = constant.value
    else {
      return false
    }
    return limitKeys.isEmpty && !isDistinct
  }
}
