public import KuraDiagnostics
public import KuraValues

/// A predicate made ready for many objects: what does not depend on them is computed once.
///
///     let wanted = try PredicateTree(parsing: "title MATCHES '.*[0-9]+'").prepared()
///     for song in songs where try wanted.evaluate(song) { … }
///
/// Strings to look for are folded, LIKE and MATCHES compiled, functions looked up, lists of IN
/// hashed. The answer is always that of the tree itself.
public struct PreparedPredicate: Sendable {
  /// The predicate.
  public let tree: PredicateTree
  let test: PreparedTest
  private let context: EvaluationContext
  /// Whether the tree asks for the time, which must be that of the evaluation.
  private let asksTheClock: Bool

  /// Prepares a predicate.
  package init(_ tree: PredicateTree, in context: EvaluationContext) {
    self.tree = tree
    self.context = context
    test = PredicatePreparation(context: context).test(tree)
    asksTheClock = PredicatePreparation.asksTheClock(tree)
  }
}

extension PredicateTree {
  /// The predicate made ready for many objects, with the values of its variables.
  ///
  ///     let wanted = try PredicateTree(parsing: "date < $today").prepared(variables: ["today": day])
  ///
  /// Linear in the tree. What is wrong, such as a pattern of MATCHES, is thrown when it is evaluated.
  public func prepared(variables: [String: Value] = [:]) -> PreparedPredicate {
    PreparedPredicate(self, in: EvaluationContext(variables: variables))
  }
}

extension PreparedPredicate {
  /// Whether a dictionary fulfils the predicate.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated.
  public func evaluate(_ object: [String: Value]) throws(Diagnostic) -> Bool {
    try test(evaluator(.object(ObjectReference(object))))
  }

  /// Whether something with keys fulfils the predicate.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated.
  public func evaluate(_ object: any KeyReadable) throws(Diagnostic) -> Bool {
    try test(evaluator(.object(ObjectReference(object))))
  }

  /// Whether a value of any kind fulfils the predicate, as SELF.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated.
  public func evaluate(value: Value) throws(Diagnostic) -> Bool { try test(evaluator(value)) }

  /// Whether anything `Encodable` fulfils the predicate; it is encoded for this.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated, or what encoding throws.
  public func evaluate(encoding object: some Encodable) throws -> Bool {
    try evaluate(value: ValueEncoder().encode(object))
  }

  /// An evaluator at one moment, whose root may be exchanged.
  func evaluator(_ root: Value = .null) -> Evaluator {
    var context = context
    if asksTheClock { context.now = .now }
    return Evaluator(root: root, context: context)
  }
}
