import KuraDiagnostics
import KuraModel
import KuraSentences

// The functions of SQL, by their names in small letters without `_`
extension ExpressionWriter {
  static let sqlFunctions: [String: ForeignFunction] = [
    "upper": .named("uppercase", .text), "ucase": .named("uppercase", .text),
    "lower": .named("lowercase", .text), "lcase": .named("lowercase", .text),
    "trim": .named("trim", .text), "btrim": .named("trim", .text),
    "length": .named("length", .integer), "len": .named("length", .integer),
    "charlength": .named("length", .integer), "characterlength": .named("length", .integer),
    "concat": .named("concat", .text, 1...64).knowing,
    "substr": substring, "substring": substring, "mid": substring, "left": left, "right": right,
    "instr": position(needle: 1), "strpos": position(needle: 1), "locate": position(needle: 0),
    "charindex": position(needle: 0), "position": positionIn,
    "replace": .refused(localized("nothing replaces a part of a text here")),
    "reverse": .refused(localized("nothing turns a text round here")),
    "groupconcat": .refused(localized("group by gives numbers of a group, and no texts")),
    "stringagg": .refused(localized("group by gives numbers of a group, and no texts")),
    "rownumber": .refused(localized("offset and limit take a part of the rows")),
    "regexplike": matches,
    "abs": .named("abs", .number), "ceil": .named("ceiling", .number),
    "ceiling": .named("ceiling", .number), "floor": .named("floor", .number),
    "round": round, "sqrt": .named("sqrt", .number), "power": power, "pow": power, "mod": modulus,
    "trunc": .named("trunc", .number),
    "coalesce": coalesced, "ifnull": coalesced, "nvl": coalesced, "isnull": isNull,
    "nullif": nullIf, "if": ternary, "iif": ternary,
    "decode": .refused("TERNARY(condition, a, b)"), "tochar": formattedDate,
    "newid": .constant("uuid()", .text), "genrandomuuid": .constant("uuid()", .text),
    "now": .constant("now()", .date), "getdate": .constant("now()", .date),
    "sysdate": .constant("now()", .date), "currenttimestamp": .constant("now()", .date),
    "localtimestamp": .constant("now()", .date), "currentdate": .constant("today()", .date),
    "curdate": .constant("today()", .date),
    "date": date, "datetime": date, "timestamp": date, "todate": dateText, "strtodate": dateText,
    "year": .named("year", .integer), "month": .named("month", .integer),
    "day": .named("day", .integer), "hour": .named("hour", .integer),
    "minute": .named("minute", .integer), "second": .named("second", .integer),
    "dayofmonth": .named("day", .integer), "dayofweek": .named("weekday", .integer),
    "extract": extract, "datepart": extract, "strftime": formattedTime,
    "dateformat": formattedTime, "format": formattedTime, "datetrunc": truncated,
    "dateadd": dateAdd(isBack: false), "adddate": dateAdd(isBack: false),
    "datesub": dateAdd(isBack: true), "subdate": dateAdd(isBack: true),
    "datediff": dateDifference,
  ]

  /// A whole number that is written out; SQL gives negative ones and NULL a meaning of their own.
  private func literal(
    _ call: ForeignCall, _ index: Int, from least: Int = 0
  ) throws(ForeignProblem) -> Int {
    guard let number = call.values[index].literalInteger, number >= least, abs(number) < 1 << 30
    else {
      throw missing(localized("\(call.name) with a computed place"), at: call.values[index].span)
    }
    return number
  }

  private func text(_ call: ForeignCall) throws(ForeignProblem) -> Written {
    let written = try operand(call.values[0])
    guard !isSQL || written.type.agrees(with: .text) else {
      throw missing(localized("\(call.name) of what is no text"), at: call.span)
    }
    return written
  }

  /// `SUBSTR(title, 2, 3)`, counted from 1, or from the end if it is negative. In a statement of Kura
  /// `substring` counts from 0, and `substr` from 1.
  private static let substring = ForeignFunction(counts: 2...3, labels: ["from", "for"]) {
    (writer, call) throws(ForeignProblem) in
    let text = try writer.text(call)
    let start = try writer.literal(call, 1, from: -(1 << 30))
    let count = call.values.count > 2 ? try writer.literal(call, 2) : nil
    guard start != 0 else { throw writer.missing("\(call.name) 0", at: call.span) }
    if start < 0 { return ending(text, at: -start, count) }
    let length = count.map(String.init) ?? "length(\(text.text))"
    return Written("substring(\(text.text), \(start - 1), \(length))", .text, nulls: text.nulls)
  }

