import KuraDiagnostics
import KuraModel
import KuraSentences

/// A rule for writing a function or method of another language.
struct ForeignFunction: Sendable {
  typealias Writer = @Sendable (ExpressionWriter, Call) throws -> Snippet

  /// The number of its arguments, including the receiver of a method.
  var counts: ClosedRange<Int> = 1...1
  /// The labels that its arguments may have; other labels are refused.
  var labels: Set<String> = []
  let writer: Writer

  func write(_ writer: ExpressionWriter, _ call: Call) throws -> Snippet {
    try call.check(counts, labels)
    return try self.writer(writer, call)
  }
}

// The tables of functions, by their names in lowercase, without `_` and `:`
extension ForeignFunction {
  /// Functions of SQL.
  static let ofSQL = table([
    "length len charlength characterlength": .template("length($1)", .integer),
    "concat": .template("concat($*)", .text, 1...64, skipsNull: true), "concatws": separated,
    "substr substring mid": substring, "instr strpos": position(needle: 1),
    "locate charindex": position(needle: 0),
    "position": positionIn, "regexplike": .infix("SEARCH"), "mod": .infix("%"),
    "trunc": .template("trunc($1)", .number), "coalesce ifnull nvl": coalesced,
    "isnull": .tree(1...1) { .infix("IS", $0[0], Tree(.null, .none)) },
    "nullif": .tree(2...2) { .choice([($0[0].infix("==", $0[1]), Tree(.null, .none))], $0[0]) },
    "if iif": .tree(3...3) { .choice([($0[0], $0[1])], $0[2]) },
    "now getdate sysdate currenttimestamp localtimestamp": .template("now()", .date),
    "currentdate curdate": .template("today()", .date), "date datetime timestamp": date,
    "dayofmonth": .template("day($1)", .integer), "extract datepart": part,
    "strftime dateformat tochar": formattedTime, "dateadd adddate": .infix("+"),
    "datesub subdate": .infix("-"), "datediff timestampdiff": dateDifference,
    "cumsum cumulativesum runningtotal": template("runningSum($1)", .number),
    "replace": template("replace($1, $2, $3)", .text, 3...3),
    "reverse": .refused(localized("Kura cannot reverse a string")),
    "groupconcat stringagg listagg arrayagg list": ForeignFunction(counts: 0...64) { writer, call in
      guard let joined = try writer.joined(call) else {
        throw call.span.missing(call.name, writer.joinedTexts(of: call))
      }
      return joined
    },
    "rownumber": .refused(localized("use offset and limit to select a range of rows")),
    "unnest flatten explode jsoneach": .refused(
      localized("fetch ENTITY.KEY has a row for each element of a list")),
  ])

  /// Methods of Swift and Objective-C, and of other languages in a statement of Kura. The first
  /// argument is the receiver.
  static let ofPrograms = table([
    "trimmingcharacters stringbytrimmingcharactersinset": trimmed, "count length len size": length,
    "isempty": isEmpty, "hasprefix startswith": .infix("BEGINSWITH"),
    "hassuffix endswith": .infix("ENDSWITH"),
    "contains containsstring containsobject includes": .infix("CONTAINS"),
    "localizedstandardcontains localizedstandardcontainsstring": .infix("CONTAINS[cd]"),
    "localizedcaseinsensitivecontains localizedcaseinsensitivecontainsstring": .infix(
      "CONTAINS[c]"),
    "isequal isequaltostring": .infix("=="), "isin": .infix("IN"),
    "range rangeofstring indexof": ForeignFunction(counts: 2...2, labels: ["of"]) { writer, call in
      try writer.place(of: call.values[1], in: call.values[0], from: 0)
    },
    "min": .template("min($*)", .unknown, 2...64), "max": .template("max($*)", .unknown, 2...64),
    "weekday": .template("weekday($1)", .integer), "string": text, "int double": number,
    "nspredicate": truthPredicate, "date nsdate": moment,
    "date.now nsdate.date": .template("now()", .date), "calendar.date": calendarDate,
    "calendar.startofday": .template("startOfDay($1)", .date, labels: ["for"]),
    "calendar.component": part,
    "addingtimeinterval datebyaddingtimeinterval": ForeignFunction(counts: 2...2) { writer, call in
      let count = try writer.value(call.values[1])
      return try writer.moved(call.values[0], by: count.text, "second", call.span)
    },
  ])

