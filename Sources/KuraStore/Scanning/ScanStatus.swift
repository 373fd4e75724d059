/// How a step of a scan ended.
enum ScanStatus {
  /// It is done.
  case done
  /// The window ended in the middle: read on and do it again.
  case needsMore
  /// The bytes are wrong; `Scanner.fault` says how and where.
  case failed
}

/// What is wrong with an input's bytes, and where.
package struct ScanFault: Error, Sendable {
  package enum Kind: Sendable, Equatable {
    /// The input ends in the middle of a value.
    case unexpectedEnd
    /// There is nothing but blanks in it.
    case empty
    /// Something else stands where this was expected.
    case expected(String)
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// `\q`
    case badEscape
    /// `\ud800` without its other half
    case loneSurrogate
    /// A control character in a string.
    case controlCharacter
    /// `01`, `1.`, `-`
    case badNumber
    /// A number beyond what a double can hold.
    case numberTooLarge
    /// The same key twice in an object.
    case duplicateKey(String)
    /// More brackets inside each other than `Scanner.nestingLimit`.
    case tooDeep
    /// More bytes behind the last value.
    case trailing
  }

  package var kind: Kind
  /// The offset in the input.
  package var offset: Int
}
