public import KuraDiagnostics
public import KuraValues

/// An expression as a tree. Each node has its place in the text.
public struct ExpressionTree: Sendable {
  private var storage: NodeStorage<Kind>
  /// The number of levels of the tree; 1 for a leaf.
  package private(set) var height: Int
  /// The place in the text; equality ignores it.
  public var span: SourceSpan
  /// The type of its values, once a check has found it; equality ignores it.
  package var staticType: (any StaticType)?

  /// Creates a node.
  public init(_ kind: Kind, span: SourceSpan = .none) {
    height = kind.height
    storage = NodeStorage(kind, height: height)
    self.span = span
  }

  /// The kind of this node, with its parts.
  public var kind: Kind {
    get { storage.kind }
    set { self = Self(newValue, span: span) }
  }

  /// The kinds of expression.
  public indirect enum Kind: Sendable, Hashable {
    /// `"誕生"`, `3`, `YES`, `nil`
    case constant(Constant)
    /// `SELF`
    case evaluatedObject
    /// `$today`
    case variable(String)
    /// `title`, `parentCategory.name`, `items.@sum.estimate`, `$i.done`, `(a.b)[0].c`
    case keyPath(KeyPathTree)
    /// `price * 2`, `modulus:by:(7, 2)`, `today()`, `CAST(x, "NSDate")`
    case function(FunctionCall)
    /// `FUNCTION(title, "uppercaseString")`
    case message(target: ExpressionTree, selector: String, arguments: [ExpressionTree])
    /// `a[0]`, `a[FIRST]`, `a["key"]`
    case index(ExpressionTree, IndexKind)
    /// `a.d[0]`, which means `a.(d[0])`; it can be parsed, but its evaluation is an error that
    /// suggests `(a.d)[0]`
    case indexAfterDot(ExpressionTree, ExpressionTree)
    /// `{1, x, "y"}`
    case aggregate([ExpressionTree])
    /// `SUBQUERY(items, $i, $i.done == NO)`
    case subquery(ExpressionTree, variable: String, PredicateTree)
    /// `items.(price * count)`, the values of an expression for the elements of a collection. The
    /// variable is the element: the tree has `$(0).price`, which prints as `price`.
    case mapped(ExpressionTree, variable: String, ExpressionTree)
    /// `TERNARY(done == YES, 1, 2)`
    case ternary(PredicateTree, ExpressionTree, ExpressionTree)
    /// `a UNION b`
    case setOperation(SetOperation, ExpressionTree, ExpressionTree)
    /// `$x := 3`
    case assignment(String, ExpressionTree)
    /// `ANYKEY`
    case anyKey
    /// `MemoDate/17`, written without blanks: an object if the model has that entity, otherwise a
    /// quotient
    case objectOrQuotient(entity: String, number: Int64)
    /// `select title, dueDate < today() as late`: a predicate with the value YES or NO, in requests
    case predicate(PredicateTree)
    /// `(fetch Item where done == NO)`, `(count Item)`: in requests of a store
    case fetch(FetchTree)
  }
}

/// The type of an expression's values. The module that checks trees has the only type that conforms.
package protocol StaticType: AnyObject, Sendable {}

/// A literal value, with the digits as written.
public struct Constant: Sendable {
  /// The value without regard to the type on the other side.
  public var value: Value {
    get { objects?.value ?? known }
    set { (known, objects) = (newValue, nil) }
  }
  private var known: Value
  /// The objects that a fetch found; nil for other values.
  package private(set) var objects: (any FoundObjects)?
  /// The digits as written, such as `0.1`, for comparison with a decimal; nil except for numbers
  /// with a fraction or beyond 64 bits.
  public var digits: String?
  /// Whether it was computed instead of written, so that a text is not read as another type.
  package var isComputed = false

  /// Creates a constant.
  public init(_ value: Value, digits: String? = nil) {
    known = value
    self.digits = digits
  }

  /// Creates a constant with the objects that a fetch found.
  package init(_ objects: any FoundObjects) { (known, self.objects) = (.null, objects) }
}

