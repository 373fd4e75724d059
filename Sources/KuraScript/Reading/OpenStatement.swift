import KuraDiagnostics
import KuraPredicates

/// A statement whose end is not yet known; each new line is scanned once for a possible end.
struct OpenStatement: Sendable {
  /// The number of its bytes that were parsed without success.
  var attempted = 0
  private var start: Int
  private var scanned: Int
  private let indent: Int
  private var depth = 0
  private var wantsOperand = false
  /// Whether the last line ends with `\`.
  private var isContinued = false

  init(from start: Int, indent: Int) {
    self.start = start
    scanned = start
    self.indent = indent
  }

  mutating func move(by distance: Int) {
    start += distance
    scanned += distance
  }

  /// Returns whether a line or `;` may end it, or whether there is enough text for an error to
  /// show.
  mutating func isWorthReading(_ bytes: [UInt8], to known: Int) -> Bool {
    let mayEnd = scan(bytes, to: known)
    return mayEnd || known - start >= attempted * 2
  }

  /// Returns whether it cannot end with the known text.
  mutating func mustContinue(_ bytes: [UInt8], to known: Int) -> Bool {
    if scanned < known - 1 { _ = scan(bytes, to: known) }
    return depth > 0 || wantsOperand || isContinued
  }

  /// Scans new lines up to the first token that may end the statement.
  ///
  /// The text that was parsed before did not end it. The first token of a line needs the newline
  /// before it, which shows its indentation.
  private mutating func scan(_ bytes: [UInt8], to known: Int) -> Bool {
    var lexer = Lexer(bytes, from: scanned, to: known, base: 0, mode: .statement)
    while true {
      let token = lexer.next()
      let mayEnd = endsStatement(token)
      if let end = token.end {
        isContinued = end == .continuation
        scanned = max(start, known - 1)
        return mayEnd
      }
      note(token)
      if mayEnd, token.span.start >= start + attempted {
        scanned = lexer.position
        return true
      }
    }
  }

  private func endsStatement(_ token: Token) -> Bool {
    guard depth == 0 else { return false }
    if token.is(.semicolon) || token.followsBlankLine { return true }
    return token.end == nil && token.startsLine && token.indent <= indent && !wantsOperand
  }

  private mutating func note(_ token: Token) {
    wantsOperand = token.wantsOperand
    guard case .symbol(let symbol) = token.kind else { return }
    if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
  }
}

/// A statement with an error. Its rest is skipped: up to the next `;`, a blank line, or a line that
/// is not indented deeper. An open bracket may have included the next statement: if the line of the
/// error begins like a statement, reading continues there.
struct BrokenStatement: Sendable {
  private var scanned: Int
  private var errorStart: Int
  private let indent: Int
  private let isInBody: Bool
  private var braces = 0
  /// The start of the line, if it is not indented deeper and begins with a statement's word.
  private var statementLine: Int?

  init(from start: Int, errorStart: Int, indent: Int, isInBody: Bool) {
    scanned = start
    self.errorStart = errorStart
    self.indent = indent
    self.isInBody = isInBody
  }

  mutating func move(by distance: Int) {
    scanned += distance
    errorStart += distance
    statementLine = statementLine.map { $0 + distance }
  }

  /// Returns the possible start of the next statement; nil if it is not in the known text.
  mutating func end(_ bytes: [UInt8], to known: Int) -> Int? {
    var lexer = Lexer(bytes, from: scanned, to: known, base: 0, mode: .statement)
    while true {
      let before = lexer.position
      let token = lexer.next()
      noteLine(token, bytes)
      if token.span.start >= errorStart, let end = statementLine ?? end(at: token) { return end }
      if let end = token.end {
        // The newline or `\` before the next token decides whether it begins a line.
        scanned = end == .continuation ? before : max(scanned, known - 1)
        return nil
      }
      if token.is(.leftBrace) { braces += 1 }
      if token.is(.rightBrace) { braces -= 1 }
    }
  }

  private mutating func noteLine(_ token: Token, _ bytes: [UInt8]) {
    guard token.startsLine, token.end == nil else { return }
    let word = bytes[token.span.start..<token.span.end]
    let begins = token.indent <= indent && StatementCatalog.syntax(beginning: word) != nil
    statementLine = begins ? token.span.start : nil
  }

  private func end(at token: Token) -> Int? {
    let isInside = isInBody && braces > 0
    if token.is(.semicolon), !isInside { return token.span.end }
    if token.followsBlankLine, !isInside { return token.span.start }
    guard token.end == nil, token.startsLine, token.indent <= indent, !token.isClosingBracket else {
      return nil
    }
    return token.span.start
  }
}

extension StatementReader {
  /// Skips the rest of a statement with an error; returns false if more lines are needed.
  mutating func passBrokenStatement() -> Bool {
    guard broken != nil else { return true }
    guard let end = broken?.end(bytes, to: known) else {
      if isFinished { advance(to: known) }
      return false
    }
    advance(to: end)
    broken = nil
    return true
  }
}

