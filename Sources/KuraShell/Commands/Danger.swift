import KuraBytes
import KuraGraph
import KuraSentences

// What takes many objects is asked about at a terminal; in a script the statement is the answer.
extension Session {
  /// So many objects go without a question where a predicate chose them.
  static let mostUnaskedDeletions = 100

  /// Throws if the person says that it is not meant; nothing is there to ask about no object.
  ///
  /// The answer is waited for as long as it takes: `.timeout` begins anew behind it.
  func checkMeant(_ verb: String, _ counts: [EntityCount]) throws {
    guard counts.total > 0, asksPeople else { return }
    try surroundings.cancel.check()
    let wasLimited = deadline.pause()
    defer { if wasLimited, let timeout = settings.timeout { deadline.start(timeout) } }
    guard isAgreed(Question.goOn(localized("This \(verb.localized) \(counts.phrase)"))) == true
    else { throw NotMeant() }
  }

  /// Does what may ask, and says that nothing changed where it was not meant.
  func ifMeant(_ body: () throws -> Void) throws {
    do { try body() } catch is NotMeant { report(Report.nothingChanged) }
  }
}

/// The person was asked, and did not say yes.
private struct NotMeant: Error {}

extension [EntityCount] {
  var total: Int { reduce(0) { $0 + $1.count } }

  /// `10,000 Category and 475,112 Item`
  var phrase: String {
    map { localized("\($0.count.grouped) \($0.entity)") }.conjunction
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
  /// `This deletes 10,000 Category and 475,112 Item. Go on? [y/N]: `
  static func goOn(_ sentence: String) -> String { localized("\(sentence). Go on? [y/N]: ") }
}
