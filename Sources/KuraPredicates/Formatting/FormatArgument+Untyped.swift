import KuraValues

extension PredicateTree {
  /// Reads a format string with arguments of any type, as `NSPredicate(format:argumentArray:)` does.
  ///
  ///     try PredicateTree(format: "%K == %@", argumentArray: ["title", NSString("誕生日")])
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public init(format: String, argumentArray: [Any]?) throws {
    try self.init(format: format, arguments: (argumentArray ?? []).formatArguments())
  }
}

extension ExpressionTree {
  /// Reads a format string with arguments of any type, as `NSExpression(format:argumentArray:)` does.
  ///
  ///     try ExpressionTree(format: "%K * %@", argumentArray: ["price", 2])
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public init(format: String, argumentArray: [Any]) throws {
    try self.init(format: format, arguments: argumentArray.formatArguments())
  }
}

extension [Any] {
  fileprivate func formatArguments() throws(UnknownValueType) -> [FormatArgument] {
    var arguments: [FormatArgument] = []
    for argument in self {
      if let known = argument as? any FormatConvertible {
        arguments.append(known.formatArgument)
      } else {
        arguments.append(.value(try Value(untyped: argument)))
      }
    }
    return arguments
  }
}
