public import KuraValues

extension PredicateTree {
  /// Creates a predicate that a closure evaluates, for combination with predicates of the language.
  ///
  ///     let nearby = PredicateTree { place, _ in place.object(as: Place.self)?.isNear ?? false }
  ///     try places.filter(by: nearby && Key("open") == true)
  ///
  /// The closure receives SELF and the variables. The predicate has no text: it prints as a call of
  /// `$object`, and cannot be encoded. An error that the closure throws becomes a diagnostic.
  /// Constant time; evaluation costs what the closure costs.
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

/// A closure as a value that can be called.
struct PredicateBlock: KeyReadable {
  static let selector = "evaluateWithObject:"

  let block: @Sendable (Value, [String: Value]) throws -> Bool

  func value(forKey key: String) -> Value { .null }
}

extension Message {
  static let blocks = [
    Message(PredicateBlock.selector) { (target, arguments, context) throws(EvaluationError) in
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

  /// Returns the conjunction of predicates as one AND; TRUEPREDICATE for none.
  ///
  ///     PredicateTree.all(of: filters)
  ///
  /// Linear in the parts.
  public static func all(of parts: [PredicateTree]) -> PredicateTree {
    chain(parts, PredicateTree.Kind.and, empty: .always)
  }

  /// Returns the disjunction of predicates as one OR; FALSEPREDICATE for none. Linear in the parts.
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
  /// Returns the conjunction `a == 1 AND b == 2`. A chain is one node, as in a parsed text. Linear
  /// in the parts of the left side; for many predicates, `all(of:)` is faster.
  public static func && (left: PredicateTree, right: PredicateTree) -> PredicateTree {
    if case .and(let parts) = left.kind, parts.count > 1 {
      return PredicateTree(.and(parts + [right]))
    }
    return PredicateTree(.and([left, right]))
  }

  /// Returns the disjunction `a == 1 OR b == 2`. A chain is one node, as in a parsed text. Linear
  /// in the parts of the left side; for many predicates, `any(of:)` is faster.
  public static func || (left: PredicateTree, right: PredicateTree) -> PredicateTree {
    if case .or(let parts) = left.kind, parts.count > 1 {
      return PredicateTree(.or(parts + [right]))
    }
    return PredicateTree(.or([left, right]))
  }

  /// Returns the negation `NOT a == 1`. Constant time.
  public static prefix func ! (inside: PredicateTree) -> PredicateTree {
    PredicateTree(.not(inside))
  }
}

extension Key {
  /// Returns an ascending sort key, such as `title[cd]`.
  ///
  ///     people.sorted(by: [Key("age").descending, Key("name").ascending(options: .cd)])
  public func ascending(options: ComparisonOptions = [], nullsFirst: Bool? = nil) -> SortTree {
    SortTree(expression, options: options, nullsFirst: nullsFirst)
  }

  /// Returns a descending sort key, such as `title[cd] desc`.
  public func descending(options: ComparisonOptions = [], nullsFirst: Bool? = nil) -> SortTree {
    SortTree(expression, options: options, isAscending: false, nullsFirst: nullsFirst)
  }

  /// `title`
  public var ascending: SortTree { ascending() }

  /// `title desc`
  public var descending: SortTree { descending() }
}
