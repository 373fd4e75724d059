import Foundation
import KuraValues

extension PredicateTree {
  /// Reads a format string with arguments of which the compiler knows less: an object of yours, an
  /// `NSNumber`, an enumeration with raw values.
  ///
  ///     try PredicateTree(format: "parent == %@ AND n == %@", folder, NSNumber(value: 3))
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  @_disfavoredOverload
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments.map { $0.orNullObject })
  }
}

extension ExpressionTree {
  /// Reads a format string with arguments of which the compiler knows less.
  ///
  ///     try ExpressionTree(format: "price * %@", NSNumber(value: 2))
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  @_disfavoredOverload
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments.map { $0.orNullObject })
  }
}

extension Any? {
  fileprivate var orNullObject: Any { if let self { self } else { NSNull() } }
}

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