  private static let ofBoth = [
    "upper ucase uppercased uppercasestring localizeduppercase touppercase":
      template("uppercase($1)", .text),
    "lower lcase lowercased lowercasestring localizedlowercase tolowercase":
      template("lowercase($1)", .text),
    "trim btrim strip": template("trim($1)", .text), "left prefix": left, "right suffix": right,
    "abs magnitude": template("abs($1)", .number),
    "sqrt": template("sqrt($1)", .number), "floor": template("floor($1)", .number),
    "ceil ceiling": template("ceiling($1)", .number), "round rounded": round,
    "power pow": infix("**"), "year": template("year($1)", .integer),
    "month": template("month($1)", .integer), "day": template("day($1)", .integer),
    "hour": template("hour($1)", .integer), "minute": template("minute($1)", .integer),
    "second": template("second($1)", .integer), "dayofweek": template("weekday($1)", .integer),
  ]

  /// Returns functions by each of their names, which are separated by spaces.
  private static func table(_ rows: [String: ForeignFunction]) -> [String: ForeignFunction] {
    var table: [String: ForeignFunction] = [:]
    for (names, function) in ofBoth.merging(rows, uniquingKeysWith: { $1 }) {
      for name in names.components(of: " ") { table[name] = function }
    }
    return table
  }

  /// Returns a function with a template, in which `$1`, `$2` are arguments and `$*` is all of them.
  /// The result is NULL if an argument is, unless the function skips NULL.
  private static func template(
    _ text: String, _ type: SnippetType, _ counts: ClosedRange<Int>? = nil,
    labels: Set<String> = [], skipsNull: Bool = false
  ) -> ForeignFunction {
    let count = (1...3).last { text.contains("$\($0)") } ?? 0
    return ForeignFunction(counts: counts ?? count...count, labels: labels) { writer, call in
      let values = try call.values.map(writer.operand)
      var written = Snippet(
        values.indices.reduce(text) { $0.replacing("$\($1 + 1)", with: values[$1].text) }, type)
      if !skipsNull { written.nulls = values.reduce([]) { $0.joined($1.nulls) } }
      written.text = written.text.replacing(
        "$*", with: values.map(\.text).joined(separator: ", "))
      return written
    }
  }

  /// Returns a function that is another form of an operator.
  private static func infix(_ sign: String) -> ForeignFunction {
    tree(2...2) { .infix(sign, $0[0], $0[1]) }
  }

  /// Returns a function that is another form of a choice.
  private static func tree(
    _ counts: ClosedRange<Int>, _ make: @escaping @Sendable ([Tree]) -> Tree.Kind
  ) -> ForeignFunction {
    ForeignFunction(counts: counts) { writer, call in
      try writer.write(Tree(make(call.values), call.span))
    }
  }

  /// Returns a function that Kura does not have.
  private static func refused(_ instead: String) -> ForeignFunction {
    ForeignFunction(counts: 0...64) { _, call in throw call.span.missing(call.name, instead) }
  }
}

