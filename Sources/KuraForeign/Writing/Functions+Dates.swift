import KuraDiagnostics
import KuraModel
import KuraSentences

// Functions of dates.
extension ExpressionWriter {
  static let dateFunctions: [String: ForeignFunction] = [
    "now": constant("now()", .date), "getdate": constant("now()", .date),
    "sysdate": constant("now()", .date), "systimestamp": constant("now()", .date),
    "currenttimestamp": constant("now()", .date), "localtimestamp": constant("now()", .date),
    "currenttime": constant("now()", .date), "localtime": constant("now()", .date),
    "currentdate": constant("today()", .date), "curdate": constant("today()", .date),
    "today": constant("today()", .date), "sysdatetime": constant("now()", .date),
    "datetime.now": constant("now()", .date), "datetime.today": constant("today()", .date),
    "date.today": constant("today()", .date), "date.now": constant("now()", .date),
    "datetime.utcnow": constant("now()", .date), "nsdate.date": constant("now()", .date),
    "nsdate.now": constant("now()", .date), "timezone.now": constant("now()", .date),
    "date": date, "datetime": date, "timestamp": date, "nsdate": date, "todate": dateText,
    "strtodate": dateText, "parsedate": dateText, "fromisoformat": dateText,
    "date.fromisoformat": dateText, "datetime.fromisoformat": dateText, "date.parse": dateText,
    "datetime.parse": dateText, "isodate": dateText, "totimestamp": dateText,
    "getfullyear": part("year"), "getmonth": monthFromZero, "gethours": part("hour"),
    "getminutes": part("minute"), "getday": weekdayFromZero, "getdate()": part("day"),
    "dayofmonth": part("day"), "dayofweek": part("weekday"),
    "extract": extract, "datepart": datePart, "strftime": formattedTime,
    "dateformat": formattedTime,
    "format": formattedTime, "datetrunc": truncated, "dateadd": dateAdd, "adddate": dateAdd,
    "dateadding": dateAdd, "datesub": dateSub, "subdate": dateSub, "datediff": dateDifference,
    "startofday": renamed("startOfDay", .date),
    "timedelta": missing("dateByAdding(date, 1, \"day\")"),
    "addingtimeinterval": adding("second"), "adddays": adding("day"), "addmonths": adding("month"),
    "addyears": adding("year"), "addhours": adding("hour"),
    "datebyaddingtimeinterval": adding("second"),
  ]

  private static func part(_ name: String) -> ForeignFunction { renamed(name, .number) }

  private static let monthFromZero: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    Written("month(\(try writer.value(call, 0).text)) - 1", .number, binding: .sum)
  }

  private static let weekdayFromZero: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    Written("weekday(\(try writer.value(call, 0).text)) - 1", .number, binding: .sum)
  }

  private static func adding(_ unit: String) -> ForeignFunction {
    { (writer, call) throws(ForeignProblem) in
      let (date, count) = (try writer.value(call, 0), try writer.value(call, 1))
      return Written("dateByAdding(\(date.text), \(count.text), \"\(unit)\")", .date)
    }
  }

  /// `Date()`, `date('now', '-50 years')`, `new Date("2009-01-01")`, `DATE(timeStamp)`
  private static let date: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let arguments = call.arguments.filter { $0.label == nil || $0.label == "string" }
    let words = arguments.map { $0.value.literalText?.lowercased() }
    let name = plainName(call.name)
    guard let first = arguments.first?.value else { return Written("now()", .date) }
    guard arguments.count == call.arguments.count else {
      throw writer.missing(call.name, at: call.span)
    }
    if words[0] == "now" || words[0] == "today" {
      let start = Written(name == "date" && words[0] == "now" ? "today()" : "now()", .date)
      return try writer.modified(start, words.dropFirst().map { $0 ?? "" }, call)
    }
    if first.literalInteger != nil, call.values.count == 3 { return try writer.calendarDay(call) }
    guard call.values.count == 1 else { throw writer.missing(call.name, at: call.span) }
    if first.literalText != nil { return Written("date(\(try writer.value(first).text))", .date) }
    let written = try writer.value(first)
    return Written("startOfDay(\(written.text))", .date)
  }

  /// `date(2009, 1, 1)`
  private func calendarDay(_ call: ForeignCall) throws(ForeignProblem) -> Written {
    let isFromZero = parser.language == .javaScript
    let numbers = call.values.compactMap(\.literalInteger)
    guard numbers.count == 3 else { throw .unreadable(call.span) }
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let month = numbers[1] + (isFromZero ? 1 : 0)
    return Written(
      "\"\(padded(numbers[0], 4))-\(padded(month, 2))-\(padded(numbers[2], 2))\"", .date)
  }

  /// `date('now', '-1 year', 'start of day')`
  private func modified(
    _ start: Written, _ words: [String], _ call: ForeignCall
  ) throws(ForeignProblem) -> Written {
    var date = start.text
    for word in words where word != "localtime" && word != "utc" {
      if word == "start of day" {
        date = "startOfDay(\(date))"
      } else if let (count, unit) = ForeignParser.countedUnit(word), let unit = Self.unit(unit) {
        date = "dateByAdding(\(date), \(count), \"\(unit)\")"
      } else {
        throw missing(localized("the modifier '\(word)'"), at: call.span)
      }
    }
    return Written(date, .date)
  }

  /// A text that is a date, whatever its format.
  private static let dateText: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call, 0)
    return call.values[0].literalText == nil
      ? Written("date(\(written.text))", .date) : Written(written.text, .date)
  }

  private static let dateDifference: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    if call.values.count == 3, let unit = unit(call.values[0].lastWord ?? "") {
      let (from, to) = (try writer.value(call, 1), try writer.value(call, 2))
      return unit == "day"
        ? Written("daysBetween(\(from.text), \(to.text))", .number)
        : Written("timeBetween(\(from.text), \(to.text), \"\(unit)s\")", .number)
    }
    let (to, from) = (try writer.value(call, 0), try writer.value(call, 1))
    return Written("daysBetween(\(from.text), \(to.text))", .number)
  }
}
