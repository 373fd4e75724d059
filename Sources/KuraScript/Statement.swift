package import KuraDiagnostics
package import KuraPredicates

/// A statement or setting as a value, with its place in the text.
package struct Statement: Sendable {
  package var kind: Kind
  package var span: SourceSpan

  package init(_ kind: Kind, span: SourceSpan) {
    self.kind = kind
    self.span = span
  }

  package enum Kind: Sendable {
    /// `fetch MemoDate where title CONTAINS[cd] "誕生" sort date desc limit 5`
    case fetch(FetchStatement)
    /// `count MemoDate where notifiable == YES`
    case count(FetchStatement)
    /// `exists MemoDate where notifiable == YES`
    case exists(FetchStatement)
    /// `print 1 + 2, today()`
    case print([ExpressionTree])
    /// `let $soon = dateByAdding(today(), 7, "day")`
    case letValue(name: Name, ExpressionTree)
    /// `let $old = fetch MemoDate where date < "1950-01-01"`
    case letFetch(name: Name, FetchStatement)
    /// `let $home = insert Category name = "Home"`
    case letInsert(name: Name, InsertStatement)
    /// `insert MemoDate title = "x", date = today()`
    case insert(InsertStatement)
    /// `entity Item: Task { title: string }`, `abstract entity Base { }`
    case entity(EntityDeclaration)
    /// `model`, `model as mermaid`
    case model(format: Name?)
    /// `describe Item`
    case describe(Name)
    /// `save`, `save "FILE" replacing`
    case save(file: Name?, replacing: Bool)
    /// `.mode json`
    case setting(SettingStatement)
  }
}

/// A word or string that the user chose, with its place.
package struct Name: Sendable, Hashable {
  package var text: String
  package var span: SourceSpan

  package init(_ text: String, span: SourceSpan = .none) {
    self.text = text
    self.span = span
  }
}

/// `MemoDate where … sort … offset … limit …`, the clauses in any order.
package struct FetchStatement: Sendable {
  package var entity: Name
  package var predicate: PredicateTree?
  package var sort: [SortTree] = []
  /// A number or a variable.
  package var offset: ExpressionTree?
  package var limit: ExpressionTree?

  package init(entity: Name) { self.entity = entity }
}

/// `insert ENTITY key = EXPR, …` or `insert ENTITY {"key": value, …}`
package struct InsertStatement: Sendable {
  package var entity: Name
  package var values: Values

  package enum Values: Sendable {
    /// `title = "x", date = today()`
    case assignments([(key: Name, value: ExpressionTree)])
    /// The bytes of one JSON object or an array of them.
    case json(SourceSpan)
  }

  package init(entity: Name, values: Values) {
    self.entity = entity
    self.values = values
  }
}

/// `.mode json`: the name without the dot, and the words behind it.
package struct SettingStatement: Sendable {
  package var name: Name
  package var arguments: [Name]

  package init(name: Name, arguments: [Name]) {
    self.name = name
    self.arguments = arguments
  }
}
