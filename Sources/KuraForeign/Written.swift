import KuraModel

/// A part of a statement of Kura, with its type and the parts of it that may be NULL.
struct Written: Sendable {
  var text: String
  var binding = Precedence.unary
  var type = WrittenType.unknown
  /// Whether it is a collection, or leads through one.
  var isMany = false
  /// Whether it is a condition, not a value.
  var isPredicate = false
  /// The parts that may be NULL. A value is NULL if one of them is; a condition of SQL is then
  /// unknown, and neither it nor its opposite is met.
  var nulls: [String] = []
  /// The condition that is met where SQL holds this one for false; nil: `NOT` before it.
  private var opposite: (text: String, binding: Precedence)?

  init(
    _ text: String, _ type: WrittenType = .unknown, binding: Precedence = .unary,
    isMany: Bool = false, nulls: [String] = []
  ) {
    self.text = text
    self.type = type
    self.binding = binding
    self.isMany = isMany
    self.nulls = nulls
  }

  /// An object, or a way to objects: `parentCategory`, `$x`; an empty path is the object that is asked.
  static func object(
    _ path: String, _ entity: String?, isMany: Bool = false, isNullable: Bool = false
  ) -> Written {
    Written(
      path.isEmpty ? "SELF" : path, entity.map { .object($0) } ?? .unknown, isMany: isMany,
      nulls: isNullable ? [path] : [])
  }

  /// The entity of an object.
  var entity: String? { if case .object(let entity) = type { entity } else { nil } }

  /// The path before the keys of an object; empty for the object that is asked.
  var path: String { text == "SELF" ? "" : text(in: .unary) }

  /// A condition.
  static func predicate(_ text: String, _ binding: Precedence = .comparison) -> Written {
    var written = Written(text, .boolean, binding: binding)
    written.isPredicate = true
    return written
  }

  /// The condition, and the condition that is met when it is false.
  func or(not opposite: Written, nulls: [String] = []) -> Written {
    var written = self
    written.opposite = (opposite.text, opposite.binding)
    written.nulls = nulls
    return written
  }

  /// The condition that is met where this one is false.
  var negated: Written {
    let negation = opposite ?? ("NOT " + text(in: .comparison), .not)
    return .predicate(negation.text, negation.binding).or(not: self, nulls: nulls)
  }

  /// The text, in brackets if it binds less tightly.
  func text(in place: Precedence) -> String { binding < place ? "(\(text))" : text }

  /// A conjunction; nil for no conditions.
  static func all(_ conditions: [Written]) -> Written? {
    guard conditions.count > 1 else { return conditions.first }
    return .predicate(conditions.map { $0.text(in: .and) }.joined(separator: " AND "), .and)
  }

  /// The condition, and that none of some parts is NULL.
  func known(_ nulls: [String]) -> Written { Self.all([self] + Self.known(nulls)) ?? self }

  /// The conditions that parts are not NULL.
  static func known(_ nulls: [String]) -> [Written] { nulls.map { .predicate("\($0) != NULL") } }
}

/// The type of a part, as far as it is known.
enum WrittenType: Sendable, Hashable {
  case text, integer, number, date, boolean, null, unknown
  /// An object of an entity.
  case object(String)
  /// The place of a text in another, counted from 0 or 1: a condition in Kura.
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

  /// Whether values of both types may be compared and joined.
  func agrees(with other: WrittenType) -> Bool {
    if self == .unknown || other == .unknown || self == .null || other == .null { return true }
    return self == other || isNumber && other.isNumber
  }
}

extension [String] {
  /// The texts of both, each once.
  func joined(_ other: [String]) -> [String] { self + other.filter { !contains($0) } }
}

/// The meaning of the names in an expression.
struct Scope: Sendable {
  /// The evaluated object, or a value instead of it; nil outside a fetch, as in `print`.
  var root: Written?
  /// Aliases of tables, parameters of closures, variables; by their names in small letters.
  var names: [String: Written] = [:]
  /// The values that a script has given to names: `let today = Date()`.
  var values: [String: Tree] = [:]
  /// Whether ANY or ALL precedes.
  var isQuantified = false
  /// Whether aggregates are of groups, which are never empty.
  var isGrouped = false
  /// The partners of each object, if aggregates are of them: those of a LEFT JOIN.
  var partners: Written?

  subscript(name: String) -> Written? {
    get { names[name.lowercased()] }
    set { names[name.lowercased()] = newValue }
  }

  /// The scope of a closure whose parameter is an object.
  func binding(_ names: [String], to object: Written) -> Scope {
    var inner = self
    inner.root = object
    for name in ["$0"] + names.prefix(1) { inner[name] = object }
    return inner
  }
}
