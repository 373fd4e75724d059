import KuraModel

/// A part of a statement of Kura, with what is known of it.
struct Written: Sendable {
  var text: String
  var binding = KuraPrecedence.unary
  var type = WrittenType.unknown
  /// Whether it is a collection, or goes through one.
  var isMany = false
  /// Whether it is a condition, and no value.
  var isPredicate = false
  /// The condition that is met where this one is not; nil: NOT stands before it.
  var opposite: String?

  init(
    _ text: String, _ type: WrittenType = .unknown, binding: KuraPrecedence = .unary,
    isMany: Bool = false
  ) {
    self.text = text
    self.type = type
    self.binding = binding
    self.isMany = isMany
  }

  /// A condition.
  static func predicate(_ text: String, _ binding: KuraPrecedence = .comparison) -> Written {
    var written = Written(text, .boolean, binding: binding)
    written.isPredicate = true
    return written
  }

  /// `title == ""`, whose opposite is `title != ""`; also other comparisons.
  static func comparison(_ left: String, _ sign: String, _ right: String) -> Written {
    var written = predicate("\(left) \(sign) \(right)")
    let opposites = ["==": "!=", "!=": "=="]
    written.opposite = opposites[sign].map { "\(left) \($0) \(right)" }
    return written
  }

  /// The condition that is met where this one is not.
  var negated: Written {
    if let opposite { return .predicate(opposite) }
    return .predicate("NOT " + text(in: .comparison), .not)
  }

  /// The text, in brackets where it binds less tightly.
  func text(in place: KuraPrecedence) -> String {
    binding < place ? "(\(text))" : text
  }
}

/// How tightly an operator of Kura binds.
enum KuraPrecedence: Int, Comparable, Sendable {
  case or, and, not, comparison, sum, product, power, unary

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What a part is worth, as far as it can be told.
enum WrittenType: Sendable, Hashable {
  case text, number, date, boolean, null, unknown
  /// An object of an entity.
  case object(String)
  /// Where a text lies in another, from 0 or 1: a condition in Kura.
  case place(start: String, anywhere: String, from: Int)

  init(_ type: AttributeType) {
    switch type {
    case .integer, .integer16, .integer32, .double, .float, .decimal: self = .number
    case .string, .uuid, .uri: self = .text
    case .boolean: self = .boolean
    case .date: self = .date
    case .binary, .json: self = .unknown
    }
  }
}
