import KuraDiagnostics
import KuraSentences

// Functions of numbers and of any value.
extension ExpressionWriter {
  static let numberFunctions: [String: ForeignFunction] = [
    "ceil": renamed("ceiling", .number), "math.ceil": renamed("ceiling", .number),
    "math.floor": renamed("floor", .number), "math.abs": renamed("abs", .number),
    "math.round": renamed("round", .number), "math.sqrt": renamed("sqrt", .number),
    "math.trunc": renamed("trunc", .number), "magnitude": renamed("abs", .number),
    "fabs": renamed("abs", .number), "truncate": renamed("trunc", .number),
    "rounded": renamed("round", .number), "round": round,
    "power": power, "pow": power, "math.pow": power, "mod": modulus,
    "int": number, "integer": number, "float": number, "double": number, "number": number,
    "tonumber": number, "parseint": number, "parsefloat": number, "number.parseint": number,
    "string": text, "str": text, "tostring": text, "tochar": text,
    "avg": renamed("avg", .number), "mean": renamed("average", .number),
    "random": constant("random()", .number), "rand": constant("random()", .number),
    "math.random": constant("random()", .number),
  ]

  private static let round: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    if call.values.count > 1, call.values[1].literalInteger != 0 {
      throw writer.missing(
        localized("round to decimals"), localized("format(x, \"0.00\") shows so many"),
        at: call.span)
    }
    return Written("round(\(try writer.value(call, 0).text))", .number)
  }

  private static let power: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let (base, exponent) = (try writer.value(call, 0), try writer.value(call, 1))
    return Written(
      "\(base.text(in: .power)) ** \(exponent.text(in: .unary))", .number, binding: .power)
  }

  private static let modulus: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    Written("modulus:by:(\(try writer.texts(call.values)))", .number)
  }

  private static let number: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call, 0)
    if written.type == .number { return written }
    return Written("CAST(\(written.text), \"NSNumber\")", .number)
  }

  private static let text: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let written = try writer.value(call, 0)
    if written.type == .text { return written }
    if written.type == .date, call.values.count == 2 {
      return try writer.formatted(call, written)
    }
    return Written("CAST(\(written.text), \"NSString\")", .text)
  }

  static let valueFunctions: [String: ForeignFunction] = [
    "coalesce": coalesced,
    "ifnull": coalesced, "nvl": coalesced, "isnull": isNull, "isna": isNull,
    "notnull": isNotNull, "isnotnull": isNotNull, "hasvalue": isNotNull,
    "nullif": nullIf, "if": ternary, "iif": ternary, "decode": missing("TERNARY(condition, a, b)"),
    "not": negated, "bool": negatedTwice, "boolean": negatedTwice, "any": first, "exists": exists,
    "nspredicate": predicateText,
    "greatest": renamed("max", .unknown, takes: 2...64),
    "least": renamed("min", .unknown, takes: 2...64),
    "newid": constant("uuid()", .text), "genrandomuuid": constant("uuid()", .text),
    "rownumber": missing("offset and limit take a part of the rows"),
  ]

  /// What stands in the place of nothing is something.
  private static let coalesced: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let start = writer.nullable.count
    let first = try writer.value(call, 0)
    let written = Written("coalesce(\(try writer.texts(call.values)))", first.type)
    writer.nullable.removeLast(writer.nullable.count - start)
    return written
  }

  private static let isNull: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    if call.values.count == 2 {
      return Written("coalesce(\(try writer.texts(call.values)))")
    }
    return .comparison(try writer.value(call, 0).text(in: .sum), "==", "NULL")
  }

  private static let isNotNull: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    .comparison(try writer.value(call, 0).text(in: .sum), "!=", "NULL")
  }

  private static let nullIf: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    let (first, second) = (try writer.value(call, 0), try writer.value(call, 1))
    return Written("TERNARY(\(first.text) == \(second.text), NULL, \(first.text))", first.type)
  }

  private static let ternary: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard call.values.count == 3 else { throw .unreadable(call.span) }
    let condition = try writer.predicate(call.values[0])
    let (yes, no) = (try writer.value(call, 1), try writer.value(call, 2))
    return Written("TERNARY(\(condition.text), \(yes.text), \(no.text))", yes.type)
  }

  /// `not` of jq, behind a pipe; `not(x)`
  private static let negated: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard let first = call.values.first else { throw .unreadable(call.span) }
    return try writer.negation(of: first)
  }

  private static let negatedTwice: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard let first = call.values.first else { throw .unreadable(call.span) }
    return try writer.predicate(first)
  }

  private static let first: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard let first = call.values.first else { throw .unreadable(call.span) }
    return try writer.predicate(first)
  }

  /// `exists(x)`: whether there is a value.
  private static let exists: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    writer.truth(try writer.value(call, 0), isTrue: true)
  }

  /// `NSPredicate(value: true)`
  private static let predicateText: ForeignFunction = { (writer, call) throws(ForeignProblem) in
    guard let value = call.arguments["value"], case .boolean(let isTrue) = value.kind else {
      throw .unreadable(call.span)
    }
    return .predicate(isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE", .unary)
  }
}
