import KuraModel

/// A part of a statement of Kura, with its type and the parts of it that may be NULL.
struct Snippet: Sendable {
  var text: String
  var binding = Precedence.unary
  var type = SnippetType.unknown
  /// Whether it is a collection, or a path through one.
  var isMany = false
  /// Whether it is a condition instead of a value.
  var isPredicate = false
  /// The parts that may be NULL. A value is NULL if one of them is; a condition of SQL is then
  /// unknown, and neither it nor its negation is true.
  var nulls: [String] = []
  /// The negation of the condition in SQL; nil if that is `NOT` before it.
  private var opposite: (text: String, binding: Precedence)?

  init(
    _ text: String, _ type: SnippetType = .unknown, binding: Precedence = .unary,
    isMany: Bool = false, nulls: [String] = []
  ) {
    self.text = text
    self.type = type
    self.binding = binding
    self.isMany = isMany
    self.nulls = nulls
  }

  /// Returns an object, or a path to objects: `parentCategory`, `$x`; an empty path is the object
  /// itself.
  static func object(
    _ path: String, _ entity: String?, isMany: Bool = false, isNullable: Bool = false
  ) -> Snippet {
    Snippet(
      path.isEmpty ? "SELF" : path, entity.map { .object($0) } ?? .unknown, isMany: isMany,
      nulls: isNullable ? [path] : [])
  }

  /// The entity of an object.
  var entity: String? { if case .object(let entity) = type { entity } else { nil } }

  /// The path before the keys of an object; empty for the object itself.
  var path: String { text == "SELF" ? "" : text(in: .unary) }

  /// Returns a condition.
  static func predicate(_ text: String, _ binding: Precedence = .comparison) -> Snippet {
    var written = Snippet(text, .boolean, binding: binding)
    written.isPredicate = true
    return written
  }

  /// Returns the condition, with its negation.
  func or(not opposite: Snippet, nulls: [String] = []) -> Snippet {
    var written = self
    written.opposite = (opposite.text, opposite.binding)
    written.nulls = nulls
    return written
  }

  /// The negated condition.
  var negated: Snippet {
    let negation = opposite ?? ("NOT " + text(in: .comparison), .not)
    return .predicate(negation.text, negation.binding).or(not: self, nulls: nulls)
  }

  /// Returns the text, in brackets if it binds less tightly than required.
  func text(in place: Precedence) -> String { binding < place ? "(\(text))" : text }

  /// Returns a conjunction; nil for no conditions.
  static func all(_ conditions: [Snippet]) -> Snippet? {
    guard conditions.count > 1 else { return conditions.first }
    return .predicate(conditions.map { $0.text(in: .and) }.joined(separator: " AND "), .and)
  }

  /// Returns the condition that additionally requires that none of these parts is NULL.
  func known(_ nulls: [String]) -> Snippet { Self.all([self] + Self.known(nulls)) ?? self }

  /// Returns the conditions that parts are not NULL.
  static func known(_ nulls: [String]) -> [Snippet] { nulls.map { .predicate("\($0) != NULL") } }
}

/// The type of a part, as far as known.
enum SnippetType: Sendable, Hashable {
  case text, integer, number, date, boolean, null, unknown
  /// An object of an entity.
  case object(String)
  /// The place of a text in another, counted from 0 or 1, which is a condition in Kura.
  case place(start: String, anywhere: String, from: Int)

  init(_ type: AttributeType) {
    switch type {
    case .integer, .integer16, .integer32: self = .integer
    case .double, .float, .decimal: self = .number
    case .string, .uuid, .uri: self = .text
    case .boolean: self = .boolean
    case .date: self = .date
    case .binary, .json: self = .unknown
    }
  }

  var isNumber: Bool { self == .integer || self == .number }

  /// Returns whether values of both types may be compared and joined.
  func agrees(with other: SnippetType) -> Bool {
    if self == .unknown || other == .unknown || self == .null || other == .null { return true }
    return self == other || isNumber && other.isNumber
  }
}

extension [String] {
  /// Returns the texts of both, without duplicates.
  func joined(_ other: [String]) -> [String] { self + other.filter { !contains($0) } }
}

/// The meaning of the names in an expression.
struct Scope: Sendable {
  /// The evaluated object, or a value instead of it; nil outside a fetch, as in `print`.
  var root: Snippet?
  /// Aliases of tables, parameters of closures, and variables, by their names in lowercase.
  var names: [String: Snippet] = [:]
  /// The values that a script has given to names: `let today = Date()`.
  var values: [String: Tree] = [:]
  /// Whether ANY or ALL precedes the path.
  var isQuantified = false
  /// Whether aggregates refer to groups, which are never empty.
  var isGrouped = false
  /// The partners of each object, if aggregates refer to those of a LEFT JOIN.
  var partners: Snippet?

  subscript(name: String) -> Snippet? {
    get { names[name.lowercased()] }
    set { names[name.lowercased()] = newValue }
  }

  /// Returns the scope of a closure whose parameter is an object.
  func binding(_ names: [String], to object: Snippet) -> Scope {
    var inner = self
    inner.root = object
    for name in ["$0"] + names.prefix(1) { inner[name] = object }
    return inner
  }
}