/// Objects that become a list of values when `value` is first read.
package protocol FoundObjects: AnyObject, Sendable {
  /// The number of objects.
  var count: Int { get }
  /// The objects as a list.
  var value: Value { get }
  /// Returns the values of an attribute; nil for other keys.
  func values(ofAttribute key: String) -> [Value]?
  /// Returns the objects of a relationship, object by object; nil for other keys, and if a nil is among them.
  func objects(at key: String) -> (any FoundObjects)?
  /// Returns the distinct objects of a set operation; nil if the other objects are found elsewhere.
  func combined(_ operation: SetOperation, with other: any FoundObjects) -> (any FoundObjects)?
}

/// The content of the brackets of an index.
public enum IndexKind: Sendable, Hashable {
  /// `[FIRST]`
  case first
  /// `[LAST]`
  case last
  /// `[SIZE]`
  case size
  /// `[0]`, `["key"]`, `[n]`: evaluated for the root object
  case at(ExpressionTree)
}

/// An infix operator on collections.
public enum SetOperation: String, Sendable, Hashable {
  /// `UNION`
  case union = "UNION"
  /// `INTERSECT`
  case intersect = "INTERSECT"
  /// `MINUS`
  case minus = "MINUS"
}

extension ExpressionTree: Hashable {
  /// Returns whether both have equal nodes, without regard to spans. Linear in the smaller tree.
  public static func == (a: ExpressionTree, b: ExpressionTree) -> Bool {
    a.descending { a.kind == b.kind }
  }
  /// Hashes the nodes without their spans. Linear in the tree.
  public func hash(into hasher: inout Hasher) { descending { hasher.combine(kind) } }
}

extension Constant: Hashable {
  /// Returns whether the values are equal: `2` equals `2.0`. The results of two fetches are not equal.
  public static func == (a: Constant, b: Constant) -> Bool {
    a.objects == nil && b.objects == nil ? a.known == b.known : a.objects === b.objects
  }
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    if let objects { hasher.combine(ObjectIdentifier(objects)) } else { hasher.combine(known) }
  }
}

extension ExpressionTree {
  /// Returns whether it is the variable of a name.
  package func isVariable(_ name: String?) -> Bool {
    if case .variable(let variable) = kind { variable == name } else { false }
  }
}

extension ExpressionTree {
  /// The tree that was probably meant by an index after a dot: `(a.d)[0]` for `a.d[0]`.
  ///
  /// Any other tree is unchanged. Linear in the indexes and keys after the dot.
  public var withIndexOutside: ExpressionTree {
    guard case .indexAfterDot(let base, let indexed) = kind else { return self }
    return ExpressionTree(indexed.rooted(in: base).kind, span: span)
  }

  /// Returns this index or key in an object: `d[0]` in `a.b` gives `(a.b.d)[0]`.
  private func rooted(in base: ExpressionTree) -> ExpressionTree {
    descending { rootedKind(in: base) }
  }

  private func rootedKind(in base: ExpressionTree) -> ExpressionTree {
    switch kind {
    case .index(let inner, let place): ExpressionTree(.index(inner.rooted(in: base), place))
    case .keyPath(let path): base.appending(path.components)
    case .variable(let name): base.appending([KeyComponent(name, .variable, span: span)])
    default: self
    }
  }

  private func appending(_ components: [KeyComponent]) -> ExpressionTree {
    guard case .keyPath(let path) = kind else {
      return ExpressionTree(.keyPath(KeyPathTree(base: self, components)))
    }
    return ExpressionTree(.keyPath(KeyPathTree(base: path.base, path.components + components)))
  }
}

extension ExpressionTree {
  /// Whether it is a constant, or a list of constants.
  package var isFixed: Bool {
    switch kind {
    case .constant: true
    case .aggregate(let parts): descending { parts.allSatisfy(\.isFixed) }
    default: false
    }
  }
}

extension IndexKind {
  /// Whether it is the same for every object.
  package var isFixed: Bool {
    switch self {
    case .first, .last, .size: true
    case .at(let index): index.isFixed
    }
  }
}

// Literals that can be the value of an expression
extension ExpressionTree {
  /// The parts, one of which gives the value: the branches of a TERNARY, the arguments of `coalesce`, `min` and `max`,
  /// and the elements of a list; nil for other expressions.
  package var choices: [ExpressionTree]? {
    switch kind {
    case .ternary(_, let yes, let no): [yes, no]
    case .aggregate(let parts): parts
    case .function(let call) where call.isChoice: call.arguments
    default: nil
    }
  }

