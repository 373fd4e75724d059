import KuraDiagnostics

// Values that begin with a word of SQL.
extension ForeignParser {
  /// `CASE WHEN a THEN b ELSE c END`, `CASE a WHEN 1 THEN b END`
  func caseExpression() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span
    mark(.sql, at: start)
    let subject = token.isWord("when") ? nil : try expression()
    var choices: [(condition: ForeignExpression, value: ForeignExpression)] = []
    while takeWords("when") {
      let condition = try expression()
      try expectWord("then")
      choices.append((equality(subject, condition), try expression()))
    }
    let other = takeWords("else") ? try expression() : nil
    try expectWord("end")
    guard !choices.isEmpty else { throw unreadable }
    return ForeignExpression(.choice(choices, other), span(from: start.start))
  }

  private func equality(
    _ subject: ForeignExpression?, _ condition: ForeignExpression
  ) -> ForeignExpression {
    guard let subject else { return condition }
    return ForeignExpression(
      .infix("==", subject, condition), subject.span.joined(condition.span))
  }

  /// `CAST(x AS INTEGER)`; Kura's own `CAST(x, "NSNumber")` stays.
  func cast() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span.start
    try expect("(")
    let value = try expression()
    if take(",") {
      let type = try expression()
      try expect(")")
      guard let name = type.literalText else { throw unreadable }
      return ForeignExpression(.cast(value, name), span(from: start))
    }
    try expectWord("as")
    let type = try takeName()
    if token.is("(") { skipBrackets() }
    try expect(")")
    mark(.sql, at: span(from: start))
    return ForeignExpression(.cast(value, type), span(from: start))
  }

  /// `EXISTS (SELECT …)`
  func exists() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span.start
    try expect("(")
    var query = try select()
    try expect(")")
    query.result = .exists
    mark(.sql, at: span(from: start))
    return ForeignExpression(.select(query), span(from: start))
  }

  /// `INTERVAL 50 YEAR`, `INTERVAL '50 years'`, `INTERVAL '1' DAY`; nil: it is a name.
  func interval() throws(ForeignProblem) -> ForeignExpression? {
    let next = peek()
    guard next.kind == .number || next.kind == .string || next.is("-") || next.is("(") else {
      return nil
    }
    let start = take().span.start
    mark(.sql, at: SourceSpan(start, start + 8))
    if token.kind == .string, let (count, unit) = Self.countedUnit(token.text) {
      take()
      let number = ForeignExpression(.number(count), SourceSpan(start, start))
      return ForeignExpression(.interval(number, unit), span(from: start))
    }
    var count = try expression(.unary)
    if case .interval = count.kind { return ForeignExpression(count.kind, span(from: start)) }
    if let text = count.literalText {
      count = ForeignExpression(.number(text), SourceSpan(start, start))
    }
    let unit = try takeName()
    return ForeignExpression(.interval(count, unit), span(from: start))
  }

  /// `50 years` as its number and its unit.
  static func countedUnit(_ text: String) -> (count: String, unit: String)? {
    let words = text.split(separator: " ")
    guard words.count == 2, let count = Int(words[0]) else { return nil }
    return (String(count), String(words[1]))
  }
}
