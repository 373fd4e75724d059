import KuraValues

// What NSString's numbers are: of what a string begins with, behind blanks.
extension String {
  /// The number that the string begins with, 0 if it begins with none: 1000 of "1e3", 0.5 of ".5 kg".
  var leadingNumber: Value {
    let text = beginning
    var rest = text.afterSign.drop(while: \.isDigit)
    if rest.first == 0x2E, rest.dropFirst().first?.isDigit == true {
      rest = rest.dropFirst().drop(while: \.isDigit)
    }
    let digits = text[..<(rest.endOfExponent ?? rest.startIndex)]
    guard text.afterSign.first == 0x2E else { return NumberText.number(Substring(digits)) ?? 0 }
    let sign = text.first == 0x2D ? "-" : ""
    return NumberText.number(sign + "0" + Substring(digits.afterSign)) ?? 0
  }

  /// The digits that the string begins with, without a fraction or an exponent: 1 of "1e3", 0 of ".5".
  var leadingInteger: Value {
    let text = beginning
    let digits = text[..<text.afterSign.drop(while: \.isDigit).startIndex]
    return NumberText.number(Substring(digits)) ?? 0
  }

  /// 1 where the string begins with Y, y, T, t or a digit that is no 0, behind a sign and zeros; else 0.
  var leadingTruth: Value {
    let rest = beginning.afterSign.drop { $0 == 0x30 }
    guard let first = rest.first else { return 0 }
    return [0x59, 0x79, 0x54, 0x74].contains(first) || first.isDigit ? 1 : 0
  }

  private var beginning: Substring.UTF8View { drop(while: \.isWhitespace).utf8 }
}

extension Substring.UTF8View {
  fileprivate var afterSign: Substring.UTF8View {
    first == 0x2B || first == 0x2D ? dropFirst() : self
  }

  /// Where an exponent ends that begins here, nil if none does.
  fileprivate var endOfExponent: Index? {
    guard let first, first | 0x20 == 0x65 else { return nil }
    var rest = dropFirst()
    if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest.removeFirst() }
    guard rest.first?.isDigit == true else { return nil }
    return rest.drop(while: \.isDigit).startIndex
  }
}