  /// The last n characters of a text.
  private static func ending(_ text: Written, at place: Int, _ count: Int?) -> Written {
    let length = "length(\(text.text))"
    let part = "substring(\(text.text), \(length) - \(place), \(min(count ?? place, place)))"
    var short = text.text
    if let count, count < place {
      let rest = place - count
      short = "TERNARY(\(length) > \(rest), substring(\(text.text), 0, \(length) - \(rest)), \"\")"
    }
    let whole = "TERNARY(\(length) < \(place), \(short), \(part))"
    return Written(whole, .text, nulls: text.nulls)
  }

  private static let left = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let text = try writer.text(call)
    let count = try writer.literal(call, 1)
    return Written("substring(\(text.text), 0, \(count))", .text, nulls: text.nulls)
  }

  private static let right = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let text = try writer.text(call)
    return ending(text, at: try writer.literal(call, 1, from: 1), nil)
  }

  private static func position(needle: Int) -> ForeignFunction {
    ForeignFunction(counts: 2...2) { (writer, call) throws(ForeignProblem) in
      try writer.place(of: call.values[needle], in: call.values[1 - needle], from: 1)
    }
  }

  /// `POSITION('x' IN title)`
  private static let positionIn = ForeignFunction { (writer, call) throws(ForeignProblem) in
    guard case .infix("IN", let part, let whole) = call.values[0].kind else {
      throw .unreadable(call.span)
    }
    return try writer.place(of: part, in: whole, from: 1)
  }

  func place(
    of part: ForeignExpression, in whole: ForeignExpression, from base: Int
  ) throws(ForeignProblem) -> Written {
    let (whole, part) = (try operand(whole), try operand(part))
    let (text, needle) = (whole.text(in: .sum), part.text(in: .sum))
    let type = WrittenType.place(
      start: "\(text) BEGINSWITH \(needle)", anywhere: "\(text) CONTAINS \(needle)", from: base)
    return Written("\(text) CONTAINS \(needle)", type, nulls: whole.nulls.joined(part.nulls))
  }

  private static let matches = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let tree = ForeignExpression(.infix("SEARCH", call.values[0], call.values[1]), call.span)
    return try writer.comparison("SEARCH", call.values[0], call.values[1], tree)
  }
}

// Functions of numbers and of any value
extension ExpressionWriter {
  static let round = ForeignFunction(counts: 1...2) { (writer, call) throws(ForeignProblem) in
    if call.values.count > 1, call.values[1].literalInteger != 0 {
      throw writer.missing(
        localized("round to decimals"), localized("format(x, \"0.00\") shows so many"),
        at: call.span)
    }
    let written = try writer.operand(call.values[0])
    return Written("round(\(written.text))", .number, nulls: written.nulls)
  }

  static let power = ForeignFunction(counts: 2...2) { (writer, call) throws(ForeignProblem) in
    try writer.infix(
      "**", call.values[0], call.values[1], ForeignExpression(.null, call.span))
  }

  private static let modulus = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    try writer.infix("%", call.values[0], call.values[1], ForeignExpression(.null, call.span))
  }

  private static let coalesced = ForeignFunction(counts: 2...64) {
    (writer, call) throws(ForeignProblem) in
    var values: [Written] = []
    for value in call.values { values.append(try writer.operand(value)) }
    let type = values.first { $0.type != .null }?.type ?? .null
    if writer.isSQL, let odd = values.firstIndex(where: { !$0.type.agrees(with: type) }) {
      throw writer.missing(
        localized("\(call.name) with values of several types"), at: call.values[odd].span)
    }
    let text = "coalesce(\(values.map(\.text).joined(separator: ", ")))"
    let mayBeNull = values.allSatisfy { !$0.nulls.isEmpty }
    return Written(text, type, nulls: mayBeNull ? [text] : [])
  }

  /// `ISNULL(x)`, and `ISNULL(x, 0)`, which is COALESCE in one database
  private static let isNull = ForeignFunction(counts: 1...2) {
    (writer, call) throws(ForeignProblem) in
    if call.values.count == 2 { return try coalesced.write(writer, call) }
    let text = try writer.operand(call.values[0]).text(in: .sum)
    return .predicate("\(text) == NULL").or(not: .predicate("\(text) != NULL"))
  }

  private static let nullIf = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let tree = ForeignExpression(.infix("==", call.values[0], call.values[1]), call.span)
    let test = try writer.comparison("==", call.values[0], call.values[1], tree)
    let first = try writer.operand(call.values[0])
    let text = "TERNARY(\(test.text), NULL, \(first.text))"
    return Written(text, first.type, nulls: [text])
  }

  private static let ternary = ForeignFunction(counts: 3...3) {
    (writer, call) throws(ForeignProblem) in
    let choice = ForeignExpression.Kind.choice([(call.values[0], call.values[1])], call.values[2])
    return try writer.value(ForeignExpression(choice, call.span))
  }
}

