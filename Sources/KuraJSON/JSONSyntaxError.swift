/// The reason why bytes are not JSON, and the place.
package struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The offset of the wrong byte; the number of bytes if the text ends too early.
  package var offset: Int
  package var kind: Kind

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  package enum Kind: Sendable, Hashable {
    /// `[1,`
    case unexpectedEnd(expected: Expectation)
    /// `[1 2]`
    case unexpectedByte(UInt8, expected: Expectation)
    /// `"x`: the place is the opening quote
    case unclosedString
    /// A line break or another byte below 0x20 in a string.
    case controlCharacter(UInt8)
    /// The byte FF in a string.
    case invalidUTF8
    /// `"\q"`, `"\u12"`: the place is the backslash
    case badEscape
    /// `"\ud83d"`: the place is the backslash
    case loneSurrogate
    /// `01`, `1.`, `-`: the place is the number's first byte
    case badNumber
    /// `1e999`: beyond the range of a double; the place is the number's first byte
    case numberTooLarge
    /// An integer of more than 38 digits, which no type represents; the place is its first byte
    case tooManyDigits
    /// `{"a": 1, "a": 2}`: the place is the second key
    case duplicateKey(String)
    /// More different keys than allowed
    case tooManyKeys(Int)
    /// More than 512 open brackets: the place is the first bracket beyond the limit
    case tooDeep(limit: Int)
    /// `1 2`: text after the value
    case trailing
  }

  /// The syntax that was expected.
  package enum Expectation: Sendable, Hashable {
    /// `null`, `true`, `3`, `"x"`, `[`, `{`
    case value
    /// `"title"` in an object
    case key
    /// `"title"` or `}` after a `{`
    case keyOrEnd
    /// `:` after a key
    case colon
    /// `,` or `]`
    case commaOrArrayEnd
    /// `,` or `}`
    case commaOrObjectEnd
  }
}
