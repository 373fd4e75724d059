import KuraDiagnostics
import KuraModel
import KuraSentences

// Functions of texts, by their names in small letters without `_`.
extension ExpressionWriter {
  static let textFunctions: [String: ForeignFunction] = [
    "upper": renamed("uppercase", .text), "ucase": renamed("uppercase", .text),
    "uppercased": renamed("uppercase", .text), "touppercase": renamed("uppercase", .text),
    "toupper": renamed("uppercase", .text), "uppercasestring": renamed("uppercase", .text),
    "asciiupcase": renamed("uppercase", .text), "localizeduppercase": renamed("uppercase", .text),
    "lower": renamed("lowercase", .text), "lcase": renamed("lowercase", .text),
    "lowercased": renamed("lowercase", .text), "tolowercase": renamed("lowercase", .text),
    "tolower": renamed("lowercase", .text), "lowercasestring": renamed("lowercase", .text),
    "casefold": renamed("lowercase", .text), "asciidowncase": renamed("lowercase", .text),
    "trim": trim, "strip": trim, "trimmingcharacters": trim, "btrim": trim,
    "stringbytrimmingcharactersinset": trim,
    "length": length, "len": length, "charlength": length, "characterlength": length,
    "size": length, "count": length, "lengthofbytes": length,
    "isempty": isEmpty, "string.isnullorempty": isNothing, "string.isnullorwhitespace": isNothing,
    "concat": renamed("concat", .text, takes: 1...64),
    "substr": substring, "substring": substring, "mid": substring, "slice": slice,
    "left": left, "prefix": left, "right": right, "suffix": right,
    "hasprefix": operation("BEGINSWITH"), "startswith": operation("BEGINSWITH"),
    "starts": operation("BEGINSWITH"), "hassuffix": operation("ENDSWITH"),
    "endswith": operation("ENDSWITH"),
    "contains": operation("CONTAINS"), "includes": operation("CONTAINS"),
    "include": operation("CONTAINS"), "containsstring": operation("CONTAINS"),
    "containsobject": operation("CONTAINS"), "localizedstandardcontains": operation("CONTAINS[cd]"),
    "localizedstandardcontainsstring": operation("CONTAINS[cd]"),
    "localizedcaseinsensitivecontains": operation("CONTAINS[c]"),
    "localizedcaseinsensitivecontainsstring": operation("CONTAINS[c]"),
    "has": operation("CONTAINS"),
    "isequal": operation("=="), "isequaltostring": operation("=="), "equals": operation("=="),
    "eq": operation("=="), "ne": operation("!="), "gt": operation(">"), "gte": operation(">="),
    "ge": operation(">="), "lt": operation("<"), "lte": operation("<="), "le": operation("<="),
    "isin": operation("IN"),
    "caseinsensitivecompare": comparesWithoutCase,
    "localizedcaseinsensitivecompare": comparesWithoutCase,
    "test": matches, "match": matches, "search": matches, "re.search": matches,
    "re.match": matchesStart, "re.fullmatch": fullMatch, "regexplike": matches,
    "regex.ismatch": matches, "matches": fullMatch, "ismatch": matches, "regexpmatches": matches,
    "instr": position(needle: 1, base: 1), "locate": position(needle: 0, base: 1),
    "charindex": position(needle: 0, base: 1), "strpos": position(needle: 1, base: 1),
    "indexof": position(needle: 1, base: 0), "find": position(needle: 1, base: 0),
    "index": position(needle: 1, base: 0), "position": positionIn,
    "range": position(needle: 1, base: 0), "rangeofstring": position(needle: 1, base: 0),
    "replace": missing("nothing replaces a part of a text here"),
    "reverse": missing("nothing turns a text round here"),
    "groupconcat": missing("group by gives numbers of a group, and no texts"),
    "stringagg": missing("group by gives numbers of a group, and no texts"),
  ]

