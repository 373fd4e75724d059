import Foundation
import KuraDiagnostics
import KuraLessons
import KuraSentences

/// Writes messages to standard error, after the results that precede them.
struct Reporter {
  let results: ResultStream
  let services: SystemServices
  let transcript: TranscriptWriter
  private let held = BufferedMessages()

  /// Writes a line; control characters in names are escaped.
  func callAsFunction(_ text: String) {
    transcript.said(text)
    write(VisibleText.of(text))
  }

  /// Reports what a statement changed. If no terminal shows it, reports are held back and joined:
  /// scripts insert thousands of objects one by one.
  func callAsFunction(changed text: String) {
    transcript.said(text)
    switch results.messages {
    case .shown: write(VisibleText.of(text))
    case .sameFile: held.add(VisibleText.of(text) + "\n", among: results)
    case .elsewhere: held.add(VisibleText.of(text) + "\n")
    }
    if held.isFull { flush() }
  }

  /// Writes the reports that were held back.
  func flush() {
    if held.areAmongResults { results.flushQuietly() }
    let text = held.take()
    if !text.isEmpty { services.report(text) }
  }

  /// Reports a warning or a note.
  func callAsFunction(_ diagnostic: Diagnostic, in source: SourceText? = nil) {
    transcript.said(diagnostic.rendered(in: source, style: .plain))
    say(diagnostic.rendered(in: source, style: services.styleNow))
  }

  func callAsFunction(_ failure: Failure, in source: SourceText?) {
    guard !failure.diagnostics.isEmpty else { return }
    transcript.said(failure.rendered(in: source, style: .plain))
    say(failure.rendered(in: source, style: services.styleNow))
  }

  /// Writes a message; JSON is never wrapped.
  private func say(_ message: String) {
    guard services.style.isJSON else { return write(message) }
    flush()
    results.flushBeforeMessage()
    services.report(message + "\n")
  }

  /// Writes text whose only control characters are our colors and line ends.
  private func write(_ text: String) {
    flush()
    results.flushBeforeMessage()
    services.report(WrappedText(width: services.reportWidth()).text(text) + "\n")
  }
}

/// Reports that are held back to be written together.
private final class BufferedMessages {
  private var text = ""
  /// Whether some of them belong among buffered results.
  private(set) var areAmongResults = false
  private static let limit = 65_536

  var isFull: Bool { text.utf8.count >= Self.limit }

  func add(_ line: String) { text += line }

  func add(_ line: String, among results: ResultStream) {
    var line = line
    let isAdded = line.withUTF8 { (try? results.append(drawn: UnsafeRawBufferPointer($0))) != nil }
    if isAdded { areAmongResults = true } else { add(line) }
  }

  func take() -> String {
    defer { (text, areAmongResults) = ("", false) }
    return text
  }
}

/// Reports of success; each command has its own in its file.
enum Report {
  /// Returns seconds with six decimals: `0.000412`
  static func seconds(_ seconds: Double) -> String { String(format: "%.6f", seconds) }

  /// Returns `time: 0.000412345 s`.
  static func time(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let digits = String(attoseconds / 1_000_000_000)
    return "time: \(seconds).\(String(repeating: "0", count: max(0, 9 - digits.count)))\(digits) s"
  }

  /// Returns `time: 1.2 ms`, `time: 3.40 s`, `time: 2 min 5 s`.
  static func readableTime(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    return switch microseconds {
    case ..<1_000: localized("time: \(microseconds) µs")
    case ..<100_000: localized("time: \(decimal(microseconds / 100, digits: 1)) ms")
    case ..<1_000_000: localized("time: \(microseconds / 1_000) ms")
    case ..<60_000_000: localized("time: \(decimal(microseconds / 10_000, digits: 2)) s")
    default: localized("time: \(seconds / 60) min \(seconds % 60) s")
    }
  }

  private static func decimal(_ number: Int, digits: Int) -> String {
    let text = String(number)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}

extension Session {
  /// Returns whether the user agrees; nil if the terminal is gone.
  func isAgreed(_ question: String) -> Bool? {
    answer(to: question).map { Answer($0) == .yes }
  }

  /// Whether a user typed the current statement; scripts ask no questions.
  var isTypedByUser: Bool { depth == 0 && services.ask != nil }

  /// Asks a question, wrapped between words if necessary, and returns the answer.
  func answer(to question: String) -> String? {
    guard let ask = services.ask else { return nil }
    let lines = WrappedText(width: services.reportWidth()).lines(of: VisibleText.of(question))
    for line in lines.dropLast() { services.report(line + "\n") }
    return ask(lines.last ?? "")
  }
}

/// The answer to a question: one of the letters that it lists, or the complete word. Anything else,
/// such as a statement for the prompt, is not an answer.
enum Answer: CaseIterable {
  case yes, no, cancel, later

  init?(_ text: String) {
    let word = text.trimmed.lowercased()
    let known = Self.allCases.first { $0.words.contains(word) }
    guard let known else { return nil }
    self = known
  }

  /// The accepted words, including Japanese ones as a Japanese keyboard writes them.
  private var words: [String] {
    switch self {
    case .yes: ["y", "yes", "ｙ", "ｙｅｓ", "はい"]
    case .no: ["n", "no", "ｎ", "ん", "ｎｏ", "いいえ"]
    case .cancel: ["c", "cancel", "ｃ", "キャンセル"]
    case .later: ["l", "later", "ｌ", "後で", "あとで"]
    }
  }
}
