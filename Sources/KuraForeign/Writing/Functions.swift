import KuraDiagnostics
import KuraModel
import KuraSentences

// Functions by their names in small letters, without `_` and `:`
extension ExpressionWriter {
  static let sqlFunctions = ForeignFunction.table([
    "upper ucase": .named("uppercase", .text), "lower lcase": .named("lowercase", .text),
    "trim btrim": .named("trim", .text),
    "length len charlength characterlength": .named("length", .integer),
    "concat": .named("concat", .text, 1...64).knowing,
    "substr substring mid": substring, "left": left, "right": right,
    "instr strpos": position(needle: 1), "locate charindex": position(needle: 0),
    "position": positionIn,
    "replace": .refused(localized("nothing replaces a part of a text here")),
    "reverse": .refused(localized("nothing turns a text round here")),
    "groupconcat stringagg": .refused(localized("group by gives numbers of a group, and no texts")),
    "rownumber": .refused(localized("offset and limit take a part of the rows")),
    "regexplike": .tree(2...2) { $0[0].infix("SEARCH", $0[1]) },
    "abs": .named("abs", .number), "ceil ceiling": .named("ceiling", .number),
    "floor": .named("floor", .number), "round": round, "sqrt": .named("sqrt", .number),
    "power pow": .tree(2...2) { $0[0].infix("**", $0[1]) },
    "mod": .tree(2...2) { $0[0].infix("%", $0[1]) }, "trunc": .named("trunc", .number),
    "coalesce ifnull nvl": coalesced, "isnull": .tree(1...1) { $0[0].infix("IS", .null) },
    "nullif": .tree(2...2) { values in
      .choice([(values[0].infix("==", values[1]), .null)], values[0])
    },
    "if iif": .tree(3...3) { .choice([($0[0], $0[1])], $0[2]) },
    "now getdate sysdate currenttimestamp localtimestamp": .constant("now()", .date),
    "currentdate curdate": .constant("today()", .date), "date datetime timestamp": date,
    "year": .named("year", .integer), "month": .named("month", .integer),
    "day dayofmonth": .named("day", .integer), "hour": .named("hour", .integer),
    "minute": .named("minute", .integer), "second": .named("second", .integer),
    "dayofweek": .named("weekday", .integer), "extract datepart": extract,
    "strftime dateformat": formattedTime,
    "dateadd adddate": .tree(2...2) { $0[0].infix("+", $0[1]) },
    "datesub subdate": .tree(2...2) { $0[0].infix("-", $0[1]) }, "datediff": dateDifference,
  ])

  /// Methods of Swift and Objective-C, and of other languages in a statement of Kura. A method's object
  /// is its first argument.
  static let methods = ForeignFunction.table([
    "uppercased uppercasestring localizeduppercase touppercase upper": .named("uppercase", .text),
    "lowercased lowercasestring localizedlowercase tolowercase lower": .named("lowercase", .text),
    "trimmingcharacters stringbytrimmingcharactersinset": trimmed, "strip": .named("trim", .text),
    "count length len size": length, "isempty": isEmpty,
    "prefix": part(isEnd: false), "suffix": part(isEnd: true),
    "hasprefix startswith": .operation("BEGINSWITH"), "hassuffix endswith": .operation("ENDSWITH"),
    "contains containsstring containsobject includes": .operation("CONTAINS"),
    "localizedstandardcontains localizedstandardcontainsstring": .operation("CONTAINS[cd]"),
    "localizedcaseinsensitivecontains localizedcaseinsensitivecontainsstring":
      .operation("CONTAINS[c]"),
    "isequal isequaltostring": .operation("=="), "isin": .operation("IN"),
    "range rangeofstring indexof": ForeignFunction(counts: 2...2, labels: ["of"]) { writer, call in
      try writer.place(of: call.values[1], in: call.values[0], from: 0)
    },
    "abs magnitude": .named("abs", .number), "sqrt": .named("sqrt", .number),
    "floor": .named("floor", .number), "ceil": .named("ceiling", .number), "round": round,
    "rounded": .named("round", .number), "pow": .tree(2...2) { $0[0].infix("**", $0[1]) },
    "min": .named("min", .unknown, 2...64), "max": .named("max", .unknown, 2...64),
    "year": .named("year", .integer), "month": .named("month", .integer),
    "day": .named("day", .integer), "hour": .named("hour", .integer),
    "minute": .named("minute", .integer), "second": .named("second", .integer),
    "weekday dayofweek": .named("weekday", .integer), "string": text, "int double": number,
    "nspredicate": truthPredicate, "date nsdate": moment,
    "date.now nsdate.date": .constant("now()", .date), "calendar.date": calendarDate,
    "calendar.startofday": .named("startOfDay", .date, labels: ["for"]),
    "calendar.component": component,
    "addingtimeinterval datebyaddingtimeinterval": ForeignFunction(counts: 2...2) { writer, call in
      let count = try writer.value(call.values[1])
      return try writer.moved(call.values[0], by: count.text, "second", call.span)
    },
  ])
}

