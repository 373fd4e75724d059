// The classes of bytes that the language distinguishes.
extension UInt8 {
  var isDigit: Bool { self &- 48 < 10 }

  var isWordLetter: Bool { (self | 32) &- 97 < 26 }

  /// A letter or `_`.
  var startsWord: Bool { isWordLetter || self == UInt8(ascii: "_") }

  var continuesWord: Bool { startsWord || isDigit }

  /// A blank that does not end a line.
  var isBlank: Bool { self == 32 || self == 9 || self == 13 }

  var isBlankOrLineEnd: Bool { isBlank || self == UInt8(ascii: "\n") }

  /// The ASCII letter in its upper case; every other byte is its own.
  var capital: UInt8 { self &- 97 < 26 ? self &- 32 : self }

  /// `F` is 15.
  var hexDigit: Int? {
    isDigit ? Int(self) - 48 : (self | 32) &- 97 < 6 ? Int(self | 32) - 87 : nil
  }
}

extension Unicode.Scalar {
  var startsIdentifier: Bool { self == "_" || properties.isIDStart }
  var continuesIdentifier: Bool { properties.isIDContinue }
}

extension String {
  /// Whether it can be written as a key without quotes: `題名`, `a1`, but not `first name`.
  package var isIdentifier: Bool {
    guard let first = unicodeScalars.first, first.startsIdentifier else { return false }
    return unicodeScalars.dropFirst().allSatisfy(\.continuesIdentifier)
  }
}
