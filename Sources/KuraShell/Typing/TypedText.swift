import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

/// A text that is being typed, parsed and checked: the roles of its words, and its problems.
struct TypedText {
  let text: String
  private(set) var statements = TypedStatements("")
  /// The findings about the steps of paths.
  let nodes = CheckedNodes()
  private(set) var problems: [Diagnostic] = []
  /// The problem at its end, if something is missing there.
  private(set) var missingAtEnd: Diagnostic?

  /// The maximum length of text that is checked at each key; in a longer text, only words are read.
  static let longestChecked = 20_000

  init(_ text: String, in context: CheckContext) {
    self.text = text
    guard text.utf8.count <= Self.longestChecked else { return }
    statements = TypedStatements(text)
    var context = context
    context.source = SourceText(text)
    for part in statements.all {
      switch part {
      case .statement(let statement):
        problems += statement.warnings
        problems += statement.tree.typedParts.flatMap { $0.problems(in: context, nodes) }
        let command = statement.tree as? any Command
        problems += command?.problems(in: context) ?? []
        if let name = command?.givenVariable, context.evaluation.variables[name] == nil {
          context.types[name] = .any
        }
      case .failure(let diagnostic):
        if diagnostic.facts.isIncomplete {
          missingAtEnd = diagnostic
        } else {
          problems.append(diagnostic)
        }
      case .setting: break
      }
    }
  }
}

extension TypedText {
  /// Returns the problem at a place, except in the word that ends the text and may be incomplete.
  func problem(at cursor: Int) -> Diagnostic? {
    settled(cursor: cursor).first { problem in
      problem.span.map { $0.start <= cursor && cursor <= max($0.end, $0.start + 1) } ?? false
    }
  }

  /// Returns the problems, except in a word that may be incomplete.
  func settled(cursor: Int) -> [Diagnostic] {
    let end = text.utf8.count
    return problems.filter { problem in
      guard let span = problem.span, span.start < end, span.end <= end else { return false }
      return span.end < end || cursor < end
    }
  }
}

extension TypedPart {
  fileprivate func problems(in context: CheckContext, _ nodes: CheckedNodes) -> [Diagnostic] {
    switch self {
    case .fetch(let fetch, let parameters):
      var context = context
      for parameter in parameters { context.types[parameter.text] = .literal }
      return fetch.checked(in: context, recording: nodes).problems
    case .expressions(let trees):
      return trees.flatMap { $0.checked(in: context, recording: nodes).problems }
    case .assignments(let assignments, let fetch, let isInsertion):
      let checked = fetch.checked(in: context, recording: nodes)
      let isKnown = checked.tree.entity.map { context.model[$0] != nil } ?? true
      return checked.problems
        + (isKnown ? assignments : []).flatMap {
          $0.problems(of: checked.tree.entity, isInsertion, in: context, nodes)
        }
    }
  }
}

extension Assignment {
  /// Returns the problems of an unknown key and of the value.
  fileprivate func problems(
    of entity: String?, _ isInsertion: Bool, in context: CheckContext, _ nodes: CheckedNodes
  ) -> [Diagnostic] {
    guard let entity, !(isInsertion && context.model.isIdentity(key, of: entity)) else {
      return value.checked(in: context, of: entity, recording: nodes).problems
    }
    let path = ExpressionTree(
      .keyPath(KeyPathTree([KeyComponent(key.text, span: key.span)])), span: key.span)
    let problems = path.checked(in: context, of: entity, recording: nodes).problems
    do {
      let checked = try self.checked(of: entity, in: context.model)
      if let problem = linkProblem(checked.property, in: entity, context) { return [problem] }
      return checked.value.checked(
        in: context, of: entity, as: checked.property.attribute?.type, recording: nodes
      ).problems
    } catch {
      let inValue = value.checked(in: context, of: entity, recording: nodes).problems
      return problems.isEmpty ? [error] : problems + inValue
    }
  }
}

/// The role of a part of a typed text, which its color shows.
package enum TextRole: UInt8, Sendable, CaseIterable {
  case plain, statement, keyword, entity, key, variable, function, string, number, comment, setting
  /// A quote that is not closed, or an invalid character.
  case broken
  /// The bracket at the cursor, and its counterpart.
  case bracket
}

/// A part of a typed text.
package struct TextPart: Sendable, Equatable {
  /// The range in bytes.
  package let range: Range<Int>
  package let role: TextRole
  /// Whether a message is about it.
  package let isWrong: Bool
}

extension TypedText {
  /// Returns the parts that are more than plain text, in order. Linear in the text.
  func parts(cursor: Int, _ model: Model) -> [TextPart] {
    var painter = RolePainter(text, model)
    painter.paintWords()
    for node in nodes.nodes where node.key != nil { painter.paint(node.span, .key) }
    for case .setting(let range) in statements.all { painter.paint(range, .setting) }
    painter.paintBrackets(at: cursor)
    for problem in settled(cursor: cursor) { painter.mark(problem.span) }
    return painter.parts
  }
}