// Dates
extension ExpressionWriter {
  /// `date('now', '-50 years')`, `DATE(timeStamp)`
  private static let date = ForeignFunction(counts: 0...8) {
    (writer, call) throws(ForeignProblem) in
    guard let first = call.values.first else { return Written("now()", .date) }
    let isDay = plainName(call.name) == "date"
    var date: Written
    if first.literalText?.lowercased() == "now" {
      date = Written(isDay ? "today()" : "now()", .date)
    } else if first.literalText != nil {
      date = Written("date(\(try writer.operand(first).text))", .date)
    } else {
      let written = try writer.operand(first)
      guard written.type == .date || !writer.isSQL else {
        throw writer.missing(localized("\(call.name) of what is no date"), at: call.span)
      }
      date =
        isDay ? Written("startOfDay(\(written.text))", .date, nulls: written.nulls) : written
    }
    for modifier in call.values.dropFirst() {
      let word = modifier.literalText?.lowercased() ?? ""
      if word == "start of day" {
        date.text = "startOfDay(\(date.text))"
      } else if let (count, name) = ForeignParser.countedUnit(word), let known = unit(name) {
        date.text = "dateByAdding(\(date.text), \(count), \"\(known)\")"
      } else {
        throw writer.missing(localized("the modifier '\(word)'"), at: modifier.span)
      }
    }
    return date
  }

  /// A text that is a date.
  private static let dateText = ForeignFunction { (writer, call) throws(ForeignProblem) in
    let written = try writer.operand(call.values[0])
    guard call.values[0].literalText == nil else { return Written(written.text, .date) }
    return Written("date(\(written.text))", .date, nulls: written.nulls)
  }

  /// `EXTRACT(YEAR FROM date)`
  private static let extract = ForeignFunction(counts: 2...2, labels: ["from"]) {
    (writer, call) throws(ForeignProblem) in
    let word = call.values[0].lastWord ?? call.values[0].literalText ?? ""
    guard let part = partFunction(word) else {
      throw writer.missing("EXTRACT \(word)", at: call.span)
    }
    let date = try writer.operand(call.values[1])
    return Written("\(part)(\(date.text))", .integer, nulls: date.nulls)
  }

  /// The function that returns a part of a date.
  static func partFunction(_ word: String) -> String? {
    if ["dow", "dw", "weekday", "dayofweek"].contains(word.lowercased()) { return "weekday" }
    return unit(word).flatMap { $0 == "week" ? nil : $0 }
  }