extension ForeignFunction {
  /// The same function, which leaves NULL out.
  fileprivate var knowing: ForeignFunction {
    ForeignFunction(counts: counts, labels: labels) { writer, call in
      var written = try self.writer(writer, call)
      written.nulls = []
      return written
    }
  }
}

extension Tree {
  fileprivate static let null = Tree(.null, .none)

  fileprivate static func choice(
    _ choices: [(condition: Tree, value: Tree)],
    _ other: Tree
  ) -> Tree {
    Tree(.choice(choices, other), .none)
  }

  /// `reverse` of `.reverse`
  var memberName: String? { if case .member(_, let name) = kind { name } else { nil } }
}

// Texts
extension ExpressionWriter {
  /// A whole number that is written out; SQL gives negative ones and NULL a meaning of their own.
  private func literal(_ call: Call, _ index: Int, from least: Int = 0) throws -> Int {
    guard let number = call.values[index].literalInteger, number >= least, abs(number) < 1 << 30
    else {
      throw missing(localized("\(call.name) with a computed place"), at: call.values[index].span)
    }
    return number
  }

  private func text(_ call: Call) throws -> Written {
    let written = try operand(call.values[0])
    guard !isSQL || written.type.agrees(with: .text) else {
      throw missing(localized("\(call.name) of what is no text"), at: call.span)
    }
    return written
  }

  /// `SUBSTR(title, 2, 3)`, counted from 1, or from the end if it is negative. In a statement of Kura
  /// `substring` counts from 0, and `substr` from 1.
  private static let substring = ForeignFunction(counts: 2...3, labels: ["from", "for"]) {
    writer, call in
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

  private static let left = ForeignFunction(counts: 2...2) { writer, call in
    let (text, count) = (try writer.text(call), try writer.literal(call, 1))
    return Written("substring(\(text.text), 0, \(count))", .text, nulls: text.nulls)
  }

  private static let right = ForeignFunction(counts: 2...2) { writer, call in
    ending(try writer.text(call), at: try writer.literal(call, 1, from: 1), nil)
  }

  /// `title.prefix(3)`
  private static func part(isEnd: Bool) -> ForeignFunction {
    ForeignFunction(counts: 2...2) { writer, call in
      let (text, count) = (try writer.value(call.values[0]), try writer.literal(call, 1))
      return isEnd
        ? ending(text, at: count, nil) : Written("substring(\(text.text), 0, \(count))", .text)
    }
  }

  private static func position(needle: Int) -> ForeignFunction {
    ForeignFunction(counts: 2...2) { writer, call in
      try writer.place(of: call.values[needle], in: call.values[1 - needle], from: 1)
    }
  }

  /// `POSITION('x' IN title)`
  private static let positionIn = ForeignFunction { writer, call in
    guard case .infix("IN", let part, let whole) = call.values[0].kind else {
      throw call.span.unreadable
    }
    return try writer.place(of: part, in: whole, from: 1)
  }

  private func place(of part: Tree, in whole: Tree, from base: Int) throws -> Written {
    let (whole, part) = (try operand(whole), try operand(part))
    let (text, needle) = (whole.text(in: .sum), part.text(in: .sum))
    let type = WrittenType.place(
      start: "\(text) BEGINSWITH \(needle)", anywhere: "\(text) CONTAINS \(needle)", from: base)
    return Written("\(text) CONTAINS \(needle)", type, nulls: whole.nulls.joined(part.nulls))
  }

  /// `.whitespaces` is what Kura trims.
  private static let trimmed = ForeignFunction(counts: 2...2, labels: ["in"]) { writer, call in
    guard let word = call.values[1].memberName, word.hasPrefix("whitespace") else {
      throw writer.missing(call.name, at: call.values[1].span)
    }
    return Written("trim(\(try writer.value(call.values[0]).text))", .text)
  }

  private static let length = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    return Written(written.isMany ? "\(written.text).@count" : "length(\(written.text))", .integer)
  }

