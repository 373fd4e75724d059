import KuraDiagnostics

/// A value or condition as the languages write it.
struct Tree: Sendable {
  var kind: Kind
  var span: SourceSpan

  init(_ kind: Kind, _ span: SourceSpan) {
    self.kind = kind
    self.span = span
  }

  indirect enum Kind: Sendable {
    /// `1.5`
    case number(String)
    /// `'x'`; SQL also quotes names with `"x"`.
    case string(String, mayBeName: Bool)
    /// `TRUE`
    case boolean(Bool)
    /// `NULL`
    case null
    /// `title`
    case name(String)
    /// `$0`, `$x`, `:x`
    case parameter(String)
    /// `Item/3`
    case object(String, String)
    /// The object itself: `.` in `.title`
    case root
    /// `\.title`, `#keyPath(Item.title)`
    case keyPath([String])
    /// `category.name`
    case member(Tree, String)
    /// `items[0]`, `items[1..<3]`
    case index(Tree, Tree)
    /// `count(x)`
    case call(Tree, [Argument])
    /// `{ $0.done }`
    case closure([String], Tree)
    /// `NOT x`
    case prefix(String, Tree)
    /// `a AND b`
    case infix(String, Tree, Tree)
    /// `(1, 2)`
    case list([Tree])
    /// `CASE WHEN a THEN b ELSE c END`
    case choice([(condition: Tree, value: Tree)], Tree?)
    /// `CAST(x AS INTEGER)`
    case cast(Tree, String)
    /// `INTERVAL 1 DAY`
    case interval(Tree, String)
    /// `(SELECT …)`
    case select(Select)
    /// `(fetch …)`: a fetch of Kura, which stays unchanged.
    case verbatim
    /// `*`
    case star
  }
}

struct Argument: Sendable {
  var label: String?
  var value: Tree
}

extension Tree {
  /// The name of a function that is called, and its arguments: `length(x)`.
  var namedCall: (name: String, arguments: [Argument])? {
    guard case .call(let callee, let arguments) = kind, case .name(let name) = callee.kind else {
      return nil
    }
    return (name, arguments)
  }

  /// The method that is called on something: `x.filter(…)`.
  var methodCall: (receiver: Tree, name: String, arguments: [Argument])? {
    guard case .call(let callee, let arguments) = kind,
      case .member(let receiver, let name) = callee.kind
    else { return nil }
    return (receiver, name, arguments)
  }

  /// The parts of a conjunction.
  var conjuncts: [Tree] {
    guard case .infix("AND", let left, let right) = kind else { return [self] }
    return left.conjuncts + right.conjuncts
  }

  /// The names of a path: `["i", "title"]` for `i.title`.
  var words: [String]? {
    switch kind {
    case .name(let name), .string(let name, mayBeName: true): [name]
    case .member(let base, let name): base.words.map { $0 + [name] }
    default: nil
    }
  }

  /// The name of a table or function without the schema: `Item` for `public.Item`.
  var lastWord: String? { words?.last }

  /// `reverse` for `.reverse`
  var memberName: String? { if case .member(_, let name) = kind { name } else { nil } }

  /// The name of `$x`.
  var parameterName: String? { if case .parameter(let name) = kind { name } else { nil } }

  var isNull: Bool { if case .null = kind { true } else { false } }

  var isStar: Bool { if case .star = kind { true } else { false } }

  /// Whether it is a number or a text.
  var isLiteral: Bool { if case .number = kind { true } else { literalText != nil } }

  /// The value of a literal string.
  var literalText: String? { if case .string(let text, _) = kind { text } else { nil } }

  /// The value of `true`, `NO`.
  var literalBoolean: Bool? { if case .boolean(let isTrue) = kind { isTrue } else { nil } }

  /// The whole number of a literal, with its sign.
  var literalInteger: Int? {
    switch kind {
    case .number(let digits): Int(digits)
    case .prefix("-", let inner): inner.literalInteger.map { $0 == .min ? $0 : -$0 }
    default: nil
    }
  }

  /// The value and the option of `title COLLATE NOCASE`.
  var collation: (value: Tree, options: String)? {
    guard let (name, arguments) = namedCall, name == "COLLATE", arguments.count == 1,
      let options = arguments[0].label
    else { return nil }
    return (arguments[0].value, options)
  }

  /// Returns a path of names at a place in the text.
  static func path(_ key: String, _ span: SourceSpan) -> Tree {
    let words = key.components(of: ".")
    let span = SourceSpan(span.start, span.start)
    return words.dropFirst().reduce(Tree(.name(words[0]), span)) { Tree(.member($0, $1), span) }
  }

  /// Returns two values with an operator between them.
  func infix(_ sign: String, _ right: Tree) -> Tree {
    Tree(.infix(sign, self, right), span.joined(right.span))
  }
}

extension [Argument] {
  subscript(label: String) -> Tree? { first { $0.label == label }?.value }
}

extension String {
  /// Returns the parts between separators.
  func components(of separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  /// The text without whitespace at its ends.
  var trimmed: String {
    let front = drop(while: \.isWhitespace)
    return String(front.reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// A SELECT of SQL, or a fetch of Kura that contains words of SQL.
struct Select: Sendable {
  var result = Query.Result.objects
  var isDistinct = false
  var columns: [Column] = []
  /// The tables, FROM first.
  var tables: [Table] = []
  var condition: Tree?
  var groups: [Tree] = []
  var having: Tree?
  var order: [Order] = []
  var limit: Tree?
  var offset: Tree?
  /// Clauses of Kura that stay unchanged: `section by category`
  var unchangedClauses: [SourceSpan] = []
  var span = SourceSpan.none

  struct Column: Sendable {
    var value: Tree
    var name: String?
    /// Whether the name follows without `as`.
    var isBare = false
  }

  struct Table: Sendable {
    /// The table's name, an object, or a variable.
    var value: Tree
    var alias: String?
    /// The condition of the join.
    var condition: Tree?
    /// Whether rows without a partner are kept.
    var isOuter = false
  }

  struct Order: Sendable {
    var value: Tree
    var isDescending = false
    /// `[c]`
    var options = ""
    /// ` nulls first`
    var tail = ""
  }

  /// Whether it may be used as a value: it has one column, and neither groups nor bounds.
  var isPlain: Bool { columns.count == 1 && groups.isEmpty && offset == nil && having == nil }
}