  private static let trim: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let last = call.arguments.first { $0.label == nil }?.value ?? call.values[0]
    return Written("trim(\(try writer.value(last).text))", .text)
  }

  private static let length: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call, 0)
    if call.values.count > 1 {
      throw writer.missing(localized("\(call.name)(…) with a condition"), at: call.span)
    }
    if written.isMany { return Written("\(written.text).@count", .number) }
    return Written("length(\(written.text))", .number)
  }

  private static let isEmpty: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call, 0)
    return written.isMany
      ? writer.truth(written, isTrue: false) : .comparison(written.text(in: .sum), "==", "\"\"")
  }

  private static let isNothing: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let text = try writer.value(call, 0).text(in: .sum)
    return .predicate("\(text) == NULL OR \(text) == \"\"", .or)
  }

  /// From 1 in SQL, where a count follows; from 0 elsewhere, where an end may follow.
  private static let substring: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard writer.parser.dialect == .sql else { return try slice(writer, call) }
    let text = try writer.value(call, 0).text
    let from = try writer.zeroBased(call, 1)
    let count = call.values.count > 2 ? try writer.value(call, 2).text : "length(\(text))"
    return Written("substring(\(text), \(from), \(count))", .text)
  }

  private func zeroBased(_ call: ForeignCall, _ index: Int) throws(ForeignProblem) -> String {
    if index < call.values.count, let start = call.values[index].literalInteger, start > 0 {
      return String(start - 1)
    }
    return try value(call, index).text(in: .sum) + " - 1"
  }

  private static let slice: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard call.values.count > 1 else { throw .unreadable(call.span) }
    let isSubstr = plainName(call.name) == "substr"
    let end = call.values.count > 2 ? call.values[2] : nil
    if isSubstr || writer.parser.dialect == .kura && plainName(call.name) == "substring" {
      return Written("substring(\(try writer.texts(call.values)))", .text)
    }
    let tree = ForeignExpression(.slice(call.values[0], call.values[1], end), call.span)
    return try writer.slice(call.values[0], call.values[1], end, tree)
  }

  private static let left: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let (text, count) = (try writer.value(call, 0).text, try writer.value(call, 1).text)
    return Written("substring(\(text), 0, \(count))", .text)
  }

  private static let right: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let (text, count) = (try writer.value(call, 0).text, try writer.value(call, 1))
    return Written(
      "substring(\(text), length(\(text)) - \(count.text(in: .product)), \(count.text))", .text)
  }

  /// `a.caseInsensitiveCompare(b) == .orderedSame`
  private static let comparesWithoutCase: ForeignFunction = {
    (writer, call) throws(ForeignProblem) in
    let (first, second) = (try writer.value(call, 0), try writer.value(call, 1))
    return writer.quantified(first, "==[c]", second)
  }
}

// Regular expressions, and where a text lies in another
extension ExpressionWriter {
  /// `/a/.test(title)`, `title.match(/a/)`, `re.search("a", title)`
  private static let matches: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let (pattern, subject) = try writer.patternAndSubject(call)
    return writer.search(try writer.value(subject), try writer.value(pattern), pattern)
  }

  private static let matchesStart: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    var (pattern, subject) = try writer.patternAndSubject(call)
    if let text = pattern.literalText { pattern.kind = .string("^" + text, mayBeName: false) }
    return writer.search(try writer.value(subject), try writer.value(pattern), pattern)
  }

  private static let fullMatch: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let (pattern, subject) = try writer.patternAndSubject(call)
    return writer.quantified(try writer.value(subject), "MATCHES", try writer.value(pattern))
  }

  private func patternAndSubject(
    _ call: ForeignCall
  ) throws(ForeignProblem) -> (pattern: ForeignExpression, subject: ForeignExpression) {
    let values = call.values
    if values.count == 1, parser.dialect == .jq {
      return (values[0], ForeignExpression(.root, values[0].span))
    }
    guard values.count >= 2 else { throw .unreadable(call.span) }
    if case .pattern = values[0].kind { return (values[0], values[1]) }
    let isFunction = call.name.lowercased().hasPrefix("re.")
    return isFunction ? (values[0], values[1]) : (values[1], values[0])
  }

  private static func position(needle: Int, base: Int) -> ForeignFunction {
    { (writer, call) throws(ForeignProblem) in
      let whole = try writer.value(call, 1 - needle)
      let part = try writer.value(call, needle)
      return place(of: part, in: whole, from: base)
    }
  }

  private static func place(of part: Written, in whole: Written, from base: Int) -> Written {
    let (text, needle) = (whole.text(in: .sum), part.text(in: .sum))
    return Written(
      "\(text) CONTAINS \(needle)",
      .place(
        start: "\(text) BEGINSWITH \(needle)", anywhere: "\(text) CONTAINS \(needle)", from: base))
  }

  /// `POSITION('x' IN title)`
  private static let positionIn: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard let first = call.values.first, case .infix("IN", let part, let whole) = first.kind else {
      throw .unreadable(call.span)
    }
    return place(of: try writer.value(part), in: try writer.value(whole), from: 1)
  }
}