// Texts
extension ForeignFunction {
  /// Returns a function for a part of a text. Its place and length must be integer literals, the
  /// place at least `least`.
  private static func part(
    _ counts: ClosedRange<Int>, from least: Int, labels: Set<String> = [],
    _ make: @escaping @Sendable (String, [Int]) -> String
  ) -> ForeignFunction {
    ForeignFunction(counts: counts, labels: labels) { writer, call in
      let text = try writer.operand(call.values[0])
      guard !writer.isSQL || text.type.agrees(with: .text) else {
        throw call.span.missing(localized("\(call.name) of a value that is not a string"))
      }
      let numbers = try call.values.dropFirst().enumerated().map { place, tree in
        guard let number = tree.literalInteger, abs(number) < 1 << 30,
          number >= (place == 0 ? least : 0)
        else { throw tree.span.missing(localized("\(call.name) with a computed position")) }
        return number
      }
      if counts.upperBound > 2, numbers[0] == 0 { throw call.span.missing("\(call.name) 0") }
      return Snippet(make(text.text, numbers), .text, nulls: text.nulls)
    }
  }

  private static let left = part(2...2, from: 0) { "substring(\($0), 0, \($1[0]))" }

  private static let right = part(2...2, from: 1) { ending($0, at: $1[0], nil) }

  /// `SUBSTR(title, 2, 3)` counts from 1, or from the end if negative. In a statement of Kura,
  /// `substring` counts from 0, and `substr` from 1.
  private static let substring = part(2...3, from: -1 << 30, labels: ["from", "for"]) {
    text, numbers in
    let count = numbers.count > 1 ? numbers[1] : nil
    if numbers[0] < 0 { return ending(text, at: -numbers[0], count) }
    let length = count.map(String.init) ?? "length(\(text))"
    return "substring(\(text), \(numbers[0] - 1), \(length))"
  }

  /// Returns the last n characters of a text, or the first of them.
  private static func ending(_ text: String, at place: Int, _ count: Int?) -> String {
    let length = "length(\(text))"
    let part = "substring(\(text), \(length) - \(place), \(min(count ?? place, place)))"
    var short = text
    if let count, count < place {
      let rest = place - count
      short = "TERNARY(\(length) > \(rest), substring(\(text), 0, \(length) - \(rest)), \"\")"
    }
    return "TERNARY(\(length) < \(place), \(short), \(part))"
  }

  /// `CONCAT_WS(' ', a, b)`: the separator between the parts. A NULL part has no separator, so no part may be NULL.
  private static let separated = ForeignFunction(counts: 3...64) { writer, call in
    let texts = try call.values.map(writer.operand)
    guard texts.allSatisfy(\.nulls.isEmpty) else { throw call.span.missing(call.name) }
    let parts = texts.dropFirst().map(\.text).joined(separator: ", \(texts[0].text), ")
    return Snippet("concat(\(parts))", .text)
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

  /// Trims `.whitespaces`, the only set that Kura trims.
  private static let trimmed = ForeignFunction(counts: 2...2, labels: ["in"]) { writer, call in
    guard let word = call.values[1].memberName, word.hasPrefix("whitespace") else {
      throw call.values[1].span.missing(call.name)
    }
    return Snippet("trim(\(try writer.value(call.values[0]).text))", .text)
  }

  private static let length = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    return Snippet(written.isMany ? "\(written.text).@count" : "length(\(written.text))", .integer)
  }

  private static let isEmpty = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    guard !written.isMany else { return try writer.truth(written, call.values[0]).negated }
    return writer.compared(written, "==", Snippet("\"\"", .text))
  }

  private static let text = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    return written.type == .text
      ? written : Snippet("CAST(\(written.text), \"NSString\")", .text)
  }
}

extension ExpressionWriter {
  fileprivate func place(of part: Tree, in whole: Tree, from base: Int) throws -> Snippet {
    let (whole, part) = (try operand(whole), try operand(part))
    let (text, needle) = (whole.text(in: .sum), part.text(in: .sum))
    let type = SnippetType.place(
      start: "\(text) BEGINSWITH \(needle)", anywhere: "\(text) CONTAINS \(needle)", from: base)
    return Snippet("\(text) CONTAINS \(needle)", type, nulls: whole.nulls.joined(part.nulls))
  }
}

