import Foundation
package import KuraValues

extension AttributeType {
  /// Reads a number, as it was typed, as this type, which is numeric.
  ///
  ///     try AttributeType.decimal.value(ofDigits: "0.10")    // 0.1, exactly
  ///     try AttributeType.integer.value(ofDigits: "2.5")     // ValueMismatch.fraction
  package func value(ofDigits digits: String) throws(ValueMismatch) -> Value {
    switch self {
    case .integer, .integer16, .integer32: try integer(digits)
    case .double: try double(digits)
    case .float: try float(digits)
    case .decimal: try decimal(digits)
    case .string, .boolean, .date, .uuid, .uri, .binary, .json: throw .kind(self, found: .number)
    }
  }

  /// `3.0` and `1e3` are integers too: programs that know only doubles write them so.
  private func integer(_ digits: String) throws(ValueMismatch) -> Value {
    let decimal = NumberText.decimal(digits)
    guard let value = Int64(digits) ?? decimal?.exactInteger else {
      let hasFraction = (decimal?.exponent ?? 0) < 0
      throw hasFraction ? .fraction(self, digits: digits) : .outOfRange(self, digits: digits)
    }
    guard integerRange?.contains(value) == true else { throw .outOfRange(self, digits: digits) }
    return .integer(value)
  }

  private func double(_ digits: String) throws(ValueMismatch) -> Value {
    guard let value = Double(digits), value.isFinite else {
      throw .outOfRange(self, digits: digits)
    }
    return .double(value)
  }

  /// The value is the nearest float, so that what is kept equals what is compared.
  private func float(_ digits: String) throws(ValueMismatch) -> Value {
    guard let value = Float(digits), value.isFinite else { throw .outOfRange(self, digits: digits) }
    return .double(Double(value))
  }

  private func decimal(_ digits: String) throws(ValueMismatch) -> Value {
    guard let value = NumberText.decimal(digits) else { throw .outOfRange(self, digits: digits) }
    return .decimal(value)
  }
}
