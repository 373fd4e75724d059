package import KuraDiagnostics
import KuraPredicates

/// The statements of a text that is being typed, with spans from its start.
///
///     TypedStatements("count Item; .mode json").all     // a statement, and a failure
package struct TypedStatements: Sendable {
  package enum Part: Sendable {
    case statement(Statement)
    /// An error, after which nothing was read.
    case failure(Diagnostic)
    /// `.mode json`
    case setting(Range<Int>)
  }

  package private(set) var all: [Part] = []
  private let bytes: [UInt8]
  private var place = 0

  package init(_ text: String) {
    bytes = Array(text.utf8)
    while goOn() {
      if bytes[place] == UInt8(ascii: "."), startsLine { takeSetting() } else { takeStatement() }
    }
  }

  /// Skips whitespace and ends of statements; returns whether text remains.
  private mutating func goOn() -> Bool {
    while place < bytes.count {
      if startsComment { place = bytes[place...].firstIndex(of: .newline) ?? bytes.count }
      guard place < bytes.count, isBetween(bytes[place]) else { break }
      place += 1
    }
    return place < bytes.count
  }

  /// Whether a comment `--` between statements begins here.
  private var startsComment: Bool { bytes[place...].starts(with: "--".utf8) }

  private func isBetween(_ byte: UInt8) -> Bool {
    byte.isBlankOrReturn || byte == .newline || byte == UInt8(ascii: ";")
  }

  private var startsLine: Bool {
    let before = bytes[..<place].reversed().first { !$0.isBlankOrReturn }
    return before == nil || before == .newline
  }

  private mutating func takeSetting() {
    let end = bytes[place...].firstIndex(of: .newline) ?? bytes.count
    all.append(.setting(place..<end))
    place = end
  }

  private mutating func takeStatement() {
    switch Self.read(bytes, from: place) {
    case .success(let (statement, end)):
      all.append(.statement(statement))
      place = max(place + 1, end)
    case .failure(let failure):
      if failure.diagnostic.facts.isIncomplete, let statement = completed(failure) {
        all.append(.statement(statement))
      }
      all.append(.failure(failure.diagnostic))
      place = bytes.count
    }
  }

  private struct Failure: Error {
    let diagnostic: Diagnostic
    let expectations: [Expectation]
  }

  private static func read(
    _ bytes: [UInt8], from place: Int
  ) -> Result<(statement: Statement, end: Int), Failure> {
    let lexer = Lexer(bytes, from: place, to: bytes.count, base: 0, mode: .statement)
    let parser = StatementParser(TokenCursor(lexer))
    let recorder = ExpectationRecorder()
    parser.predicates.recorder = recorder
    do throws(SyntaxError) {
      return .success((try parser.parse(), parser.lastSpan.end))
    } catch {
      return .failure(
        Failure(diagnostic: error.diagnostic, expectations: recorder.expectations))
    }
  }
}

// A statement that breaks off is parsed with placeholders for the missing parts, so that its
// beginning can be checked. Problems after the end of the text are ignored.
extension TypedStatements {
  private func completed(_ failure: Failure) -> Statement? {
    var (text, failure) = (bytes, failure)
    for _ in 0..<8 {
      text += failure.expectations.filler ?? closing(text)
      switch Self.read(text, from: place) {
      case .success(let (statement, _)): return statement
      case .failure(let next):
        guard next.diagnostic.facts.isIncomplete else { return nil }
        failure = next
      }
    }
    return nil
  }

  /// Returns the bracket that closes the last open one.
  private func closing(_ text: [UInt8]) -> [UInt8] {
    var lexer = Lexer(text, from: place, to: text.count, base: 0, mode: .statement)
    var open: [Symbol] = []
    while case let token = lexer.next(), token.end == nil {
      guard case .symbol(let symbol) = token.kind else { continue }
      if let closing = symbol.closing { open.append(closing) }
      if symbol.closes { _ = open.popLast() }
    }
    return Array((open.last?.rawValue ?? "").utf8)
  }
}

extension [Expectation] {
  /// A placeholder that is allowed and leads to an end.
  fileprivate var filler: [UInt8]? {
    for expectation in self {
      switch expectation.wanted {
      case .operand: return [UInt8](" nil".utf8)
      case .infix(_, let mayCompare): return mayCompare ? [UInt8](" == nil".utf8) : nil
      case .connective, .words, .name, .statement: return nil
      case .key: return [UInt8]("objectID".utf8)
      case .source, .elements: return nil
      }
    }
    return nil
  }
}