// Numbers, and any value
extension ForeignFunction {
  private static let round = ForeignFunction(counts: 1...2) { writer, call in
    let written = try writer.operand(call.values[0])
    guard call.values.count > 1, call.values[1].literalInteger != 0 else {
      return Snippet("round(\(written.text))", .number, nulls: written.nulls)
    }
    let places = try writer.operand(call.values[1])
    return Snippet(
      "round(\(written.text), \(places.text))", .number,
      nulls: written.nulls.joined(places.nulls))
  }

  private static let number = ForeignFunction { writer, call in
    let written = try writer.value(call.values[0])
    guard written.type.isNumber else {
      return Snippet("CAST(\(written.text), \"NSNumber\")", .number)
    }
    return call.plainName == "int" ? Snippet("trunc(\(written.text))", .integer) : written
  }

  private static let coalesced = ForeignFunction(counts: 2...64) { writer, call in
    let values = try call.values.map(writer.operand)
    let type = values.first { $0.type != .null }?.type ?? .null
    if writer.isSQL, let odd = values.firstIndex(where: { !$0.type.agrees(with: type) }) {
      throw call.values[odd].span.missing(localized("\(call.name) with values of different types"))
    }
    let text = "coalesce(\(values.map(\.text).joined(separator: ", ")))"
    let mayBeNull = values.allSatisfy { !$0.nulls.isEmpty }
    return Snippet(text, type, nulls: mayBeNull ? [text] : [])
  }

  /// `NSPredicate(value: true)`
  private static let truthPredicate = ForeignFunction(labels: ["value"]) { writer, call in
    guard call.values[0].literalBoolean != nil else { throw call.span.unreadable }
    return try writer.predicate(call.values[0])
  }
}

// Dates
extension ForeignFunction {
  /// `date('now', '-50 years')`, `DATE(timeStamp)`
  private static let date = ForeignFunction(counts: 0...8) { writer, call in
    guard let first = call.values.first else { return Snippet("now()", .date) }
    let isDay = call.plainName == "date"
    var date = try writer.moment(first)
    if first.literalText == nil {
      guard date.type == .date || !writer.isSQL else {
        throw call.span.missing(localized("\(call.name) of a value that is not a date"))
      }
      if isDay { date = Snippet("startOfDay(\(date.text))", .date, nulls: date.nulls) }
    } else if date.type != .date {
      date = Snippet("date(\(date.text))", .date)
    } else if isDay {
      date.text = "today()"
    }
    for modifier in call.values.dropFirst() {
      let word = modifier.literalText?.lowercased() ?? ""
      let parts = word.components(of: " ")
      if word == "start of day" {
        date.text = "startOfDay(\(date.text))"
      } else if parts.count == 2, let count = Int(parts[0]),
        let known = ExpressionWriter.unit(parts[1])
      {
        date.text = "dateByAdding(\(date.text), \(count), \"\(known)\")"
      } else {
        throw modifier.span.missing(localized("the modifier '\(word)'"))
      }
    }
    return date
  }

  /// `DATEDIFF(b, a)` of MySQL, `DATEDIFF(day, a, b)` of SQL Server
  private static let dateDifference = ForeignFunction(counts: 2...3) { writer, call in
    let dates = try call.values.suffix(2).map(writer.operand)
    let nulls = dates[0].nulls.joined(dates[1].nulls)
    guard call.values.count == 3 else {
      return Snippet("daysBetween(\(dates[1].text), \(dates[0].text))", .integer, nulls: nulls)
    }
    let word = call.values[0].lastWord ?? call.values[0].literalText ?? ""
    let unit = ["dd", "d"].contains(word) ? "day" : ExpressionWriter.unit(word.lowercased())
    let list = "\(dates[0].text), \(dates[1].text)"
    switch unit {
    // TIMESTAMPDIFF counts whole units, DATEDIFF of SQL Server the borders between them.
    case let unit? where call.name.lowercased().hasPrefix("timestamp"):
      return Snippet("timeBetween(\(list), \"\(unit)s\")", .integer, nulls: nulls)
    case "day": return Snippet("daysBetween(\(list))", .integer, nulls: nulls)
    case let unit? where !writer.isSQL:
      return Snippet("timeBetween(\(list), \"\(unit)s\")", .integer, nulls: nulls)
    default: throw call.values[0].span.missing(call.name)
    }
  }

