import KuraDiagnostics
import KuraModel
import KuraSentences

// NSPredicate with a format, #Predicate with a closure.
extension ExpressionWriter {
  /// The condition in `NSPredicate(format: "…", x)` or `#Predicate<Item> { … }`; nil: it is neither.
  func embeddedPredicate(_ tree: ForeignExpression) throws(ForeignProblem) -> Written? {
    if let (receiver, name, arguments) = tree.methodCall, name.hasPrefix("predicateWithFormat"),
      receiver.lastWord == "NSPredicate"
    {
      return try formattedPredicate(arguments, tree)
    }
    guard let (name, arguments) = tree.namedCall else { return nil }
    if name == "NSPredicate", arguments["format"] != nil {
      return try formattedPredicate(arguments, tree)
    }
    if name.hasSuffix("CompoundPredicate") { return try compound(arguments, tree) }
    guard name == "#Predicate" || name == "Predicate" else { return nil }
    for argument in arguments {
      guard case .closure(let names, let body) = argument.value.kind else { continue }
      changes += 1
      let place = scope.root ?? ForeignScope.Place()
      return try inside(scope.binding(names, to: place)) { () throws(ForeignProblem) in
        try predicate(body)
      }
    }
    return nil
  }

  private func formattedPredicate(
    _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    changes += 1
    guard let first = arguments.first, let format = first.value.literalText else {
      throw .unreadable(tree.span)
    }
    let values = arguments.dropFirst().flatMap { argument in
      if case .list(let all) = argument.value.kind, argument.label == "argumentArray" {
        all
      } else {
        [argument.value]
      }
    }
    let text = try formatted(format, values, tree.span)
    return .predicate(text, Self.binding(of: text))
  }

  /// `NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])`
  private func compound(
    _ arguments: [ForeignArgument], _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    guard let first = arguments.first, let label = first.label else { throw .unreadable(tree.span) }
    if label.hasPrefix("not") {
      return .predicate("NOT (\(try predicate(first.value).text))", .not)
    }
    guard case .list(let parts) = first.value.kind else { throw .unreadable(tree.span) }
    let place: KuraPrecedence = label.hasPrefix("and") ? .and : .or
    var texts: [String] = []
    for part in parts { texts.append(try predicate(part).text(in: place)) }
    return .predicate(texts.joined(separator: place == .and ? " AND " : " OR "), place)
  }

  /// How tightly a condition binds whose words are all that is known.
  private static func binding(of text: String) -> KuraPrecedence {
    let words = text.lowercased()
    if words.contains(" or ") || words.contains("||") { return .or }
    return words.contains(" and ") || words.contains("&&") ? .and : .comparison
  }

  /// The format with its arguments in their places.
  func formatted(
    _ format: String, _ arguments: [ForeignExpression], _ span: SourceSpan
  ) throws(ForeignProblem) -> String {
    var rest = arguments[...]
    let text = try formatted(format, &rest, span, fillsTexts: false)
    guard !rest.isEmpty else { return text }
    // `title == '%@'`: the argument that is left over was meant for it.
    rest = arguments[...]
    let filled = try formatted(format, &rest, span, fillsTexts: true)
    return rest.isEmpty ? filled : text
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

  /// A text of the format up to its end, with the arguments in it where they are wanted.
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

  /// A value of a format: what is no literal is a variable of that name.
  private func argument(_ given: ForeignExpression) throws(ForeignProblem) -> String {
    let tree = given.unboxed
    let written = try inside(outsideScope) { () throws(ForeignProblem) in try value(tree) }
    if case .name(let name) = tree.kind, written.text == ModelNames.written(name) {
      throw .noCounterpart(
        NoCounterpart(
          name, sentence: localized("what \(name) is worth is not known here"),
          instead: localized("write it in its place, or let $\(name) = … and $\(name)")),
        tree.span)
    }
    return written.text(in: .sum)
  }

  /// Where arguments are computed: not in an object.
  private var outsideScope: ForeignScope {
    var outside = scope
    outside.root = nil
    return outside
  }
}

extension ForeignExpression {
  /// The value in `NSNumber(value: true)`, which a format needs for what is no object.
  fileprivate var unboxed: ForeignExpression {
    let boxes = ["NSNumber", "NSString", "NSDecimalNumber"]
    guard let (name, arguments) = namedCall, boxes.contains(name), arguments.count == 1 else {
      return self
    }
    return arguments[0].value
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String {
    let front = drop(while: \.isWhitespace)
    return String(front.reversed().drop(while: \.isWhitespace).reversed())
  }
}
