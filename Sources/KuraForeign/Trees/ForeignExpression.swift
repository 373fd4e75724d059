import KuraDiagnostics

/// A value or condition as several languages write it.
struct ForeignExpression: Sendable {
  var kind: Kind
  var span: SourceSpan

  init(_ kind: Kind, _ span: SourceSpan) {
    self.kind = kind
    self.span = span
  }

  indirect enum Kind: Sendable {
    case number(String)
    /// `isName`: in quotes that may be a name's, too.
    case string(String, mayBeName: Bool)
    /// `/^a/`
    case pattern(String, ignoresCase: Bool)
    case boolean(Bool)
    case null
    case name(String)
    /// `$0`, `$x`, `:x`, `@x`
    case parameter(String)
    /// `Item/3`
    case object(String, String)
    /// What comes in, in jq; `.` alone.
    case root
    /// `\.title`, `#keyPath(Item.title)`
    case keyPath([String])
    case member(ForeignExpression, String)
    /// `.[]`, `tags[]`
    case elements(ForeignExpression)
    case index(ForeignExpression, ForeignExpression)
    case slice(ForeignExpression, ForeignExpression?, ForeignExpression?)
    case call(ForeignExpression, [ForeignArgument])
    case closure([String], ForeignExpression)
    case prefix(String, ForeignExpression)
    case infix(String, ForeignExpression, ForeignExpression)
    case list([ForeignExpression])
    case record([(key: String, value: ForeignExpression)])
    case choice([(condition: ForeignExpression, value: ForeignExpression)], ForeignExpression?)
    case cast(ForeignExpression, String)
    case interval(ForeignExpression, String)
    case select(SelectQuery)
    /// `[b.title for b in books if b.year > 1910]`
    case comprehension(Comprehension)
    /// `(fetch …)`, `SUBQUERY(…)`: Kura's own, as it stands.
    case verbatim
    /// `COUNT(*)`
    case star
  }
}

struct ForeignArgument: Sendable {
  var label: String?
  var value: ForeignExpression
}

/// `value for name in source if condition`
struct Comprehension: Sendable {
  var value: ForeignExpression
  var name: String
  var source: ForeignExpression
  var conditions: [ForeignExpression]
}

extension ForeignExpression {
  /// The name of a function that is called, and its arguments: `len(x)`.
  var namedCall: (name: String, arguments: [ForeignArgument])? {
    guard case .call(let callee, let arguments) = kind, case .name(let name) = callee.kind else {
      return nil
    }
    return (name, arguments)
  }

  /// The method that is called on something: `x.filter(…)`.
  var methodCall: (receiver: ForeignExpression, name: String, arguments: [ForeignArgument])? {
    guard case .call(let callee, let arguments) = kind,
      case .member(let receiver, let name) = callee.kind
    else { return nil }
    return (receiver, name, arguments)
  }

  /// The parts of a conjunction.
  var conjuncts: [ForeignExpression] {
    guard case .infix("AND", let left, let right) = kind else { return [self] }
    return left.conjuncts + right.conjuncts
  }

  /// `title`, `i.title`: the words of a path of names alone.
  var words: [String]? {
    switch kind {
    case .name(let name): [name]
    case .string(let name, mayBeName: true): [name]
    case .member(let base, let name): base.words.map { $0 + [name] }
    default: nil
    }
  }

  /// Whether it is a number or a text.
  var isLiteral: Bool {
    switch kind {
    case .number, .string: true
    default: false
    }
  }

  /// The string of a literal.
  var literalText: String? {
    if case .string(let text, _) = kind { text } else { nil }
  }

  /// The whole number of a literal, with its sign.
  var literalInteger: Int? {
    switch kind {
    case .number(let digits): Int(digits)
    case .prefix("-", let inner): inner.literalInteger.map { -$0 }
    default: nil
    }
  }
}

extension [ForeignArgument] {
  /// The value with a label.
  subscript(label: String) -> ForeignExpression? { first { $0.label == label }?.value }

  /// The values without labels.
  var plain: [ForeignExpression] { filter { $0.label == nil }.map(\.value) }
}
