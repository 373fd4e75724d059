public import KuraDiagnostics

/// A path of keys, starting at the evaluated object or at an expression.
public struct KeyPathTree: Sendable, Hashable {
  /// The expression at the start: `$i` in `$i.done`; nil if the path starts at the evaluated
  /// object.
  public var base: ExpressionTree?
  /// The steps, such as `items`, `@sum` and `estimate`.
  public var components: [KeyComponent]

  /// Creates a path.
  public init(base: ExpressionTree? = nil, _ components: [KeyComponent]) {
    self.base = base
    self.components = components
  }
}

/// One step of a key path.
public struct KeyComponent: Sendable, Hashable {
  /// The kind of a step.
  public enum Kind: Sendable, Hashable {
    /// `title`, `#like`, `#"first name"`
    case key
    /// `@count`, `@sum`; the name is without the `@`
    case collectionOperator
    /// `$b` in `$a.$b`
    case variable
  }
  /// The name, without `#`, quotes, `@` and `$`.
  public var name: String
  /// The kind of the step.
  public var kind: Kind
  /// The place in the text; equality ignores it.
  @IgnoredByEquality public var span: SourceSpan
  /// What the key names, once a check against a model has found it; equality ignores it.
  @IgnoredByEquality package var resolution: (any KeyResolution)? = nil

  /// Creates a step.
  public init(_ name: String, _ kind: Kind = .key, span: SourceSpan = .none) {
    self.name = name
    self.kind = kind
    self.span = span
  }
}

/// What a key names in a model. The module of the model has the only type that conforms.
package protocol KeyResolution: AnyObject, Sendable {}

extension KeyComponent {
  /// The keys that mean the size of a collection, even if its objects have such keys.
  package static let namesOfSize = ["count", "length"]

  /// Whether it is the size of a collection.
  package var asksSize: Bool { kind == .key && Self.namesOfSize.contains(name) }

  /// `@allValues`, each value of a dictionary
  package var isOfAllValues: Bool { kind == .collectionOperator && name == "allValues" }

  /// The name with its `@` or `$`, but without quotes.
  package var written: String {
    switch kind {
    case .key: name
    case .collectionOperator: "@" + name
    case .variable: "$" + name
    }
  }
}

extension ExpressionTree {
  /// The name of a path of keys in headings: `owner.first name` for `owner.#"first name"`; nil for other expressions.
  package var pathWithoutQuotes: String? {
    guard case .keyPath(let path) = kind, path.base == nil else { return nil }
    return path.components.map(\.written).joined(separator: ".")
  }
}

/// A call of a function in ``FunctionCatalogue``.
public struct FunctionCall: Sendable, Hashable {
  /// The selector, as in the catalogue: `sum:`, `add:to:`, `today`, `castObject:toType:`.
  public var selector: String { didSet { builtIn = BuiltInFunction(selector: selector) } }
  /// The function; nil if it is not built in.
  package private(set) var builtIn: BuiltInFunction?
  /// The arguments in order.
  public var arguments: [ExpressionTree]
  /// The place of the name or operator; equality ignores it.
  @IgnoredByEquality public var nameSpan: SourceSpan

  /// Creates a call. Constant time.
  public init(_ selector: String, _ arguments: [ExpressionTree], nameSpan: SourceSpan = .none) {
    builtIn = BuiltInFunction(selector: selector)
    self.selector = selector
    self.arguments = arguments
    self.nameSpan = nameSpan
  }
}