  private static let isEmpty = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    guard !written.isMany else { return try writer.truth(written, call.values[0]).negated }
    return writer.compared(written, "==", Written("\"\"", .text))
  }

  private static let text = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    return written.type == .text
      ? written : Written("CAST(\(written.text), \"NSString\")", .text)
  }
}

// Numbers, and any value
extension ExpressionWriter {
  private static let round = ForeignFunction(counts: 1...2) { writer, call in
    if call.values.count > 1, call.values[1].literalInteger != 0 {
      throw writer.missing(
        localized("round to decimals"), localized("format(x, \"0.00\") shows so many"),
        at: call.span)
    }
    let written = try writer.operand(call.values[0])
    return Written("round(\(written.text))", .number, nulls: written.nulls)
  }

  private static let number = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    guard written.type.isNumber else {
      return Written("CAST(\(written.text), \"NSNumber\")", .number)
    }
    return plainName(call.name) == "int" ? Written("trunc(\(written.text))", .integer) : written
  }

  private static let coalesced = ForeignFunction(counts: 2...64) { writer, call in
    let values = try call.values.map(writer.operand)
    let type = values.first { $0.type != .null }?.type ?? .null
    if writer.isSQL, let odd = values.firstIndex(where: { !$0.type.agrees(with: type) }) {
      throw writer.missing(
        localized("\(call.name) with values of several types"), at: call.values[odd].span)
    }
    let text = "coalesce(\(values.map(\.text).joined(separator: ", ")))"
    let mayBeNull = values.allSatisfy { !$0.nulls.isEmpty }
    return Written(text, type, nulls: mayBeNull ? [text] : [])
  }

  /// `NSPredicate(value: true)`
  private static let truthPredicate = ForeignFunction(labels: ["value"]) { writer, call in
    guard call.values[0].literalBoolean != nil else { throw call.span.unreadable }
    return try writer.predicate(call.values[0])
  }
}

// Dates
extension ExpressionWriter {
  /// `date('now', '-50 years')`, `DATE(timeStamp)`
  private static let date = ForeignFunction(counts: 0...8) { writer, call in
    guard let first = call.values.first else { return Written("now()", .date) }
    let isDay = plainName(call.name) == "date"
    var date = try writer.moment(first)
    if first.literalText == nil {
      guard date.type == .date || !writer.isSQL else {
        throw writer.missing(localized("\(call.name) of what is no date"), at: call.span)
      }
      if isDay { date = Written("startOfDay(\(date.text))", .date, nulls: date.nulls) }
    } else if date.type != .date {
      date = Written("date(\(date.text))", .date)
    } else if isDay {
      date.text = "today()"
    }
    for modifier in call.values.dropFirst() {
      let word = modifier.literalText?.lowercased() ?? ""
      let parts = word.components(of: " ")
      if word == "start of day" {
        date.text = "startOfDay(\(date.text))"
      } else if parts.count == 2, let count = Int(parts[0]), let known = unit(parts[1]) {
        date.text = "dateByAdding(\(date.text), \(count), \"\(known)\")"
      } else {
        throw writer.missing(localized("the modifier '\(word)'"), at: modifier.span)
      }
    }
    return date
  }

  /// A value that may be the word `now`.
  private func moment(_ tree: Tree) throws -> Written {
    tree.literalText?.lowercased() == "now" ? Written("now()", .date) : try operand(tree)
  }

  /// `EXTRACT(YEAR FROM date)`
  private static let extract = ForeignFunction(counts: 2...2, labels: ["from"]) { writer, call in
    let word = call.values[0].lastWord ?? call.values[0].literalText ?? ""
    guard let part = partFunction(word) else {
      throw writer.missing("EXTRACT \(word)", at: call.span)
    }
    let date = try writer.operand(call.values[1])
    return Written("\(part)(\(date.text))", .integer, nulls: date.nulls)
  }

  /// The function that returns a part of a date.
  private static func partFunction(_ word: String) -> String? {
    if ["dow", "dw", "weekday", "dayofweek"].contains(word.lowercased()) { return "weekday" }
    return unit(word).flatMap { $0 == "week" ? nil : $0 }
  }

