import KuraDiagnostics

/// A statement of Kura as it is put together from what a query of another language does in steps.
struct QueryBuilder {
  /// `Item`, `$items`
  var source: String
  /// What its conditions and keys ask.
  var element: ForeignScope.Place
  var conditions: [Written] = []
  var sort: [SortKey] = []
  var offset: String?
  var limit: String?
  var columns: [Column] = []
  var isDistinct = false
  var groups: [String] = []
  var having: [Written] = []
  /// Clauses that stay as they stand.
  var kept: [String] = []
  var result = Result.objects
  /// By what the objects stand in sections.
  var sectionKey: String?

  struct SortKey {
    var text: String
    var isDescending = false
    /// ` nulls last`
    var tail = ""
  }

  struct Column {
    var text: String
    var name: String?
  }

  enum Result {
    case objects, count, exists, isEmpty
    /// Whether all that came before the last condition meet it.
    case allMeet(Written)
    case delete
    /// `title = "x"`
    case update([String])
    case insert([String])
  }

  init(_ source: String, of entity: String?) {
    self.source = source
    element = ForeignScope.Place(path: "", entity: entity)
  }
}

extension QueryBuilder {
  /// The whole statement.
  var statement: String {
    switch result {
    case .objects: fetch
    case .count: isPlain ? "count \(source)\(wherePart)" : "print (\(fetch)).@count"
    case .exists: "exists \(source)\(wherePart)"
    case .isEmpty: "print (count \(source)\(wherePart)) == 0"
    case .allMeet(let condition):
      "print (count \(source)\(wherePart(and: negated(condition)))) == 0"
    case .delete: "delete \(source)\(changed)"
    case .update(let assignments):
      "update \(source) set \(assignments.joined(separator: ", "))\(changed)"
    case .insert(let assignments): "insert \(source) \(assignments.joined(separator: ", "))"
    }
  }

  /// The same as a value in brackets; nil: it is none.
  var value: Written? {
    switch result {
    case .objects: Written("(\(fetch))")
    case .count:
      Written(isPlain ? "(count \(source)\(wherePart))" : "(\(fetch)).@count", .number)
    case .exists: Written("(exists \(source)\(wherePart))", .boolean)
    case .isEmpty: .predicate("(count \(source)\(wherePart)) == 0")
    case .allMeet(let condition):
      .predicate("(count \(source)\(wherePart(and: negated(condition)))) == 0")
    case .delete, .update, .insert: nil
    }
  }

  private func negated(_ condition: Written) -> Written {
    .predicate("NOT " + condition.text(in: .comparison), .not)
  }

  /// Whether only conditions decide what is counted.
  private var isPlain: Bool {
    offset == nil && limit == nil && !isDistinct && groups.isEmpty && columns.isEmpty
  }

  private var fetch: String {
    var text = "fetch \(source)\(wherePart)"
    if !sort.isEmpty { text += " sort " + sort.map(\.written).joined(separator: ", ") }
    if let offset { text += " offset \(offset)" }
    if let limit { text += " limit \(limit)" }
    if !columns.isEmpty {
      let names = columns.map(\.written).joined(separator: ", ")
      text += " select \(isDistinct ? "distinct " : "")\(names)"
    } else if isDistinct {
      text += " distinct"
    }
    if !groups.isEmpty { text += " group by " + groups.joined(separator: ", ") }
    if let having = Self.all(having) { text += " having \(having.text)" }
    return text + kept.map { " " + $0 }.joined()
  }

  private var wherePart: String { wherePart(and: nil) }

  private func wherePart(and more: Written?) -> String {
    Self.all(conditions + [more].compactMap(\.self)).map { " where \($0.text)" } ?? ""
  }

  /// `where …`, or `all` where a change is of every object.
  private var changed: String {
    if conditions.isEmpty { return source.hasPrefix("$") || source.contains("/") ? "" : " all" }
    return wherePart
  }

  /// A conjunction; nil for none.
  static func all(_ conditions: [Written]) -> Written? {
    guard conditions.count > 1 else { return conditions.first }
    return .predicate(conditions.map { $0.text(in: .and) }.joined(separator: " AND "), .and)
  }
}

extension QueryBuilder.SortKey {
  var written: String { text + (isDescending ? " desc" : "") + tail }
}

extension QueryBuilder.Column {
  var written: String { name.map { "\(text) as \(ModelNames.written($0))" } ?? text }
}

extension QueryBuilder {
  /// Whether something was cut off, so that a further condition or order would ask other objects.
  var isCut: Bool { limit != nil || offset != nil }

  mutating func take(_ count: String) { limit = count }

  /// Turns the order round.
  mutating func reverse() {
    if sort.isEmpty { sort = [SortKey(text: "objectID")] }
    for i in sort.indices { sort[i].isDescending.toggle() }
  }

  /// The only column, or the object itself.
  mutating func setColumns(_ columns: [Column]) {
    self.columns = columns
    if columns.count == 1 { element.value = Written(columns[0].text) }
  }
}
