public import Foundation

extension Bool: ValueConvertible {
  /// `YES` or `NO`
  public var predicateValue: Value { .boolean(self) }
}

extension ValueConvertible where Self: FixedWidthInteger {
  /// An integer; beyond 64 bits with a sign a decimal.
  public var predicateValue: Value {
    Int64(exactly: self).map(Value.integer) ?? .decimal(Decimal(string: "\(self)") ?? .nan)
  }
}

extension Int: ValueConvertible {}
extension Int8: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Double: ValueConvertible {
  /// A double.
  public var predicateValue: Value { .double(self) }
}

extension Float: ValueConvertible {
  /// The double that its shortest digits say: `Float(0.1)` is 0.1, as JSON would have it.
  public var predicateValue: Value { .double(Double("\(self)") ?? Double(self)) }
}

extension Decimal: ValueConvertible {
  /// A decimal.
  public var predicateValue: Value { .decimal(self) }
}