  /// The format and the date of `strftime('%Y', date)`, `DATE_FORMAT(date, '%Y')`.
  private static func format(_ values: [Tree]) -> (format: String, date: Tree)? {
    let isFirst = values[0].literalText != nil
    return values[isFirst ? 0 : 1].literalText.map { ($0, values[isFirst ? 1 : 0]) }
  }

  private static let formattedTime = ForeignFunction(counts: 2...2) { writer, call in
    guard let (text, value) = format(call.values), text.contains("%") else {
      throw writer.missing(call.name, at: call.span)
    }
    let date = try writer.moment(value)
    let format = StatementText.string(try writer.unicodeFormat(text, call.span))
    return Written("format(\(date.text), \(format))", .text, nulls: date.nulls)
  }

  private static let dateLetters: [Character: (format: String, part: String?)] = [
    "Y": ("yyyy", "year"), "m": ("MM", "month"), "d": ("dd", "day"), "H": ("HH", "hour"),
    "M": ("mm", "minute"), "S": ("ss", "second"), "F": ("yyyy-MM-dd", nil), "T": ("HH:mm:ss", nil),
  ]

  private func unicodeFormat(_ text: String, _ span: SourceSpan) throws -> String {
    var (result, isCode) = ("", false)
    for character in text {
      if isCode {
        guard let letter = Self.dateLetters[character] else {
          throw missing("%\(character)", at: span)
        }
        result += letter.format
      } else if character != "%" {
        guard !character.isLetter else { throw missing(String(character), at: span) }
        result.append(character)
      }
      isCode = !isCode && character == "%"
    }
    return result
  }

  /// The number of a date and the number that it is compared with, for `strftime('%m', date)` and
  /// `'06'`; nil for other comparisons.
  func datePart(_ left: Tree, _ right: Tree) -> (Tree, Tree)? {
    guard parser.dialect != .code, let (name, arguments) = left.namedCall, arguments.count == 2,
      ["strftime", "dateformat"].contains(Self.plainName(name)), let digits = right.literalText,
      let number = Int(digits), let (format, date) = Self.format(arguments.map(\.value)),
      format.count == 2, format.first == "%",
      let part = format.last.flatMap({ Self.dateLetters[$0] })?.part,
      digits.utf8.count == (part == "year" ? 4 : 2), digits.allSatisfy(\.isNumber)
    else { return nil }
    changes += 1
    let (start, end) = (left.span.start, right.span.start)
    let place = SourceSpan(start, start)
    let function = Tree(.name(part), place)
    return (
      Tree(.call(function, [Argument(value: date)]), place),
      Tree(.number(String(number)), SourceSpan(end, end))
    )
  }

  /// `DATEDIFF(a, b)`
  private static let dateDifference = ForeignFunction(counts: 2...2) { writer, call in
    let (to, from) = (try writer.operand(call.values[0]), try writer.operand(call.values[1]))
    return Written(
      "daysBetween(\(from.text), \(to.text))", .integer, nulls: from.nulls.joined(to.nulls))
  }

  /// `Date()`, `Date(timeIntervalSinceNow: -60)`
  private static let moment = ForeignFunction(counts: 0...1, labels: ["timeIntervalSinceNow"]) {
    writer, call in
    guard let last = call.arguments.last else { return Written("now()", .date) }
    let text = try writer.value(last.value).text
    if last.label != nil { return Written("dateByAdding(now(), \(text), \"second\")", .date) }
    guard writer.parser.dialect == .kura else { throw writer.missing(call.name, at: call.span) }
    return Written("date(\(text))", .date)
  }

  /// `Calendar.current.date(byAdding: .day, value: 7, to: Date())`
  private static let calendarDate = ForeignFunction(
    counts: 3...3, labels: ["byAdding", "value", "to"]
  ) { writer, call in
    guard let unit = call.values[0].memberName else { throw call.span.unreadable }
    let count = try writer.value(call.values[1]).text
    return try writer.moved(call.values[2], by: count, unit, call.values[0].span)
  }

  /// `Calendar.current.component(.year, from: date)`
  private static let component = ForeignFunction(counts: 2...2, labels: ["from"]) { writer, call in
    guard let part = call.values[0].memberName.flatMap(partFunction) else {
      throw writer.missing(call.name, at: call.span)
    }
    return Written("\(part)(\(try writer.value(call.values[1]).text))", .integer)
  }
}
