import KuraBytes
import KuraGraph
import KuraSentences

// A session at a terminal asks before it changes many objects; a script is never asked.
extension Session {
  /// The number of objects that a predicate may delete without a question.
  static let mostUnaskedDeletions = 100

  /// Asks the user to confirm, and throws if they decline. Asks nothing if no object is affected.
  ///
  /// The wait for the answer has no time limit: `.timeout` restarts after it.
  func confirm(_ verb: String, _ counts: [EntityCount]) throws {
    guard counts.total > 0, isTypedByUser else { return }
    try services.cancel.check()
    let wasLimited = deadline.pause()
    defer { if wasLimited, let timeout = settings.timeout { deadline.start(timeout) } }
    guard isAgreed(Question.goOn(localized("This \(verb.localized) \(counts.phrase)"))) == true
    else { throw NotConfirmed() }
  }

  /// Performs work that may ask for confirmation; if the user declines, reports that nothing
  /// changed.
  func ifConfirmed(_ body: () throws -> Void) throws {
    do { try body() } catch is NotConfirmed { report(Report.nothingChanged) }
  }
}

/// The error if the user declines.
private struct NotConfirmed: Error {}

extension [EntityCount] {
  var total: Int { reduce(0) { $0 + $1.count } }

  /// `1 Category object and 475,112 Item objects`
  var phrase: String {
    map {
      $0.count == 1
        ? localized("1 \($0.entity) object")
        : localized("\($0.count.grouped) \($0.entity) objects")
    }.conjunction
  }
}

extension Int {
  /// `475,112`
  var grouped: String {
    let digits = Array(String(magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map {
      String(digits[Swift.max(0, $0 - 3)..<$0])
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}

extension Question {
  /// Returns `This deletes 1 Category object and 475,112 Item objects. Continue? [y/N]: `.
  static func goOn(_ sentence: String) -> String { localized("\(sentence). Continue? [y/N]: ") }
}
