public import Foundation
public import KuraDiagnostics
public import KuraValues

/// What may be an argument of a format: every `ValueConvertible` of Swift, and trees.
///
/// A `ValueConvertible` type of your own becomes one by saying so:
///
///     extension Weekday: FormatConvertible {}
public protocol FormatConvertible {
  /// What the specifier sees.
  var formatArgument: FormatArgument { get }
}

extension FormatConvertible where Self: ValueConvertible {
  /// The value.
  public var formatArgument: FormatArgument { .value(predicateValue) }
}

extension FormatArgument: FormatConvertible {
  /// Itself.
  public var formatArgument: FormatArgument { self }
}

extension PredicateTree: FormatConvertible {
  /// The predicate, which `%@` puts into the tree as it is.
  public var formatArgument: FormatArgument { .predicate(self) }
}

extension ExpressionTree: FormatConvertible {
  /// The expression, which `%@` puts into the tree as it is.
  public var formatArgument: FormatArgument { .expression(self) }
}

extension Value: FormatConvertible {}
extension ValueSet: FormatConvertible {
  /// A set.
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
  /// Linear in the format. Throws a diagnostic whose span lies in the format.
  public init(format: String, _ arguments: (any FormatConvertible)?...) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments.map(\.orNull))
  }
}

extension (any FormatConvertible)? {
  fileprivate var orNull: FormatArgument { self?.formatArgument ?? .value(.null) }
}
