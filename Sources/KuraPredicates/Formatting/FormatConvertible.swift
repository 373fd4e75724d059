public import Foundation
public import KuraDiagnostics
public import KuraValues

/// A type that can be an argument of a format: every `ValueConvertible` type of Swift, and trees.
///
/// To use your own `ValueConvertible` type, declare the conformance:
///
///     extension Weekday: FormatConvertible {}
public protocol FormatConvertible {
  /// The argument for a specifier.
  var formatArgument: FormatArgument { get }
}

extension FormatConvertible where Self: ValueConvertible {
  /// The value as an argument.
  public var formatArgument: FormatArgument { .value(predicateValue) }
}

extension FormatArgument: FormatConvertible {
  /// The argument itself.
  public var formatArgument: FormatArgument { self }
}

extension PredicateTree: FormatConvertible {
  /// The predicate, which `%@` inserts into the tree.
  public var formatArgument: FormatArgument { .predicate(self) }
}

extension ExpressionTree: FormatConvertible {
  /// The expression, which `%@` inserts into the tree.
  public var formatArgument: FormatArgument { .expression(self) }
}

extension Value: FormatConvertible {}
extension ValueSet: FormatConvertible {
  /// The set as an argument.
  public var formatArgument: FormatArgument { .value(.set(self)) }
}
extension ValueDictionary: FormatConvertible {}
extension ObjectReference: FormatConvertible {}
extension Timestamp: FormatConvertible {}
extension Bool: FormatConvertible {}
extension Int: FormatConvertible {}
extension Int8: FormatConvertible {}
extension Int16: FormatConvertible {}
extension Int32: FormatConvertible {}
extension Int64: FormatConvertible {}
extension UInt: FormatConvertible {}
extension UInt8: FormatConvertible {}
extension UInt16: FormatConvertible {}
extension UInt32: FormatConvertible {}
extension UInt64: FormatConvertible {}
extension Int128: FormatConvertible {}
extension UInt128: FormatConvertible {}
extension Double: FormatConvertible {}
extension Float: FormatConvertible {}
extension CGFloat: FormatConvertible {}
extension Decimal: FormatConvertible {}
extension String: FormatConvertible {}
extension Substring: FormatConvertible {}
extension Character: FormatConvertible {}
extension Date: FormatConvertible {}
extension UUID: FormatConvertible {}
extension URL: FormatConvertible {}
extension Data: FormatConvertible {}
extension Array: FormatConvertible where Element: ValueConvertible {}
extension ArraySlice: FormatConvertible where Element: ValueConvertible {}
extension ContiguousArray: FormatConvertible where Element: ValueConvertible {}
extension Dictionary.Keys: FormatConvertible where Key: ValueConvertible {}
extension Dictionary.Values: FormatConvertible where Value: ValueConvertible {}
extension Set: FormatConvertible where Element: ValueConvertible {}
extension Dictionary: FormatConvertible where Key == String, Value: ValueConvertible {}
extension Optional: FormatConvertible where Wrapped: ValueConvertible {}

extension PredicateTree {
  /// Parses a format string with Swift values for its specifiers.
  ///
  ///     try PredicateTree(format: "title CONTAINS[cd] %@ AND priority >= %d", "誕生", 3)
  ///     try PredicateTree(format: "%K == %@ OR %@", "born", Date.now, another)
  ///
  /// `%@` accepts any value, expression or predicate; `%K` accepts a string that is a key path. An
  /// argument is never parsed as syntax, so user input is safe. Linear in the format. Throws a
  /// diagnostic whose span is in the format.
  public init(format: String, _ arguments: (any FormatConvertible)?...) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments.map(\.orNull))
  }
}

extension ExpressionTree {
  /// Parses a format string with Swift values for its specifiers.
  ///
  ///     try ExpressionTree(format: "price * %f", 1.1)
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format.
  public init(format: String, _ arguments: (any FormatConvertible)?...) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments.map(\.orNull))
  }
}

extension (any FormatConvertible)? {
  fileprivate var orNull: FormatArgument { self?.formatArgument ?? .value(.null) }
}
