import KuraDiagnostics
import KuraPredicates

extension StatementReader {
  /// Skips blank lines, comments and lone `;`, up to the first token of a statement; nil if none
  /// begins in what is known.
  mutating func skipToStatement() -> TokenCursor? {
    skipBlanks()
    while position < known {
      let cursor = cursor(from: position)
      let token = cursor.token
      let isStart = token.end == nil && !token.is(.semicolon)
      if isStart, lineStart + token.span.start == position { return cursor }
      let end = isStart ? token.span.start : token.span.end
      advance(to: token.end == nil ? lineStart + end : known)
    }
    return nil
  }

  /// Skips what stands before most statements, so that their first token is read once.
  private mutating func skipBlanks() {
    var place = position
    while place < known, bytes[place].isBlankOrReturn || bytes[place] == .newline { place += 1 }
    advance(to: place)
  }

  /// Moves on, and counts the lines.
  mutating func advance(to place: Int) {
    let place = min(max(place, position), bytes.count)
    for offset in position..<place where bytes[offset] == .newline {
      line += 1
      lineStart = offset + 1
    }
    position = place
  }

  /// The columns of blanks before the first word of the line.
  var indent: Int { columns(lineStart..<max(lineStart, position)) }

  /// The columns of the blanks with which a range begins.
  func columns(_ range: Range<Int>) -> Int {
    var columns = 0
    for byte in bytes[range] {
      guard byte.isBlankOrReturn else { break }
      columns = byte == 9 ? (columns / 8 + 1) * 8 : columns + 1
    }
    return columns
  }

  /// Whether only blanks stand before the statement on its line.
  var isFirstOnLine: Bool { bytes[lineStart..<position].allSatisfy(\.isBlankOrReturn) }

  /// The end of the line of a place, without its newline; kept, for a line of many statements.
  mutating func endOfLine(_ place: Int) -> Int {
    let place = min(max(place, 0), bytes.count)
    if let restOfLine, restOfLine.contains(place) { return restOfLine.upperBound }
    let end = bytes[place...].firstIndex(of: .newline) ?? bytes.count
    restOfLine = place..<end
    return end
  }

  /// `.mode json`
  mutating func readSetting() -> Event {
    let end = endOfLine(position)
    var setting = SettingLine(bytes[position..<end], base: lineStart)
    do throws(SyntaxError) {
      let statement = try setting.parse()
      let source = source(of: statement.span)
      advance(to: end)
      return .statement(statement, source: source)
    } catch {
      let source = source(of: error.diagnostic.span ?? .none)
      advance(to: end)
      return .failure(error.diagnostic, source: source)
    }
  }

  /// `\d`, as a setting is written in another shell.
  var isForeignSetting: Bool {
    position + 1 < known && bytes[position] == UInt8(ascii: "\\")
      && (bytes[position + 1].isASCIILetter || bytes[position + 1] == UInt8(ascii: "?"))
  }

  /// `quit` alone on its line, `help` alone or with a topic, `show tables`; nil for anything else.
  mutating func readWordAlone(_ first: Token) -> Event? {
    let word = bytes[position..<position + (first.span.end - first.span.start)]
    guard WordAlone.mayBegin(with: word), isFirstOnLine else { return nil }
    let end = endOfLine(position)
    guard end - position < 64, let call = WordAlone.setting(wordsOfLine(to: end)) else {
      return nil
    }
    let span = call.name.span.joined(call.arguments.last?.span ?? call.name.span)
    let source = source(of: span)
    advance(to: end)
    return .statement(Statement(call, span: span), source: source)
  }

  /// The first words of the line between blanks, without a `;` at its end; at most three.
  private func wordsOfLine(to end: Int) -> [Name] {
    var line = bytes[position..<end]
    while let last = line.last, last.isBlankOrReturn || last == .newline { line.removeLast() }
    if line.last == UInt8(ascii: ";") { line.removeLast() }
    return line.split(maxSplits: 2, whereSeparator: \.isBlankOrReturn).map { word in
      Name(
        String(decoding: word, as: UTF8.self),
        span: SourceSpan(word.startIndex - lineStart, word.endIndex - lineStart))
    }
  }
}
