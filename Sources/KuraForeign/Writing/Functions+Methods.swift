import KuraDiagnostics
import KuraModel
import KuraSentences

// Methods of Swift and Objective-C, and words of others in a statement of Kura, by their names in small
// letters; a method's object is its first argument
extension ExpressionWriter {
  static let methods: [String: ForeignFunction] = swiftMethods.merging(words) { method, _ in method
  }

  private static let swiftMethods: [String: ForeignFunction] = [
    "uppercased": .named("uppercase", .text), "lowercased": .named("lowercase", .text),
    "uppercasestring": .named("uppercase", .text), "lowercasestring": .named("lowercase", .text),
    "localizeduppercase": .named("uppercase", .text),
    "localizedlowercase": .named("lowercase", .text),
    "trimmingcharacters": trimmed, "stringbytrimmingcharactersinset": trimmed,
    "count": length, "length": length, "isempty": isEmpty,
    "prefix": part(isEnd: false), "suffix": part(isEnd: true),
    "hasprefix": .operation("BEGINSWITH"), "hassuffix": .operation("ENDSWITH"),
    "contains": .operation("CONTAINS"), "containsstring": .operation("CONTAINS"),
    "containsobject": .operation("CONTAINS"),
    "localizedstandardcontains": .operation("CONTAINS[cd]"),
    "localizedstandardcontainsstring": .operation("CONTAINS[cd]"),
    "localizedcaseinsensitivecontains": .operation("CONTAINS[c]"),
    "localizedcaseinsensitivecontainsstring": .operation("CONTAINS[c]"),
    "isequal": .operation("=="), "isequaltostring": .operation("=="),
    "caseinsensitivecompare": comparesWithoutCase,
    "localizedcaseinsensitivecompare": comparesWithoutCase,
    "range": range, "rangeofstring": range,
    "abs": .named("abs", .number), "magnitude": .named("abs", .number),
    "sqrt": .named("sqrt", .number), "floor": .named("floor", .number),
    "ceil": .named("ceiling", .number), "round": round, "rounded": .named("round", .number),
    "pow": power, "min": .named("min", .unknown, 2...64), "max": .named("max", .unknown, 2...64),
    "string": text, "int": number, "double": number, "nspredicate": truthPredicate,
    "date": moment, "date.now": .constant("now()", .date), "nsdate.date": .constant("now()", .date),
    "nsdate": moment, "calendar.date": calendarDate,
    "calendar.startofday": .named("startOfDay", .date, labels: ["for"]),
    "calendar.component": component, "addingtimeinterval": adding("second"),
    "datebyaddingtimeinterval": adding("second"),
  ]

  /// Words that other languages have, each for one of Kura's.
  private static let words: [String: ForeignFunction] = [
    "toupper": .named("uppercase", .text), "touppercase": .named("uppercase", .text),
    "tolower": .named("lowercase", .text), "tolowercase": .named("lowercase", .text),
    "upper": .named("uppercase", .text), "lower": .named("lowercase", .text),
    "strip": .named("trim", .text), "len": length, "size": length,
    "startswith": .operation("BEGINSWITH"), "endswith": .operation("ENDSWITH"),
    "includes": .operation("CONTAINS"), "include": .operation("CONTAINS"),
    "equals": .operation("=="), "isin": .operation("IN"), "isna": isNothing,
    "hasvalue": isSomething,
    "notnull": isSomething, "isnotnull": isSomething,
    "year": .named("year", .integer), "month": .named("month", .integer),
    "day": .named("day", .integer), "hour": .named("hour", .integer),
    "minute": .named("minute", .integer), "second": .named("second", .integer),
    "weekday": .named("weekday", .integer), "dayofweek": .named("weekday", .integer),
    "getfullyear": .named("year", .integer), "mean": .named("average", .number),
    "str": text, "tostring": text, "float": number, "number": number,
    "datetime.now": .constant("now()", .date), "date.today": .constant("today()", .date),
    "adddays": adding("day"), "addmonths": adding("month"), "addyears": adding("year"),
    "addhours": adding("hour"), "exists": exists,
    "test": matches, "match": matches, "ismatch": matches, "matches": matches,
    "indexof": range, "find": range, "index": range,
  ]

  /// `.whitespaces` is what Kura trims.
  private static let trimmed = ForeignFunction(counts: 2...2, labels: ["in"]) {
    (writer, call) throws(ForeignProblem) in
    guard let word = call.values[1].memberName, word.hasPrefix("whitespace") else {
      throw writer.missing(call.name, at: call.values[1].span)
    }
    return Written("trim(\(try writer.value(call.values[0]).text))", .text)
  }

