extension Lexer {
  /// What was skipped before a token.
  struct Blanks {
    /// How many lines ended.
    var lines = 0
    /// Whether one of the lines had nothing in it.
    var hasBlankLine = false
    /// The columns of blanks on the token's own line.
    var indent = 0
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
      } else if let end = joinedLineStart {
        position = end
        blanks.joinLine()
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

  /// Where the line begins that a `\` here joins to this one; nil if it joins none.
  private var joinedLineStart: Int? {
    guard mode == .statement, byte() == UInt8(ascii: "\\"), !endsWithContinuation else {
      return nil
    }
    let end = skippingBlanks(position + 1)
    return end < limit && bytes[end] == UInt8(ascii: "\n") ? end + 1 : nil
  }

  /// Whether a `\` here is the text's last word, with at most its own line's end behind it.
  var endsWithContinuation: Bool {
    guard mode == .statement, byte() == UInt8(ascii: "\\") else { return false }
    var end = skippingBlanks(position + 1)
    if end < limit, bytes[end] == UInt8(ascii: "\n") { end = skippingBlanks(end + 1) }
    return end == limit
  }

  private func skippingBlanks(_ start: Int) -> Int {
    var place = start
    while place < limit, bytes[place].isBlank { place += 1 }
    return place
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

  /// Goes on in the next line as if it were this one.
  fileprivate mutating func joinLine() {
    lineIsBlank = true
    indent = 0
  }

  fileprivate mutating func skipText() { lineIsBlank = false }
}
