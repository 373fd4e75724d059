import KuraDiagnostics
import KuraModel
import KuraSentences

// NSPredicate with a format, NSCompoundPredicate, #Predicate with a closure
extension ExpressionWriter {
  /// The condition in `NSPredicate(format: "…", x)` or `#Predicate<Item> { … }`; nil if it is neither.
  func embeddedPredicate(_ tree: ForeignExpression) throws(ForeignProblem) -> Written? {
    guard !isSQL else { return nil }
    if let (receiver, name, arguments) = tree.methodCall, receiver.lastWord == "NSPredicate" {
      guard name == "predicateWithFormat:" else { throw missing(name, at: tree.span) }
      return try formattedPredicate(arguments, tree)
    }
    guard let (name, arguments) = tree.namedCall else { return nil }
    switch name {
    case "NSPredicate" where arguments.first?.label == "format":
      return try formattedPredicate(arguments, tree)
    case "NSCompoundPredicate": return try compound(arguments, tree)
    case "#Predicate", "Predicate":
      let closures = arguments.filter { $0.label != "<>" }
      guard closures.count == 1, case .closure(let names, let body) = closures[0].value.kind else {
        throw .unreadable(tree.span)
      }
      changes += 1
      let place = scope.root ?? ForeignScope.Place()
      return try inside(scope.binding(names, to: place)) { () throws(ForeignProblem) in
        try predicate(body)
      }
    default: return nil
    }
  }

  private func formattedPredicate(
    _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    changes += 1
    guard let first = arguments.first, let format = first.value.literalText else {
      throw .unreadable(tree.span)
    }
    var values: [ForeignExpression] = []
    for argument in arguments.dropFirst() {
      switch (argument.label, argument.value.kind) {
      case ("argumentArray"?, .list(let all)): values += all
      case (nil, _): values.append(argument.value)
      default: throw missing("\(argument.label ?? ""):", at: argument.value.span)
      }
    }
    let text = try formatted(format, values, tree.span)
    return .predicate(text, Self.binding(of: text))
  }

  /// `NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])`
  private func compound(
    _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    var word = arguments.first?.label ?? ""
    if word == "type", arguments.count == 2, arguments[1].label == "subpredicates" {
      word = arguments[0].value.memberName ?? ""
    } else if arguments.count != 1 {
      throw .unreadable(tree.span)
    }
    guard let last = arguments.last?.value else { throw .unreadable(tree.span) }
    var parts = [last]
    if case .list(let all) = last.kind { parts = all }
    if word.hasPrefix("not"), parts.count == 1 { return try negation(of: parts[0]) }
    guard word.hasPrefix("and") || word.hasPrefix("or"), !parts.isEmpty else {
      throw missing("\(word):", at: tree.span)
    }
    let place: KuraPrecedence = word.hasPrefix("and") ? .and : .or
    var texts: [String] = []
    for part in parts { texts.append(try predicate(part).text(in: place)) }
    return .predicate(texts.joined(separator: place == .and ? " AND " : " OR "), place)
  }

  /// How tightly a condition binds, according to its words.
  private static func binding(of text: String) -> KuraPrecedence {
    let words = text.lowercased()
    if words.contains("or") || words.contains("||") { return .or }
    return words.contains("and") || words.contains("&&") ? .and : .not
  }
}

// Formats
extension ExpressionWriter {
  /// The format with its arguments in their places.
  private func formatted(
    _ format: String, _ arguments: [ForeignExpression], _ span: SourceSpan
  ) throws(ForeignProblem) -> String {
    var rest = arguments[...]
    var text = try formatted(format, &rest, span, fillsTexts: false)
    if !rest.isEmpty {
      // `title == '%@'`: the argument that is left over is meant for it.
      rest = arguments[...]
      text = try formatted(format, &rest, span, fillsTexts: true)
    }
    if let odd = rest.first {
      throw missing(localized("an argument without a place in the format"), at: odd.span)
    }
    return text
  }

  private func formatted(
    _ format: String, _ arguments: inout ArraySlice<ForeignExpression>, _ span: SourceSpan,
    fillsTexts: Bool
  ) throws(ForeignProblem) -> String {
    var result = ""
    var characters = Array(format)[...]
    while let character = characters.popFirst() {
      if character == "\"" || character == "'" {
        result += quoted(character, &characters, &arguments, fillsTexts)
      } else if character == "%" {
        result += try specifier(&characters, &arguments, span)
      } else {
        result.append(character)
      }
    }
    return result.trimmed
  }

  /// A text of the format up to its end, with the arguments in it.
  private func quoted(
    _ quote: Character, _ characters: inout ArraySlice<Character>,
    _ arguments: inout ArraySlice<ForeignExpression>, _ fillsTexts: Bool
  ) -> String {
    var result = String(quote)
    while let inside = characters.popFirst() {
      if fillsTexts, inside == "%", let letter = characters.first, "@sdif".contains(letter),
        let text = arguments.first?.literalText
      {
        characters.removeFirst()
        arguments.removeFirst()
        result += StatementText.string(text).dropFirst().dropLast()
        continue
      }
      result.append(inside)
      if inside == quote { break }
      if inside == "\\", let next = characters.popFirst() { result.append(next) }
    }
    return result
  }

  /// `%@`, `%K`, `%ld`
  private func specifier(
    _ characters: inout ArraySlice<Character>, _ arguments: inout ArraySlice<ForeignExpression>,
    _ span: SourceSpan
  ) throws(ForeignProblem) -> String {
    while let first = characters.first, "hlqzjtL".contains(first) { characters.removeFirst() }
    guard let letter = characters.popFirst() else { throw .unreadable(span) }
    if letter == "%" { return "%" }
    guard let argument = arguments.popFirst() else {
      throw .noCounterpart(.placeholder("%\(letter)"), span)
    }
    if letter == "K", let name = argument.literalText { return name }
    return try self.argument(argument)
  }

  /// A value of a format, outside of any object.
  private func argument(_ given: ForeignExpression) throws(ForeignProblem) -> String {
    let tree = given.unboxed
    var outside = scope
    outside.root = nil
    let written = try inside(outside) { () throws(ForeignProblem) in
      if case .keyPath = tree.kind {
        return try inside(scope) { () throws(ForeignProblem) in try value(tree) }
      }
      return try value(tree)
    }
    if case .name(let name) = tree.kind, written.text == ModelNames.written(name) {
      throw .noCounterpart(
        NoCounterpart(
          name, sentence: localized("what \(name) is worth is not known here"),
          instead: localized("write it in its place, or let $\(name) = … and $\(name)")),
        tree.span)
    }
    return written.text(in: .sum)
  }
}

extension ForeignExpression {
  /// The value in `NSNumber(value: true)`.
  fileprivate var unboxed: ForeignExpression {
    let boxes = ["NSNumber", "NSString", "NSDecimalNumber"]
    guard let (name, arguments) = namedCall, boxes.contains(name), arguments.count == 1 else {
      return self
    }
    return arguments[0].value
  }
}