  /// `EXTRACT(YEAR FROM date)`, `Calendar.current.component(.year, from: date)`
  private static let part = ForeignFunction(counts: 2...2, labels: ["from"]) { writer, call in
    let name = call.values[0]
    let word = (name.memberName ?? name.lastWord ?? name.literalText ?? "").lowercased()
    let isWeekday = ["dow", "dw", "weekday", "dayofweek"].contains(word)
    guard let part = isWeekday ? "weekday" : ExpressionWriter.unit(word), part != "week" else {
      throw call.span.missing(writer.isSQL ? "EXTRACT \(word)" : call.name)
    }
    let date = try writer.operand(call.values[1])
    return Snippet("\(part)(\(date.text))", .integer, nulls: date.nulls)
  }

  /// `strftime('%Y', date)`, `DATE_FORMAT(date, '%Y')`
  private static let formattedTime = ForeignFunction(counts: 2...2) { writer, call in
    guard let (text, value) = format(call.values) else { throw call.span.missing(call.name) }
    // `%M` is a month's name in MySQL, and `%s` the seconds since 1970 in SQLite.
    let others = call.plainName == "strftime" ? ["%s", "%i"] : ["%M"]
    guard call.plainName == "tochar" || text.contains("%"), !others.contains(where: text.contains),
      let pattern = DateLetters.pattern(text)
    else { throw call.span.missing("\(call.name) \(StatementText.string(text))") }
    let date = try writer.moment(value)
    return Snippet(
      "format(\(date.text), \(StatementText.string(pattern)))", .text, nulls: date.nulls)
  }

  fileprivate static let dateParts: [Character: String] = [
    "Y": "year", "m": "month", "d": "day", "H": "hour", "M": "minute", "S": "second",
  ]

  /// Returns the format and the date of `strftime('%Y', date)`, `DATE_FORMAT(date, '%Y')`.
  fileprivate static func format(_ values: [Tree]) -> (format: String, date: Tree)? {
    let isFirst = values[0].literalText != nil
    return values[isFirst ? 0 : 1].literalText.map { ($0, values[isFirst ? 1 : 0]) }
  }

  /// `Date()`, `Date(timeIntervalSinceNow: -60)`
  private static let moment = ForeignFunction(counts: 0...1, labels: ["timeIntervalSinceNow"]) {
    writer, call in
    guard let last = call.arguments.last else { return Snippet("now()", .date) }
    let text = try writer.value(last.value).text
    if last.label != nil { return Snippet("dateByAdding(now(), \(text), \"second\")", .date) }
    guard writer.parser.dialect == .kura else { throw call.span.missing(call.name) }
    return Snippet("date(\(text))", .date)
  }

  /// `Calendar.current.date(byAdding: .day, value: 7, to: Date())`
  private static let calendarDate = ForeignFunction(
    counts: 3...3, labels: ["byAdding", "value", "to"]
  ) { writer, call in
    guard let unit = call.values[0].memberName else { throw call.span.unreadable }
    let count = try writer.value(call.values[1]).text
    return try writer.moved(call.values[2], by: count, unit, call.values[0].span)
  }
}

extension ExpressionWriter {
  /// Writes `GROUP_CONCAT(title, ', ')` of a group; nil for other rows and values, and for joined
  /// tables, whose texts a relationship joins without groups.
  fileprivate func joined(_ call: Call) throws -> Snippet? {
    guard scope.isGrouped, scope.partners == nil, scope.names.count <= 1,
      let argument = call.values.first,
      call.values.count == 1 || call.values.count == 2 && call.values[1].literalText != nil
    else { return nil }
    let value = try operand(argument)
    guard value.type == .text || value.type == .integer else { return nil }
    let separator = try call.values.count == 2 ? operand(call.values[1]).text : "\",\""
    let text = "joined(\(value.text), \(separator))"
    return Snippet(text, .text, nulls: value.nulls.isEmpty ? [] : [text])
  }

