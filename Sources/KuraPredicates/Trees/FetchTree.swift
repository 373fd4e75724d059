public import KuraDiagnostics

/// A fetch as a tree: the objects, their order, and the values to return.
///
/// It is a statement and, in parentheses, an expression, like NSFetchRequestExpression.
public struct FetchTree: Sendable, Hashable {
  /// The kind of result: `fetch`, `count` or `exists`.
  public var result: Result
  /// The source: `MemoDate`, `$home.items`.
  public var source: FetchSource
  /// The variable that names the evaluated object, in nested fetches too: `s` in `fetch Shop as $s`.
  public var objectName: String?
  /// The predicate, as in `where done == NO`; nil means all objects.
  public var predicate: PredicateTree?
  /// The order, as in `sort date desc, title`; empty means by objectID.
  public var sort: [SortTree] = []
  /// The number of objects to skip: `offset 10`.
  public var offset: ExpressionTree?
  /// The maximum number of objects: `limit 5`; 0 means no limit.
  public var limit: ExpressionTree?
  /// The keys of `limit 3 per category`: the offset and the limit apply to each combination of their values. Empty if
  /// they apply to the whole result.
  public var limitKeys: [ExpressionTree] = []
  /// The batch size: `batch 20`. It is a hint that never changes the result.
  public var batch: ExpressionTree?
  /// The columns, as in `select title, year(date) as y`; nil means objects.
  public var selection: [SelectedColumn]?
  /// Whether only the first of equal rows remains: `distinct`.
  public var isDistinct = false
  /// The keys of groups: `group by category`.
  public var grouping: [ExpressionTree] = []
  /// The predicate of groups: `having count(SELF) > 1`.
  public var having: PredicateTree?
  /// The expression of sections: `section by category`.
  public var section: ExpressionTree?
  /// Whether objects of subentities are included; false for `without subentities`.
  public var includesSubentities = true
  /// The place in the text; equality ignores it.
  @IgnoredByEquality public var span: SourceSpan

  /// Creates a fetch of all objects of a source.
  public init(_ result: Result = .objects, of source: FetchSource, span: SourceSpan = .none) {
    self.result = result
    self.source = source
    self.span = span
  }

  /// The kind of result of a fetch.
  public enum Result: String, Sendable, Hashable, CaseIterable {
    /// `fetch Item where done == NO`
    case objects = "fetch"
    /// `count Item where done == NO`
    case count
    /// `exists Item where done == NO`
    case exists
  }
}

/// The source of a fetch: an entity, or an expression with objects.
///
///     let source = FetchSource(entity: "MemoDate")   // source.entity is "MemoDate", source.objects nil
public struct FetchSource: Sendable, Hashable {
  /// The kind of source.
  package var kind: Kind
  /// The place in the text; equality ignores it.
  @IgnoredByEquality public var span: SourceSpan

  /// Creates a source of any kind.
  package init(_ kind: Kind, span: SourceSpan = .none) {
    self.kind = kind
    self.span = span
  }

  /// Creates a source of all objects of an entity.
  public init(entity: String, span: SourceSpan = .none) {
    self.init(.entity(entity), span: span)
  }

  /// Creates a source of the objects of an expression: `Item/3`, `$home.items`.
  public init(objects: ExpressionTree, span: SourceSpan = .none) {
    self.init(.objects(objects), span: span)
  }

  /// The entity, such as `MemoDate`; nil for other sources. Constant time.
  public var entity: String? { if case .entity(let name) = kind { name } else { nil } }

  /// The expression, such as `Item/3` or `$home.items`; nil for other sources. Constant time.
  public var objects: ExpressionTree? { if case .objects(let tree) = kind { tree } else { nil } }

  /// The kinds of source, including the one that only a session has.
  package indirect enum Kind: Sendable, Hashable {
    /// `MemoDate`
    case entity(String)
    /// `Category.items`: each element at a path is a row
    case elements(entity: String, path: [KeyComponent])
    /// `Item/3`, `$home.items`
    case objects(ExpressionTree)
    /// `_`: the objects of the last fetch
    case last
  }
}

extension FetchSource {
  /// `Item`, `Category.items`, `$home.items`, `_`
  package var written: String {
    switch kind {
    case .entity(let name): name
    case .elements(let entity, let path): ([entity] + path.map(\.written)).joined(separator: ".")
    case .objects(let tree): tree.description
    case .last: "_"
    }
  }
}

/// A column of `select`.
public struct SelectedColumn: Sendable, Hashable {
  /// The name after `as`, or the text of the expression; nil for `*`, all attributes.
  public var name: String?
  /// The expression of its values; `SELF` for `*`.
  public var expression: ExpressionTree
  /// Whether the name was given with `as`; equality ignores it.
  @IgnoredByEquality public var isNamed: Bool
  /// The place in the text; equality ignores it.
  @IgnoredByEquality public var span: SourceSpan

  /// Creates a column.
  public init(
    _ expression: ExpressionTree, name: String?, isNamed: Bool = false, span: SourceSpan = .none
  ) {
    self.expression = expression
    self.name = name
    self.isNamed = isNamed
    self.span = span
  }

  /// Returns the column `*`, all attributes.
  public static func all(span: SourceSpan = .none) -> SelectedColumn {
    SelectedColumn(ExpressionTree(.evaluatedObject, span: span), name: nil, span: span)
  }
}

extension FetchTree {
  /// The trees of all clauses.
  package var clauses: [TreeNode] {
    let values = [offset, limit, batch, section, source.objects].compactMap(\.self)
    let columns = (selection ?? []).map(\.expression)
    return [predicate, having].compactMap { $0.map { .predicate($0) } }
      + (values + columns + sort.map(\.expression) + grouping + limitKeys).map { .expression($0) }
  }

  /// The distinct variables that need a value, without `$`, in nested fetches as well.
  ///
  /// The variable of its own object is not included. Linear in the tree.
  package var variables: [String] {
    var found = DistinctList<String>()
    for name in clauses.flatMap(\.variables) where name != objectName { found.append(name) }
    return found.elements
  }
}
