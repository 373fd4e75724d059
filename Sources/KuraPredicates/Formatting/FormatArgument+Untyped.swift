import Foundation
import KuraValues

extension PredicateTree {
  /// Parses a format string with arguments of any type, such as your own objects, an `NSNumber`, or
  /// an enumeration with raw values.
  ///
  ///     try PredicateTree(format: "parent == %@ AND n == %@", folder, NSNumber(value: 3))
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments.map { $0.orNullObject })
  }
}

extension ExpressionTree {
  /// Parses a format string with arguments of any type.
  ///
  ///     try ExpressionTree(format: "price * %@", NSNumber(value: 2))
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  @_disfavoredOverload
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments.map { $0.orNullObject })
  }
}

extension Any? {
  fileprivate var orNullObject: Any { if let self { self } else { NSNull() } }
}

extension PredicateTree {
  /// Parses a format string with an array of arguments, as `NSPredicate(format:argumentArray:)`
  /// does.
  ///
  ///     try PredicateTree(format: "%K == %@", argumentArray: ["title", NSString("誕生日")])
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  public init(format: String, argumentArray: [Any]?) throws {
    try self.init(format: format, arguments: (argumentArray ?? []).formatArguments())
  }
}

extension ExpressionTree {
  /// Parses a format string with an array of arguments, as `NSExpression(format:argumentArray:)`
  /// does.
  ///
  ///     try ExpressionTree(format: "%K * %@", argumentArray: ["price", 2])
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
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
