public import KuraDiagnostics
import KuraValues

extension PredicateTree {
  /// Reads a format string with Swift's own values for its specifiers.
  ///
  ///     try PredicateTree(format: "title CONTAINS[cd] %@ AND priority >= %d", "誕生", 3)
  ///     try PredicateTree(format: "%K == %@ OR %@", "born", Date.now, another)
  ///
  /// `%@` takes any value, an expression or a predicate, `%K` a string that is a key path. An
  /// argument is never syntax, so what a person typed is safe here. Linear in the format. Throws a
  /// diagnostic whose span lies in the format.
  public init(format: String, _ arguments: (any FormatConvertible)?...) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments.map(\.orNull))
  }
}

extension ExpressionTree {
  /// Reads a format string with Swift's own values for its specifiers.
  ///
  ///     try ExpressionTree(format: "price * %f", 1.1)
  ///
  /// Throws a diagnostic whose span lies in the format.
  public init(format: String, _ arguments: (any FormatConvertible)?...) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments.map(\.orNull))
  }
}

extension (any FormatConvertible)? {
  fileprivate var orNull: FormatArgument { self?.formatArgument ?? .value(.null) }
}