  /// Returns advice on how to join the texts of `GROUP_CONCAT`, if a relationship leads to their
  /// objects.
  fileprivate func joinedTexts(of call: Call) -> String {
    let words = call.values.first?.words ?? []
    let entity = words.count == 2 ? scope[words[0]]?.entity : nil
    for owner in entity == nil ? [] : names.model.entities {
      let way = names.relationships(from: owner.name, to: entity ?? "").first { $0.isToMany }
      if let way {
        let path = "\(way.name).\(words[1])"
        return localized("in a fetch of \(owner.name), use joined(\(path), \",\")")
      }
    }
    return localized("with group by, use joined(key, \",\")")
  }

  /// Writes a value that may be the word `now`.
  fileprivate func moment(_ tree: Tree) throws -> Snippet {
    tree.literalText?.lowercased() == "now" ? Snippet("now()", .date) : try operand(tree)
  }

  /// Returns the part of a date and the number that it is compared with, for `strftime('%m', date)`
  /// and `'06'`; nil for other comparisons.
  func datePart(_ left: Tree, _ right: Tree) -> (Tree, Tree)? {
    guard parser.dialect != .code, let (name, arguments) = left.namedCall, arguments.count == 2,
      ["strftime", "dateformat"].contains(Call(name, left.span).plainName),
      let digits = right.literalText, let number = Int(digits), digits.allSatisfy(\.isNumber),
      let (format, date) = ForeignFunction.format(arguments.map(\.value)),
      format.count == 2, format.first == "%",
      let part = format.last.flatMap({ ForeignFunction.dateParts[$0] }),
      digits.utf8.count == (part == "year" ? 4 : 2)
    else { return nil }
    changes += 1
    let place = SourceSpan(left.span.start, left.span.start)
    let call = Tree.Kind.call(Tree(.name(part), place), [Argument(value: date)])
    let end = SourceSpan(right.span.start, right.span.start)
    return (Tree(call, place), Tree(.number(String(number)), end))
  }
}

/// Reads the patterns of dates of other programs.
enum DateLetters {
  /// Returns a pattern as Kura writes it; nil if a part of it has no counterpart.
  ///
  ///     DateLetters.pattern("YYYY-MM-DD")      // "yyyy-MM-dd"
  ///     DateLetters.pattern("%d.%m.%Y")        // "dd.MM.yyyy"
  static func pattern(_ text: String) -> String? {
    var (rest, result) = (text[...], "")
    let letters = text.contains("%") ? afterPercent : alone
    while let first = rest.first {
      if first.isLetter || first == "%" {
        guard let (theirs, ours) = letters.first(where: { rest.hasPrefix($0.0) }) else {
          return nil
        }
        result += ours
        rest = rest.dropFirst(theirs.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static let afterPercent = [
    ("%Y", "yyyy"), ("%y", "yy"), ("%m", "MM"), ("%d", "dd"), ("%H", "HH"), ("%M", "mm"),
    ("%i", "mm"), ("%S", "ss"), ("%s", "ss"), ("%F", "yyyy-MM-dd"), ("%T", "HH:mm:ss"),
  ]

  /// A longer part must precede its prefixes.
  private static let alone = [
    ("YYYY", "yyyy"), ("yyyy", "yyyy"), ("YY", "yy"), ("MM", "MM"), ("DD", "dd"), ("dd", "dd"),
    ("HH24", "HH"), ("HH", "HH"), ("MI", "mm"), ("mm", "mm"), ("SS", "ss"), ("ss", "ss"),
  ]
}
