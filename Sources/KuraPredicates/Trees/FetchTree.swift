public import KuraDiagnostics

/// A fetch as a tree: which objects are wanted, in which order, and what of them.
///
/// It is a statement of its own, and in parentheses an expression, as NSFetchRequestExpression is.
public struct FetchTree: Sendable {
  /// `fetch`, `count` or `exists`.
  public var result: Result
  /// `MemoDate`, `$home.items`
  public var source: FetchSource
  /// `where done == NO`; nil: all objects.
  public var predicate: PredicateTree?
  /// `sort date desc, title`; empty: by objectID.
  public var sort: [SortTree] = []
  /// `offset 10`
  public var offset: ExpressionTree?
  /// `limit 5`; 0 is no limit.
  public var limit: ExpressionTree?
  /// `batch 20`: a hint, which never changes the result.
  public var batch: ExpressionTree?
  /// `select title, year(date) as y`; nil: the objects themselves.
  public var selection: [SelectedColumn]?
  /// `distinct`: of equal rows the first.
  public var isDistinct = false
  /// `group by category`
  public var grouping: [ExpressionTree] = []
  /// `having count(SELF) > 1`
  public var having: PredicateTree?
  /// `section by category`
  public var section: ExpressionTree?
  /// False: `without subentities`.
  public var includesSubentities = true
  /// Where; it means nothing for equality.
  public var span: SourceSpan

  /// Makes a fetch of all objects of a source.
  public init(_ result: Result = .objects, of source: FetchSource, span: SourceSpan = .none) {
    self.result = result
    self.source = source
    self.span = span
  }

  /// What is wanted of the objects that a predicate lets through.
  public enum Result: String, Sendable, Hashable, CaseIterable {
    /// `fetch Item where done == NO`
    case objects = "fetch"
    /// `count Item where done == NO`
    case count
    /// `exists Item where done == NO`
    case exists
  }
}

/// What stands where a request takes an entity: an entity, or objects that are already known.
///
///     let source = FetchSource(entity: "MemoDate")   // source.entity is "MemoDate", source.objects nil
public struct FetchSource: Sendable {
  /// What it is.
  package var kind: Kind
  /// Where.
  public var span: SourceSpan

  /// Makes a source of what a statement may name too.
  package init(_ kind: Kind, span: SourceSpan = .none) {
    self.kind = kind
    self.span = span
  }

  /// All objects of an entity.
  public init(entity: String, span: SourceSpan = .none) {
    self.init(.entity(entity), span: span)
  }

  /// The objects that an expression stands for: `Item/3`, `$home.items`.
  public init(objects: ExpressionTree, span: SourceSpan = .none) {
    self.init(.objects(objects), span: span)
  }

  /// `MemoDate`; nil where it is no entity. Constant time.
  public var entity: String? { if case .entity(let name) = kind { name } else { nil } }

  /// `Item/3`, `$home.items`; nil where it is no expression. Constant time.
  public var objects: ExpressionTree? { if case .objects(let tree) = kind { tree } else { nil } }

  /// The kinds of source, those that only a session has too.
  package indirect enum Kind: Sendable, Hashable {
    /// `MemoDate`
    case entity(String)
    /// `Item/3`, `$home.items`
    case objects(ExpressionTree)
    /// `_`: the objects of the last fetch
    case last
  }
}

/// A column of `select`.
public struct SelectedColumn: Sendable {
  /// What it is called: the name behind `as`, else its own text; nil for `*`, all attributes.
  public var name: String?
  /// What it shows; `SELF` for `*`.
  public var expression: ExpressionTree
  /// Whether the name was given with `as`.
  public var isNamed: Bool
  /// Where.
  public var span: SourceSpan

  /// Makes a column.
  public init(
    _ expression: ExpressionTree, name: String?, isNamed: Bool = false, span: SourceSpan = .none
  ) {
    self.expression = expression
    self.name = name
    self.isNamed = isNamed
    self.span = span
  }

  /// `*`
  public static func all(span: SourceSpan = .none) -> SelectedColumn {
    SelectedColumn(ExpressionTree(.evaluatedObject, span: span), name: nil, span: span)
  }
}

extension FetchTree: Hashable {
  /// Equal if each clause is; spans do not count. Linear in the trees.
  public static func == (a: FetchTree, b: FetchTree) -> Bool {
    a.result == b.result && a.source == b.source && a.predicate == b.predicate
      && a.sort == b.sort && a.offset == b.offset && a.limit == b.limit && a.batch == b.batch
      && a.selection == b.selection && a.isDistinct == b.isDistinct && a.grouping == b.grouping
      && a.having == b.having && a.section == b.section
      && a.includesSubentities == b.includesSubentities
  }

  /// Hashes what tells most fetches apart. Linear in the trees of those.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(source)
    hasher.combine(predicate)
    hasher.combine(sort)
    hasher.combine(selection)
    hasher.combine(grouping)
  }
}

extension FetchSource: Hashable {
  /// Equal without regard to spans. Linear in the trees.
  public static func == (a: FetchSource, b: FetchSource) -> Bool { a.kind == b.kind }
  /// Hashes everything but the span. Linear in the tree.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension SelectedColumn: Hashable {
  /// Equal by name and expression. Linear in the trees.
  public static func == (a: SelectedColumn, b: SelectedColumn) -> Bool {
    a.name == b.name && a.expression == b.expression
  }

  /// Hashes name and expression. Linear in the tree.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(expression)
  }
}
