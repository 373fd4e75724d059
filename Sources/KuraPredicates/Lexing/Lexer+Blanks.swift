extension Lexer {
  /// What was skipped before a token.
  struct Blanks {
    /// How many lines ended.
    var lines = 0
    /// Whether one of the lines had nothing in it.
    var hasBlankLine = false
    /// The columns of blanks on the token's own line.
    var indent = 0
    /// Whether the text's last line ended with `\`.
    var endsOpen = false
    fileprivate var lineIsBlank = false
  }

  mutating func skipBlanks() -> Blanks {
    var blanks = Blanks()
    while position < limit {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") {
        blanks.endLine()
      } else if byte.isBlank {
        blanks.widen(by: byte)
      } else if startsComment {
        skipComment()
        blanks.skipText()
        continue
      } else if let length = continuationLength {
        position += length
        blanks.indent = 0
        continue
      } else {
        break
      }
      position += 1
    }
    return blanks
  }

  /// `--` behind a blank or the line's start, with a blank or the line's end behind it.
  private var startsComment: Bool {
    guard mode == .statement, byte() == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") else {
      return false
    }
    if isAtStatement { return true }
    return isBlankOrEdge(position - 1) && isBlankOrEdge(position + 2)
  }

  private func isBlankOrEdge(_ place: Int) -> Bool {
    guard place >= 0, place < limit else { return true }
    return bytes[place].isBlank || bytes[place] == UInt8(ascii: "\n")
  }

  private mutating func skipComment() {
    while position < limit, bytes[position] != UInt8(ascii: "\n") { position += 1 }
  }

  /// The length of `\`, blanks and a line's end, which join two lines; nil if it is not that.
  private var continuationLength: Int? {
    guard mode == .statement, byte() == UInt8(ascii: "\\") else { return nil }
    var end = position + 1
    while end < limit, bytes[end].isBlank { end += 1 }
    guard end < limit else { return nil }
    return bytes[end] == UInt8(ascii: "\n") ? end + 1 - position : nil
  }
}

extension Lexer.Blanks {
  fileprivate mutating func endLine() {
    hasBlankLine = hasBlankLine || lineIsBlank
    lines += 1
    lineIsBlank = true
    indent = 0
  }

  /// A TAB goes to the next multiple of eight columns.
  fileprivate mutating func widen(by byte: UInt8) {
    if byte == 9 { indent = (indent / 8 + 1) * 8 } else if byte == 32 { indent += 1 }
  }

  fileprivate mutating func skipText() { lineIsBlank = false }
}