  /// `strftime('%Y', date)`, `DATE_FORMAT(date, '%Y')`
  private static let formattedTime = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let isFirst = call.values[0].literalText != nil
    let (pattern, value) = (call.values[isFirst ? 0 : 1], call.values[isFirst ? 1 : 0])
    guard let text = pattern.literalText, text.contains("%") else {
      guard !writer.isSQL else { throw writer.missing(call.name, at: call.span) }
      return Written("format(\(try writer.texts([value, pattern])))", .text)
    }
    let date = try writer.moment(value)
    let format = try writer.unicodeFormat(text, pattern.span)
    return Written(
      "format(\(date.text), \(StatementText.string(format)))", .text, nulls: date.nulls)
  }

  /// A value that may be the word `now`.
  private func moment(_ tree: ForeignExpression) throws(ForeignProblem) -> Written {
    tree.literalText?.lowercased() == "now" ? Written("now()", .date) : try operand(tree)
  }

  private static let dateLetters: [Character: String] = [
    "Y": "yyyy", "m": "MM", "d": "dd", "H": "HH", "M": "mm", "S": "ss", "F": "yyyy-MM-dd",
    "T": "HH:mm:ss",
  ]

  private func unicodeFormat(_ text: String, _ span: SourceSpan) throws(ForeignProblem) -> String {
    var (result, isCode) = ("", false)
    for character in text {
      if isCode {
        guard let letter = Self.dateLetters[character] else {
          throw missing("%\(character)", at: span)
        }
        result += letter
      } else if character != "%" {
        guard !character.isLetter else { throw missing(String(character), at: span) }
        result.append(character)
      }
      isCode = !isCode && character == "%"
    }
    return result
  }

  /// `TO_CHAR(date, 'YYYY-MM-DD')`
  private static let formattedDate = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let date = try writer.operand(call.values[0])
    guard date.type == .date, let word = call.values[1].literalText else {
      throw writer.missing(call.name, at: call.span)
    }
    let format = word.replacing("YYYY", with: "yyyy").replacing("DD", with: "dd")
      .replacing("HH24", with: "HH").replacing("MI", with: "mm").replacing("SS", with: "ss")
    let rest = format.filter(\.isLetter).filter { !"yMdHms".contains($0) }
    guard rest.isEmpty else { throw writer.missing(rest, at: call.values[1].span) }
    return Written(
      "format(\(date.text), \(StatementText.string(format)))", .text, nulls: date.nulls)
  }

  /// The number of a date and the number that it is compared with, for `strftime('%m', date)` and
  /// `'06'`; nil for other comparisons.
  func datePart(
    _ left: ForeignExpression, _ right: ForeignExpression
  ) -> (ForeignExpression, ForeignExpression)? {
    let parts = [
      "%Y": "year", "%m": "month", "%d": "day", "%H": "hour", "%M": "minute", "%S": "second",
    ]
    guard parser.dialect != .code, let (name, arguments) = left.namedCall, arguments.count == 2,
      ["strftime", "dateformat"].contains(Self.plainName(name)), let digits = right.literalText,
      let number = Int(digits)
    else { return nil }
    let isFirst = arguments[0].value.literalText != nil
    guard let pattern = arguments[isFirst ? 0 : 1].value.literalText, let part = parts[pattern],
      digits.utf8.count == (part == "year" ? 4 : 2), digits.allSatisfy(\.isNumber)
    else { return nil }
    changes += 1
    let date = [ForeignArgument(value: arguments[isFirst ? 1 : 0].value)]
    let (start, end) = (left.span.start, right.span.start)
    let function = ForeignExpression(.name(part), SourceSpan(start, start))
    return (
      ForeignExpression(.call(function, date), SourceSpan(start, start)),
      ForeignExpression(.number(String(number)), SourceSpan(end, end))
    )
  }

  /// `DATE_TRUNC('day', date)`
  private static let truncated = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    guard call.values[0].literalText?.lowercased() == "day" else {
      throw writer.missing(
        localized("date_trunc of anything but a day"), localized("compare year(d) and month(d)"),
        at: call.span)
    }
    let date = try writer.operand(call.values[1])
    return Written("startOfDay(\(date.text))", .date, nulls: date.nulls)
  }

  /// `DATE_ADD(date, INTERVAL 1 DAY)`, `DATEADD(day, 1, date)`
  private static func dateAdd(isBack: Bool) -> ForeignFunction {
    ForeignFunction(counts: 2...3) { (writer, call) throws(ForeignProblem) in
      if call.values.count == 3, !isBack, let unit = call.values[0].lastWord {
        let count = try writer.operand(call.values[1]).text
        return try writer.moved(call.values[2], by: count, unit, call.span)
      }
      guard call.values.count == 2,
        let date = try writer.moved(call.values[0], by: call.values[1], isBack: isBack)
      else { throw .unreadable(call.span) }
      return date
    }
  }

  /// `DATEDIFF(a, b)`, `DATEDIFF(day, b, a)`
  private static let dateDifference = ForeignFunction(counts: 2...3) {
    (writer, call) throws(ForeignProblem) in
    var values = call.values
    if values.count == 3 {
      guard values.removeFirst().lastWord.flatMap(unit) == "day" else {
        throw writer.missing(
          localized("\(call.name) in anything but days"), "timeBetween(a, b, \"hours\")",
          at: call.span)
      }
    } else {
      values.reverse()
    }
    let (from, to) = (try writer.operand(values[0]), try writer.operand(values[1]))
    return Written(
      "daysBetween(\(from.text), \(to.text))", .integer, nulls: from.nulls.joined(to.nulls))
  }
}

extension ForeignFunction {
  /// The same function, which leaves NULL out.
  fileprivate var knowing: ForeignFunction {
    ForeignFunction(counts: counts, labels: labels) { (writer, call) throws(ForeignProblem) in
      var written = try self.writer(writer, call)
      written.nulls = []
      return written
    }
  }
}
