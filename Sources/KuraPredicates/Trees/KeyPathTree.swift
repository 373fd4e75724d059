public import KuraDiagnostics

/// Keys joined by dots, from the evaluated object or from an expression.
public struct KeyPathTree: Sendable, Hashable {
  /// `$i` in `$i.done`; nil where the path starts at the evaluated object.
  public var base: ExpressionTree?
  /// `items`, `@sum`, `estimate`
  public var components: [KeyComponent]

  /// Makes a path.
  public init(base: ExpressionTree? = nil, _ components: [KeyComponent]) {
    self.base = base
    self.components = components
  }
}

/// One step of a key path.
public struct KeyComponent: Sendable {
  /// The kinds of step.
  public enum Kind: Sendable, Hashable {
    /// `title`, `#like`, `#"first name"`
    case key
    /// `@count`, `@sum`; the name is without the `@`
    case collectionOperator
    /// `$b` in `$a.$b`
    case variable
  }
  /// What it is called, without `#`, quotes, `@` and `$`.
  public var name: String
  /// What it is.
  public var kind: Kind
  /// Where.
  public var span: SourceSpan

  /// Makes a step.
  public init(_ name: String, _ kind: Kind = .key, span: SourceSpan = .none) {
    self.name = name
    self.kind = kind
    self.span = span
  }
}

extension KeyComponent: Hashable {
  /// Equal by name and kind.
  public static func == (a: KeyComponent, b: KeyComponent) -> Bool {
    a.name == b.name && a.kind == b.kind
  }

  /// Hashes name and kind.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(kind)
  }
}

/// A function of the catalogue with its arguments.
public struct FunctionCall: Sendable {
  /// The selector, as in the catalogue: `sum:`, `add:to:`, `today`, `castObject:toType:`.
  public var selector: String
  /// In their order.
  public var arguments: [ExpressionTree]
  /// Where the name or the operator stands.
  public var nameSpan: SourceSpan

  /// Makes a call.
  public init(_ selector: String, _ arguments: [ExpressionTree], nameSpan: SourceSpan = .none) {
    self.selector = selector
    self.arguments = arguments
    self.nameSpan = nameSpan
  }
}

extension FunctionCall: Hashable {
  /// Equal by selector and arguments. Linear in the trees.
  public static func == (a: FunctionCall, b: FunctionCall) -> Bool {
    a.selector == b.selector && a.arguments == b.arguments
  }

  /// Hashes selector and arguments. Linear in the trees.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(selector)
    hasher.combine(arguments)
  }
}
