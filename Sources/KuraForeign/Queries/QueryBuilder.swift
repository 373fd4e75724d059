import KuraDiagnostics

/// A statement of Kura, composed of the steps or clauses of a query in another language.
struct QueryBuilder {
  /// `Item`, `$items`
  var source: String
  /// What its conditions and keys ask.
  var element: Place
  var conditions: [Written] = []
  var sort: [SortKey] = []
  var offset: Int?
  var limit: Int?
  var columns: [Column] = []
  var isDistinct = false
  var groups: [String] = []
  var having: Written?
  /// Clauses that stay as they are.
  var kept: [String] = []
  var result = Result.objects

  struct SortKey {
    var text: String
    var isDescending = false
    /// ` nulls last`
    var tail = ""
  }

  struct Column {
    var text: String
    var name: String?
    var value: Written?
  }

  enum Result {
    case objects, count, exists, isEmpty
    /// Whether all that meet the conditions meet this one.
    case allMeet(Written)
    case delete
    /// `title = "x"`
    case update([String])
  }

  init(_ source: String, of entity: String?) {
    self.source = source
    element = Place(path: "", entity: entity)
  }
}

extension QueryBuilder {
  /// The statement.
  var statement: String {
    switch result {
    case .objects: fetch
    case .count: isPlain ? "count \(source)\(wherePart)" : "print (\(fetch)).@count"
    case .exists: "exists \(source)\(wherePart)"
    case .isEmpty, .allMeet: "print \(isEmptyText)"
    case .delete: "delete \(source)\(changed)"
    case .update(let assignments):
      "update \(source) set \(assignments.joined(separator: ", "))\(changed)"
    }
  }

  /// The query as a value in brackets; nil if it is a change.
  var value: Written? {
    switch result {
    case .objects: Written("(\(fetch))", nulls: ["(\(fetch))"])
    case .count:
      Written(isPlain ? "(count \(source)\(wherePart))" : "(\(fetch)).@count", .integer)
    case .exists: .predicate("(exists \(source)\(wherePart)) == YES")
    case .isEmpty, .allMeet: .predicate(isEmptyText)
    case .delete, .update: nil
    }
  }

  private var isEmptyText: String {
    guard case .allMeet(let condition) = result else { return "(count \(source)\(wherePart)) == 0" }
    let negated = Written.predicate("NOT " + condition.text(in: .comparison), .not)
    return "(count \(source)\(Self.wherePart(conditions + [negated]))) == 0"
  }

  /// Whether only conditions decide what is counted.
  private var isPlain: Bool { !isCut && !isDistinct && groups.isEmpty }

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
    if let having { text += " having \(having.text)" }
    return text + kept.map { " " + $0 }.joined()
  }

  private var wherePart: String { Self.wherePart(conditions) }

  private static func wherePart(_ conditions: [Written]) -> String {
    Written.all(conditions).map { " where \($0.text)" } ?? ""
  }

  /// `where …`, or `all` if a change is of every object.
  private var changed: String {
    if conditions.isEmpty { return source.hasPrefix("$") || source.contains("/") ? "" : " all" }
    return wherePart
  }

  /// Whether a part was cut off, so that a further condition or order would ask other objects.
  var isCut: Bool { limit != nil || offset != nil }
}

extension QueryBuilder.SortKey {
  var written: String { text + (isDescending ? " desc" : "") + tail }
}

extension QueryBuilder.Column {
  var written: String { name.map { "\(text) as \(ModelNames.written($0))" } ?? text }
}
