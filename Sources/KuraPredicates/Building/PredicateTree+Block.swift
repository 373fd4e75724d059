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
