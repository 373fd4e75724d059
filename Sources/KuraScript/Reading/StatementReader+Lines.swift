import KuraDiagnostics
import KuraPredicates

extension StatementReader {
  /// Skips blank lines, comments and lone `;`; nil if no statement begins in what is known.
  mutating func skipToStatement() -> Token? {
    while position < known {
      let token = cursor(from: position).token
      let end = token.is(.semicolon) ? token.span.end : token.span.start
      advance(to: token.end == nil ? lineStart + end : known)
      if token.end == nil, !token.is(.semicolon) { return token }
    }
    return nil
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
  var indent: Int {
    var columns = 0
    for byte in bytes[lineStart..<max(lineStart, position)] {
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

  /// `quit` alone on its line; nil if the statement is anything else.
  mutating func readWordAlone() -> Event? {
    guard isFirstOnLine else { return nil }
    let end = endOfLine(position)
    guard end - position < 16 else { return nil }
    let text = bytes[position..<end].filter { !$0.isBlankOrReturn && $0 != UInt8(ascii: ";") }
    let word = String(decoding: text, as: UTF8.self)
    guard let setting = StatementCatalogue.settingWords[word.lowercased()] else { return nil }
    let start = position - lineStart
    let span = SourceSpan(start, start + word.utf8.count)
    let statement = Statement(
      .setting(SettingStatement(name: Name(setting, span: span), arguments: [])), span: span)
    let source = source(of: span)
    advance(to: end)
    return .statement(statement, source: source)
  }
}