/// Assigns a role to each byte of a text.
private struct RolePainter {
  private let bytes: [UInt8]
  private let model: Model
  private var roles: [UInt8]
  private var brackets: [(token: Token, depth: Int)] = []
  private static let wrong: UInt8 = 0x80

  init(_ text: String, _ model: Model) {
    bytes = Array(text.utf8)
    self.model = model
    roles = [UInt8](repeating: TextRole.comment.rawValue, count: bytes.count)
  }

  mutating func paint(_ span: SourceSpan, _ role: TextRole) {
    guard span != .none, span.start <= span.end else { return }
    paint(span.start..<span.end, role)
  }

  mutating func paint(_ range: Range<Int>, _ role: TextRole) {
    for place in range.clamped(to: 0..<roles.count) {
      roles[place] = roles[place] & Self.wrong | role.rawValue
    }
  }

  mutating func mark(_ span: SourceSpan?) {
    guard let span, span != .none, span.start <= span.end else { return }
    for place in (span.start..<span.end).clamped(to: 0..<roles.count) {
      roles[place] |= Self.wrong
    }
  }

  /// Paints the words; only spaces and comments are between them.
  mutating func paintWords() {
    var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: .statement)
    var isFirst = true
    var depth = 0
    while case let token = lexer.next(), token.end == nil {
      let begins = isFirst || token.startsLine && depth == 0
      let next = bytes[token.span.end...].first { $0 != 0x20 }
      paint(token.span, role(of: token, beginsStatement: begins, next))
      isFirst = token.is(.semicolon)
      note(token, &depth)
    }
  }

  private mutating func note(_ token: Token, _ depth: inout Int) {
    guard case .symbol(let symbol) = token.kind, symbol.closing != nil || symbol.closes else {
      return
    }
    if symbol.closes { depth -= 1 }
    brackets.append((token, depth))
    if !symbol.closes { depth += 1 }
  }

  private func role(of token: Token, beginsStatement: Bool, _ next: UInt8?) -> TextRole {
    switch token.kind {
    case .word: wordRole(token, beginsStatement, next)
    case .hashWord, .collectionOperator: .key
    case .variable: .variable
    case .string: .string
    case .number: .number
    case .invalid: .broken
    case .specifier, .symbol, .end: .plain
    }
  }

  private func wordRole(_ token: Token, _ beginsStatement: Bool, _ next: UInt8?) -> TextRole {
    let word = String(decoding: bytes[token.span.start..<token.span.end], as: UTF8.self)
    if beginsStatement, StatementCatalog.syntax(beginning: word) != nil { return .statement }
    if next == UInt8(ascii: "("), FunctionCatalogue.signature(called: word) != nil {
      return .function
    }
    if model[word] != nil { return .entity }
    let isClause =
      FetchWords.all.contains(word.lowercased()) || Self.words.contains(word.lowercased())
    return token.keyword != nil || isClause ? .keyword : .plain
  }

  /// Words of statements that are not clauses of a fetch.
  private static let words: Set<String> = [
    "by", "as", "asc", "desc", "nulls", "natural", "set", "all", "subentities",
  ]

  /// Paints the bracket before or at the cursor, and its counterpart.
  mutating func paintBrackets(at cursor: Int) {
    guard
      let place = brackets.lastIndex(where: {
        $0.token.span.start == cursor || $0.token.span.end == cursor
      })
    else { return }
    let (token, depth) = brackets[place]
    guard case .symbol(let symbol) = token.kind else { return }
    let isOther = { (other: (token: Token, depth: Int)) in
      guard case .symbol(let found) = other.token.kind else { return false }
      return other.depth == depth
        && (symbol.closes ? found.closing == symbol : found == symbol.closing)
    }
    let other =
      symbol.closes
      ? brackets[..<place].last(where: isOther) : brackets[place...].first(where: isOther)
    paint(token.span, other == nil ? .broken : .bracket)
    if let other { paint(other.token.span, .bracket) }
  }

  var parts: [TextPart] {
    var parts: [TextPart] = []
    var start = 0
    for place in roles.indices.dropFirst() + [roles.count]
    where place == roles.count || roles[place] != roles[start] {
      if place == start { continue }
      let role = TextRole(rawValue: roles[start] & ~Self.wrong) ?? .plain
      let part = TextPart(range: start..<place, role: role, isWrong: roles[start] & Self.wrong != 0)
      if !bytes[part.range].allSatisfy({ $0 <= 0x20 }), part.role != .plain || part.isWrong {
        parts.append(part)
      }
      start = place
    }
    return parts
  }
}
