import KuraDiagnostics
import KuraModel
import KuraSentences

// Parts of dates, units, intervals, formats.
extension ExpressionWriter {
  /// `year` for `YEARS`, `yy`; nil: no unit that Kura has.
  static func unit(_ word: String) -> String? {
    let word = word.lowercased()
    if let short = [
      "yy": "year", "yyyy": "year", "mm": "month", "dd": "day", "hh": "hour",
      "mi": "minute", "n": "minute", "ss": "second", "wk": "week", "ww": "week", "d": "day",
      "m": "month", "y": "year", "h": "hour", "s": "second", "min": "minute", "sec": "second",
    ][word] {
      return short
    }
    let single = word.hasSuffix("s") ? String(word.dropLast()) : word
    return ["year", "month", "week", "day", "hour", "minute", "second"].contains(single)
      ? single : nil
  }

  /// The function that gives a part of a date.
  private static func partFunction(_ word: String) -> String? {
    switch word.lowercased() {
    case "dow", "dw", "weekday", "dayofweek": "weekday"
    default: unit(word).flatMap { $0 == "week" ? nil : $0 }
    }
  }

  /// `EXTRACT(YEAR FROM date)`
  static let extract: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let word = call.values.first?.lastWord ?? call.values.first?.literalText ?? ""
    guard let part = partFunction(word) else {
      throw writer.missing("EXTRACT \(word)", at: call.span)
    }
    return Written("\(part)(\(try writer.value(call, 1).text))", .number)
  }

  static let datePart = extract

  /// `strftime('%Y', date)`, `DATE_FORMAT(date, '%Y')`, `date.strftime("%Y")`
  static let formattedTime: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard call.values.count == 2 else {
      return Written("format(\(try writer.texts(call.values)))", .text)
    }
    let isFirst = call.values[0].literalText != nil
    let (pattern, value) =
      isFirst ? (call.values[0], call.values[1]) : (call.values[1], call.values[0])
    guard let text = pattern.literalText, text.contains("%") else {
      return Written("format(\(try writer.texts([value, pattern])))", .text)
    }
    let date = writer.moment(value)
    if let part = numberParts[text] { return Written("\(part)(\(try date().text))", .number) }
    let format = try writer.unicodeFormat(text, pattern.span)
    return Written("format(\(try date().text), \(StatementText.string(format)))", .text)
  }

  /// A value that may be the word `now`.
  private func moment(_ tree: ForeignExpression) -> () throws(ForeignProblem) -> Written {
    { () throws(ForeignProblem) in
      if tree.literalText?.lowercased() == "now" { return Written("now()", .date) }
      return try self.value(tree)
    }
  }

  func formatted(_ call: ForeignCall, _ date: Written) throws(ForeignProblem) -> Written {
    let word = call.values[1].literalText ?? ""
    let known = ["yyyy": "year", "mm": "month", "dd": "day"][word.lowercased()]
    if let known { return Written("\(known)(\(date.text))", .number) }
    let format = word.replacing("YYYY", with: "yyyy").replacing("DD", with: "dd")
      .replacing("HH24", with: "HH").replacing("MI", with: "mm")
    return Written("format(\(date.text), \(StatementText.string(format)))", .text)
  }

  /// Those of which a number comes that is compared with a number, or a text of digits.
  private static let numberParts = [
    "%Y": "year", "%m": "month", "%d": "day", "%H": "hour", "%M": "minute", "%S": "second",
    "%-m": "month", "%-d": "day",
  ]

  private func unicodeFormat(_ text: String, _ span: SourceSpan) throws(ForeignProblem) -> String {
    let letters: [Character: String] = [
      "Y": "yyyy", "m": "MM", "d": "dd", "H": "HH", "M": "mm", "S": "ss", "y": "yy", "b": "MMM",
      "B": "MMMM", "a": "EEE", "A": "EEEE", "j": "DDD", "e": "d", "F": "yyyy-MM-dd",
      "T": "HH:mm:ss",
    ]
    var (result, isCode) = ("", false)
    for character in text {
      if isCode {
        guard let letter = letters[character] else { throw missing("%\(character)", at: span) }
        result += letter
      } else if character != "%" {
        result.append(character)
      }
      isCode = !isCode && character == "%"
    }
    return result
  }

  /// `DATE_TRUNC('day', date)`
  static let truncated: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard call.values.first?.literalText?.lowercased() == "day" else {
      throw writer.missing(
        localized("date_trunc of anything but a day"), localized("compare year(d) and month(d)"),
        at: call.span)
    }
    return Written("startOfDay(\(try writer.value(call, 1).text))", .date)
  }

  /// `DATE_ADD(date, INTERVAL 1 DAY)`, `DATEADD(day, 1, date)`
  static let dateAdd: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    try writer.moved(call, isBack: false)
  }

  static let dateSub: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    try writer.moved(call, isBack: true)
  }

  private func moved(_ call: ForeignCall, isBack: Bool) throws(ForeignProblem) -> Written {
    if call.values.count == 3, let unit = Self.unit(call.values[0].lastWord ?? "") {
      let (count, date) = (try value(call, 1), try value(call, 2))
      return Written("dateByAdding(\(date.text), \(count.text), \"\(unit)\")", .date)
    }
    guard call.values.count == 2,
      let date = try moved(call.values[0], by: call.values[1], isBack: isBack)
    else { throw .unreadable(call.span) }
    return date
  }

  /// A date moved by an interval; nil: what stands there is none.
  func moved(
    _ date: ForeignExpression, by interval: ForeignExpression, isBack: Bool
  ) throws(ForeignProblem) -> Written? {
    guard let (count, word, span) = Self.interval(interval) else { return nil }
    guard let unit = Self.unit(word) else { throw missing(localized("the unit \(word)"), at: span) }
    changes += 1
    let written = try value(date)
    let number = try value(count)
    let sign = isBack ? Written("-" + number.text(in: .unary)).text : number.text
    let amount = isBack && number.text.hasPrefix("-") ? String(number.text.dropFirst()) : sign
    return Written("dateByAdding(\(written.text), \(amount), \"\(unit)\")", .date)
  }

  /// `INTERVAL 1 DAY`, `timedelta(days=7)`, `'1 day'::interval`
  private static func interval(
    _ tree: ForeignExpression
  ) -> (count: ForeignExpression, unit: String, span: SourceSpan)? {
    if case .interval(let count, let unit) = tree.kind { return (count, unit, tree.span) }
    if case .cast(let inner, let type) = tree.kind, type.lowercased() == "interval",
      let text = inner.literalText, let (count, unit) = ForeignParser.countedUnit(text)
    {
      return (ForeignExpression(.number(count), inner.span), unit, tree.span)
    }
    let call = tree.namedCall ?? tree.methodCall.map { ($0.name, $0.arguments) }
    guard let call, call.0 == "timedelta", call.1.count == 1, let first = call.1.first else {
      return nil
    }
    return (first.value, first.label ?? "days", tree.span)
  }
}