// Unfinished statements
extension StatementReader {
  /// Returns what the statement lacks, if an error is on a line that begins like another statement
  /// and is therefore not its cause.
  func missingPart(before errorStart: Int) -> Diagnostic? {
    guard let end = statementLine(of: errorStart), end > position else { return nil }
    let lexer = Lexer(bytes, from: position, to: end, base: lineStart, mode: .statement)
    do throws(SyntaxError) {
      _ = try StatementParser(TokenCursor(lexer, indent: indent)).parse()
      return nil
    } catch {
      var diagnostic = error.diagnostic
      guard diagnostic.facts.isIncomplete else { return nil }
      diagnostic.facts = UnfinishedProblem(facts: diagnostic.facts)
      return diagnostic
    }
  }

  /// Returns the start of the line of a place, if it is not indented deeper than the statement and
  /// begins like a statement or a setting.
  private func statementLine(of place: Int) -> Int? {
    guard let newline = bytes[position..<place].lastIndex(of: .newline) else { return nil }
    let start = bytes[newline...].firstIndex { !$0.isBlankOrReturn && $0 != .newline } ?? place
    guard start <= place, columns(newline + 1..<start) <= indent else { return nil }
    let word = bytes[start...].prefix { $0.isASCIILetter }
    let isSetting =
      bytes[start] == UInt8(ascii: ".") && start + 1 < known
      && bytes[start + 1].isASCIILetter
    return isSetting || StatementCatalog.syntax(beginning: word) != nil ? newline + 1 : nil
  }
}

/// The missing part of a statement that nothing after it completes.
private struct UnfinishedProblem: DiagnosticFacts {
  let facts: any DiagnosticFacts

  var sentence: String { facts.sentence }
  var help: String? { facts.help }
}

extension Token {
  fileprivate var isClosingBracket: Bool {
    if case .symbol(let symbol) = kind { symbol.closes } else { false }
  }

  /// Whether a statement cannot end with it: a comma, an operator, a word like `where` or AND.
  fileprivate var wantsOperand: Bool {
    switch kind {
    case .symbol(let symbol): !symbol.closes && symbol != .question
    case .word: keyword?.wantsOperand ?? false
    case .hashWord, .variable, .collectionOperator, .string, .number, .specifier, .invalid, .end:
      false
    }
  }
}

extension Keyword {
  fileprivate var wantsOperand: Bool {
    switch self {
    case .and, .or, .not, .anyOf, .someOf, .allOf, .noneOf, .in, .like, .matches, .contains,
      .beginsWith, .endsWith, .between, .tokenMatches, .utiConformsTo, .utiEquals, .union,
      .intersect, .minus, .subquery, .cast, .function, .ternary:
      true
    case .null, .nil, .yes, .no, .true, .false, .self, .first, .last, .size, .anyKey,
      .truePredicate, .falsePredicate:
      false
    }
  }
}

/// The words that a line may have instead of a setting: `quit`, `help fetch`, `?`, `show tables`.
enum BareCommand {
  private static let firstWords = WordList(
    StatementCatalog.settingWords.keys.sorted() + ["show", "desc", "bye", "q"])
  /// The words that do not consist of ASCII letters.
  private static let otherWords = ["?", "ヘルプ"].map { Array($0.utf8) }

  static func mayBegin(with word: ArraySlice<UInt8>) -> Bool {
    firstWords.place(of: word) != nil || otherWords.contains { $0.elementsEqual(word) }
  }

  /// Returns the setting that the words of a line mean; nil for none.
  static func setting(_ words: [Name]) -> SettingStatement? {
    guard let first = words.first else { return nil }
    let rest = Array(words.dropFirst())
    let word = first.text.lowercased()
    if word.hasPrefix("?") || word == "ヘルプ" { return help(first, rest) }
    if let setting = StatementCatalog.settingWords[word] {
      let isCall = rest.isEmpty || setting == "help"
      return isCall ? SettingStatement(name: Name(setting, span: first.span), arguments: rest) : nil
    }
    return foreign(first, word, rest)
  }

  /// Returns the setting of `?`, `? fetch` or `?fetch`.
  private static func help(_ first: Name, _ rest: [Name]) -> SettingStatement? {
    let topic = first.text.drop { $0 == "?" }
    let joined = first.text.hasPrefix("?") && !topic.isEmpty
    return SettingStatement(
      name: Name("help", span: first.span),
      arguments: (joined ? [Name(String(topic), span: first.span)] : []) + rest)
  }

  private static func foreign(_ first: Name, _ word: String, _ rest: [Name]) -> SettingStatement? {
    switch (word, rest.map { $0.text.lowercased() }) {
    case ("show", ["tables"]), ("show", ["schema"]), ("show", ["databases"]),
      ("show", ["entities"]):
      SettingStatement(name: Name("tables", span: first.span), arguments: [])
    case ("desc", _) where rest.count == 1:
      SettingStatement(name: Name("tables", span: first.span), arguments: rest)
    case ("bye", []), ("q", []):
      SettingStatement(name: Name("exit", span: first.span), arguments: [])
    default: nil
    }
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
