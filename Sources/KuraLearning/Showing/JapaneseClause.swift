/// A Japanese clause, with the form before another clause: 含む and 含み.
struct JapaneseClause {
  /// The form at the end of a sentence, or before a noun.
  let text: String
  /// The form before another clause.
  let joined: String

  init(text: String, joined: String) {
    (self.text, self.joined) = (text, joined)
  }

  init(_ stem: String, _ ending: Ending, note: String = "") {
    let (end, link) = ending.forms
    text = stem + end + note
    joined = stem + link + note
  }

  /// The endings of a clause.
  enum Ending {
    case be, notBe, exist, notExist, contain, begin, end, match, larger, smaller, hold, answer
  }
}

extension JapaneseClause.Ending {
  fileprivate var forms: (end: String, link: String) {
    switch self {
    case .be: ("である", "であり")
    case .notBe: ("でない", "でなく")
    case .exist: ("ある", "あり")
    case .notExist: ("ない", "なく")
    case .contain: ("を含む", "を含み")
    case .begin: ("で始まる", "で始まり")
    case .end: ("で終わる", "で終わり")
    case .match: ("に一致する", "に一致し")
    case .larger: ("より大きい", "より大きく")
    case .smaller: ("より小さい", "より小さく")
    case .hold: ("が成り立たない", "が成り立たず")
    case .answer: ("と答える", "と答え")
    }
  }
}

extension [JapaneseClause] {
  /// The clauses joined with “and”: `…であり、…を含む`
  var conjunction: String {
    (dropLast().map(\.joined) + suffix(1).map(\.text)).joined(separator: "、")
  }

  /// The clauses joined with “or”: `…であるか、…を含む`
  var choice: String {
    (dropLast().map { $0.text + "か" } + suffix(1).map(\.text)).joined(separator: "、")
  }
}
