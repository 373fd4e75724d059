public import KuraValues

extension PredicateTree {
  /// A predicate that a closure answers, beside others that are written in the language.
  ///
  ///     let nearby = PredicateTree { place, _ in place.object(as: Place.self)?.isNear ?? false }
  ///     try places.filter(by: nearby && Key("open") == true)
  ///
  /// The closure gets SELF and the variables. It has no text: printed it is a call of `$object`,
  /// and it cannot be kept. An error that it throws becomes a diagnostic. Constant time; to
  /// evaluate it costs what the closure costs.
  public init(block: @escaping @Sendable (Value, [String: Value]) throws -> Bool) {
    let block = Value.object(ObjectReference(PredicateBlock(block: block)))
    self.init(
      .truth(
        ExpressionTree(
          .message(
            target: ExpressionTree(.constant(Constant(block))), selector: PredicateBlock.selector,
            arguments: [ExpressionTree(.evaluatedObject)]))))
  }
}

/// The closure as the value that is asked.
struct PredicateBlock: KeyReadable {
  static let selector = "evaluateWithObject:"

  let block: @Sendable (Value, [String: Value]) throws -> Bool

  func value(forKey key: String) -> Value { .null }
}

extension Message {
  static let blocks = [
    Message(PredicateBlock.selector) { (target, arguments, context) throws(EvaluationFacts) in
      guard case .object(let object) = target, let block = object.reader as? PredicateBlock else {
        throw .unknownSelector(PredicateBlock.selector)
      }
      do { return .boolean(try block.block(arguments[0], context.variables)) } catch {
        throw .failedFunction("the closure", "\(error)")
      }
    }
  ]
}

extension PredicateTree {
  /// `TRUEPREDICATE`
  public static let always = PredicateTree(.constant(true))
  /// `FALSEPREDICATE`
  public static let never = PredicateTree(.constant(false))

  /// All of them, as one AND; TRUEPREDICATE for none.
  ///
  ///     PredicateTree.all(of: filters)
  ///
  /// Linear in the parts.
  public static func all(of parts: [PredicateTree]) -> PredicateTree {
    chain(parts, PredicateTree.Kind.and, empty: .always)
  }

  /// One of them at least, as one OR; FALSEPREDICATE for none. Linear in the parts.
  public static func any(of parts: [PredicateTree]) -> PredicateTree {
    chain(parts, PredicateTree.Kind.or, empty: .never)
  }

  private static func chain(
    _ parts: [PredicateTree], _ connect: ([PredicateTree]) -> Kind, empty: PredicateTree
  ) -> PredicateTree {
    guard let first = parts.first else { return empty }
    return parts.count == 1 ? first : PredicateTree(connect(parts))
  }
}

extension PredicateTree {
  /// `a == 1 AND b == 2`; a chain is one node, as it is in a text. Linear in the parts of the left
  /// side, so that many are sooner joined by `all(of:)`.
  public static func && (left: PredicateTree, right: PredicateTree) -> PredicateTree {
    if case .and(let parts) = left.kind, parts.count > 1 {
      return PredicateTree(.and(parts + [right]))
    }
    return PredicateTree(.and([left, right]))
  }

  /// `a == 1 OR b == 2`; a chain is one node, as it is in a text. Linear in the parts of the left
  /// side, so that many are sooner joined by `any(of:)`.
  public static func || (left: PredicateTree, right: PredicateTree) -> PredicateTree {
    if case .or(let parts) = left.kind, parts.count > 1 {
      return PredicateTree(.or(parts + [right]))
    }
    return PredicateTree(.or([left, right]))
  }

  /// `NOT a == 1`; constant time
  public static prefix func ! (inside: PredicateTree) -> PredicateTree {
    PredicateTree(.not(inside))
  }
}

extension Key {
  /// `title[cd]`, ascending.
  ///
  ///     people.sorted(by: [Key("age").descending, Key("name").ascending(options: .cd)])
  public func ascending(options: ComparisonOptions = [], nullsFirst: Bool? = nil) -> SortTree {
    SortTree(expression, options: options, nullsFirst: nullsFirst)
  }

  /// `title[cd] desc`
  public func descending(options: ComparisonOptions = [], nullsFirst: Bool? = nil) -> SortTree {
    SortTree(expression, options: options, isAscending: false, nullsFirst: nullsFirst)
  }

  /// `title`
  public var ascending: SortTree { ascending() }

  /// `title desc`
  public var descending: SortTree { descending() }
}
