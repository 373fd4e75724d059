/// A query or change, filled from the clauses of a SELECT or the steps of a program, and written as
/// one statement of Kura.
struct Query: Sendable {
  /// `Item`, `$items`
  var source: String
  /// The object that conditions and keys refer to, or the value into which a step has converted it.
  var element: Snippet
  var conditions: [Snippet] = []
  var sort: [SortKey] = []
  var offset: Int?
  var limit: Int?
  var columns: [Column] = []
  var isDistinct = false
  var groups: [String] = []
  var having: Snippet?
  /// Clauses that stay unchanged.
  var unchangedClauses: [String] = []
  var result = Result.objects

  struct SortKey: Sendable {
    var text: String
    var isDescending = false
    /// ` nulls last`
    var tail = ""
  }

  struct Column: Sendable {
    var value: Snippet
    var name: String?

    var text: String { value.text }

    /// The name in further clauses.
    var key: String { name.map(ModelNames.written) ?? text }
  }

  enum Result: Sendable, Equatable {
    case objects, count, exists, isEmpty
    /// A single value: an aggregate of the only column.
    case value
    case delete
    /// `title = "x"`
    case update([String])
  }

  init(_ source: String, of entity: String?) {
    self.source = source
    element = .object("", entity)
  }

  /// Creates a query for all objects of an entity.
  init(of entity: String) { self.init(ModelNames.written(entity), of: entity) }
}

extension Query {
  /// The statement.
  var statement: String {
    switch result {
    case .objects, .value: fetch
    case .count: isPlain ? "count \(source)\(wherePart)" : "print (\(fetch)).@count"
    case .exists: "exists \(source)\(wherePart)"
    case .isEmpty: "print \(value?.text ?? "")"
    case .delete: "delete \(source)\(changed)"
    case .update(let assignments):
      "update \(source) set \(assignments.joined(separator: ", "))\(changed)"
    }
  }

  /// The query as a value in brackets; nil if it is a change.
  var value: Snippet? {
    switch result {
    case .objects, .value: Snippet("(\(fetch))", nulls: ["(\(fetch))"])
    case .count:
      Snippet(isPlain ? "(count \(source)\(wherePart))" : "(\(fetch)).@count", .integer)
    case .exists: .predicate("(exists \(source)\(wherePart)) == YES")
    case .isEmpty: .predicate("(count \(source)\(wherePart)) == 0")
    case .delete, .update: nil
    }
  }

  /// Whether the count depends on conditions only.
  private var isPlain: Bool { !isCut && !isDistinct && groups.isEmpty }

  private var fetch: String {
    func part(_ word: String, _ texts: [String]) -> String {
      texts.isEmpty ? "" : " \(word) " + texts.joined(separator: ", ")
    }
    let keys = sort.map { $0.text + ($0.isDescending ? " desc" : "") + $0.tail }
    let shown = columns.map { $0.name == nil ? $0.text : "\($0.text) as \($0.key)" }
    let clauses = [
      wherePart, part("sort", keys), part("offset", offset.map { ["\($0)"] } ?? []),
      part("limit", limit.map { ["\($0)"] } ?? []),
      isDistinct && shown.isEmpty ? " distinct" : "",
      part(isDistinct ? "select distinct" : "select", shown), part("group by", groups),
      part("having", having.map { [$0.text] } ?? []),
    ]
    return "fetch \(source)" + clauses.joined() + unchangedClauses.map { " " + $0 }.joined()
  }

  private var wherePart: String {
    Snippet.all(conditions).map { " where \($0.text)" } ?? ""
  }

  /// `where …`, or `all` for a change of every object.
  private var changed: String {
    if conditions.isEmpty { return source.hasPrefix("$") || source.contains("/") ? "" : " all" }
    return wherePart
  }

  /// Whether a limit or offset applies, so that a further condition or order would concern other
  /// objects.
  var isCut: Bool { limit != nil || offset != nil }

  /// The objects instead of their objectIDs, as a value.
  var objects: Snippet? {
    var copy = self
    copy.columns = []
    guard var written = copy.value else { return nil }
    written.type = element.type
    return written
  }
}