  private static let length = ForeignFunction { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call.values[0])
    return Written(
      written.isMany ? "\(written.text).@count" : "length(\(written.text))", .integer)
  }

  private static let isEmpty = ForeignFunction { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call.values[0])
    guard !written.isMany else { return try writer.truth(written, call.values[0]).negated }
    return writer.compared(written, "==", Written("\"\"", .text))
  }

  /// `title.prefix(3)`
  private static func part(isEnd: Bool) -> ForeignFunction {
    ForeignFunction(counts: 2...2) { (writer, call) throws(ForeignProblem) in
      let text = try writer.value(call.values[0]).text
      guard let count = call.values[1].literalInteger, count >= 0 else {
        throw writer.missing(call.name, at: call.values[1].span)
      }
      guard isEnd else { return Written("substring(\(text), 0, \(count))", .text) }
      let part = "substring(\(text), length(\(text)) - \(count), \(count))"
      return Written("TERNARY(length(\(text)) < \(count), \(text), \(part))", .text)
    }
  }

  /// `a.caseInsensitiveCompare(b) == .orderedSame`
  private static let comparesWithoutCase = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let (first, second) = (try writer.value(call.values[0]), try writer.value(call.values[1]))
    return Written(
      "",
      .place(
        start: "\(first.text(in: .sum)) ==[c] \(second.text(in: .sum))", anywhere: "", from: 0))
  }

  /// `title.range(of: "x")`
  private static let range = ForeignFunction(counts: 2...2, labels: ["of"]) {
    (writer, call) throws(ForeignProblem) in
    try writer.place(of: call.values[1], in: call.values[0], from: 0)
  }

  private static let matches = ForeignFunction(counts: 2...2) {
    (writer, call) throws(ForeignProblem) in
    let isWhole = plainName(call.name) == "matches"
    let pattern = try writer.value(call.values[1])
    guard let text = call.values[1].literalText, !isWhole else {
      return writer.compared(try writer.value(call.values[0]), "MATCHES", pattern)
    }
    let whole = Written(StatementText.string(whole(text)), .text)
    return writer.compared(try writer.value(call.values[0]), "MATCHES", whole)
  }

  private static let number = ForeignFunction { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call.values[0])
    if written.type.isNumber, plainName(call.name) != "int" { return written }
    if written.type.isNumber { return Written("trunc(\(written.text))", .integer) }
    return Written("CAST(\(written.text), \"NSNumber\")", .number)
  }

  private static let text = ForeignFunction { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call.values[0])
    if written.type == .text { return written }
    return Written("CAST(\(written.text), \"NSString\")", .text)
  }

  private static let isNothing = ForeignFunction { (writer, call) throws(ForeignProblem) in
    writer.compared(try writer.value(call.values[0]), "==", Written("NULL", .null))
  }

  private static let isSomething = ForeignFunction { (writer, call) throws(ForeignProblem) in
    writer.compared(try writer.value(call.values[0]), "!=", Written("NULL", .null))
  }

  /// `exists(x)`: whether there is a value.
  private static let exists = ForeignFunction { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call.values[0])
    if written.isMany { return try writer.truth(written, call.values[0]) }
    return writer.compared(written, "!=", Written("NULL", .null))
  }

  /// `NSPredicate(value: true)`
  private static let truthPredicate = ForeignFunction(labels: ["value"]) {
    (writer, call) throws(ForeignProblem) in
    guard call.values[0].literalBoolean != nil else { throw .unreadable(call.span) }
    return try writer.predicate(call.values[0])
  }

  /// `Date()`, `Date(timeIntervalSinceNow: -60)`
  private static let moment = ForeignFunction(counts: 0...2, labels: ["timeIntervalSinceNow"]) {
    (writer, call) throws(ForeignProblem) in
    guard let last = call.arguments.last else { return Written("now()", .date) }
    if last.label != nil {
      return Written(
        "dateByAdding(now(), \(try writer.value(last.value).text), \"second\")", .date)
    }
    guard writer.parser.dialect == .kura, call.arguments.count == 1 else {
      throw writer.missing(call.name, at: call.span)
    }
    return Written("date(\(try writer.value(last.value).text))", .date)
  }

  /// `Calendar.current.date(byAdding: .day, value: 7, to: Date())`
  private static let calendarDate = ForeignFunction(
    counts: 3...3, labels: ["byAdding", "value", "to"]
  ) { (writer, call) throws(ForeignProblem) in
    guard let unit = call.values[0].memberName else { throw .unreadable(call.span) }
    let count = try writer.value(call.values[1]).text
    return try writer.moved(call.values[2], by: count, unit, call.values[0].span)
  }

  /// `Calendar.current.component(.year, from: date)`
  private static let component = ForeignFunction(counts: 2...2, labels: ["from"]) {
    (writer, call) throws(ForeignProblem) in
    guard let part = call.values[0].memberName.flatMap(partFunction) else {
      throw writer.missing(call.name, at: call.span)
    }
    return Written("\(part)(\(try writer.value(call.values[1]).text))", .integer)
  }

  private static func adding(_ unit: String) -> ForeignFunction {
    ForeignFunction(counts: 2...2) { (writer, call) throws(ForeignProblem) in
      let count = try writer.value(call.values[1])
      return try writer.moved(call.values[0], by: count.text, unit, call.span)
    }
  }
}

extension ForeignExpression {
  /// `reverse` of `.reverse`
  var memberName: String? {
    if case .member(_, let name) = kind { name } else { nil }
  }
}