  /// Returns the expression with other choices.
  package func with(choices: [ExpressionTree]) -> ExpressionTree {
    switch kind {
    case .ternary(let condition, _, _) where choices.count == 2:
      return ExpressionTree(.ternary(condition, choices[0], choices[1]), span: span)
    case .aggregate: return ExpressionTree(.aggregate(choices), span: span)
    case .function(var call) where call.isChoice:
      call.arguments = choices
      return ExpressionTree(.function(call), span: span)
    default: return self
    }
  }

  /// The literal, or the result of arithmetic with only literal numbers such as `1 + 0.5`; nil for other expressions.
  ///
  /// The digits of a result are those of the arithmetic with decimals. Linear in the tree.
  package var numberLiteral: Constant? {
    if case .constant(let constant) = kind { return constant }
    guard case (.double(let double), let exact)? = numbers else { return nil }
    var constant = Constant(.double(double))
    if case .decimal(let decimal) = exact { constant.digits = NumberText.text(decimal) }
    constant.isComputed = true
    return constant
  }

  /// The value of a literal number, or of arithmetic with only literal numbers: as it is, and among decimals.
  private var numbers: (alone: Value, exact: Value)? {
    switch kind {
    case .constant(let constant) where constant.value.approximateNumber != nil:
      return (constant.value, constant.besideDecimals)
    case .function(let call):
      guard let function = call.function, function.isArithmetic else { return nil }
      var (alone, exact): ([Value], [Value]) = ([], [])
      // The first operand of `a * 2 + b` is the longest. It is read only if the second one is a number.
      for argument in call.arguments.reversed() {
        guard let part = argument.descending({ argument.numbers }) else { return nil }
        alone.insert(part.alone, at: 0)
        exact.insert(part.exact, at: 0)
      }
      let context = EvaluationContext()
      guard let alone = try? function.value(of: alone, in: context),
        let exact = try? function.value(of: exact, in: context)
      else { return nil }
      return (alone, exact)
    default: return nil
    }
  }

  /// Whether it is arithmetic with only literal numbers: `1950 - 1 - 1`.
  package var isComputedFromNumbers: Bool {
    switch kind {
    case .constant(let constant): constant.value.approximateNumber != nil
    case .function(let call):
      call.function?.isArithmetic == true
        && descending { call.arguments.allSatisfy(\.isComputedFromNumbers) }
    default: false
    }
  }

  /// The literals with a fraction that can be its value. Linear in the choices.
  package var doubleLiterals: [Constant] {
    if let constant = numberLiteral {
      if case .double = constant.value { return [constant] }
      return []
    }
    return descending { choices?.flatMap(\.doubleLiterals) ?? [] }
  }

  /// The expression with these literals as decimals.
  package var besideDecimals: ExpressionTree {
    if var constant = numberLiteral {
      constant.value = constant.besideDecimals
      return ExpressionTree(.constant(constant), span: span)
    }
    return descending { choices.map { with(choices: $0.map(\.besideDecimals)) } ?? self }
  }

  /// The expression with literal integers that can be its value as doubles.
  package var besideDoubles: ExpressionTree {
    if var constant = numberLiteral {
      guard case .integer(let integer) = constant.value else { return self }
      constant.value = .double(Double(integer))
      return ExpressionTree(.constant(constant), span: span)
    }
    return descending { choices.map { with(choices: $0.map(\.besideDoubles)) } ?? self }
  }
}

extension FunctionCall {
  /// Whether the value is that of an argument, or of an element of one.
  fileprivate var isChoice: Bool { [.coalesce, .min, .max].contains(builtIn) }
}

extension Constant {
  /// The value of a literal next to decimals: the digits as typed. A double that was computed remains one.
  package var besideDecimals: Value {
    guard case .double(let double) = value, digits != nil || !isComputed else { return value }
    return NumberText.decimal(digits ?? NumberText.text(double)).map { .decimal($0) } ?? value
  }

  /// Whether the double has the digits of the decimal, so that it is ordered like the decimal.
  package var isExactBesideDecimals: Bool {
    guard case .double(let double) = value else { return true }
    guard case .decimal(let decimal) = besideDecimals else { return false }
    return NumberText.decimal(NumberText.text(double)) == decimal
  }
}
