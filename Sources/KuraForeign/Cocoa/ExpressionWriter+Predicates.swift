import KuraDiagnostics
import KuraModel
import KuraSentences

// NSPredicate with a format, NSCompoundPredicate, #Predicate with a closure
extension ExpressionWriter {
  /// The condition in `NSPredicate(format: "…", x)` or `#Predicate<Item> { … }`; nil if it is neither.
  func embeddedPredicate(_ tree: Tree) throws -> Written? {
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
        throw tree.span.unreadable
      }
      changes += 1
      let place = scope.root ?? Place()
      return try inside(scope.binding(names, to: place)) { try predicate(body) }
    default: return nil
    }
  }

  private func formattedPredicate(_ arguments: [Argument], _ tree: Tree) throws -> Written {
    changes += 1
    guard let first = arguments.first, let format = first.value.literalText else {
      throw tree.span.unreadable
    }
    var values: [Tree] = []
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
  private func compound(_ arguments: [Argument], _ tree: Tree) throws -> Written {
    guard arguments.count == 1 else { throw missing(parser.source(tree.span), at: tree.span) }
    let (word, only) = (arguments[0].label ?? "", arguments[0].value)
    if word == "notPredicateWithSubpredicate" { return try negation(of: only) }
    guard ["andPredicateWithSubpredicates", "orPredicateWithSubpredicates"].contains(word),
      case .list(let trees) = only.kind, !trees.isEmpty
    else { throw missing("\(word):", at: tree.span) }
    let place: Precedence = word.hasPrefix("and") ? .and : .or
    let texts = try trees.map { try predicate($0).text(in: place) }
    return .predicate(texts.joined(separator: place == .and ? " AND " : " OR "), place)
  }

  /// How tightly a condition binds, according to its words.
  private static func binding(of text: String) -> Precedence {
    let words = text.lowercased()
    if words.contains("or") || words.contains("||") { return .or }
    return words.contains("and") || words.contains("&&") ? .and : .not
  }
}

// Formats
extension ExpressionWriter {
  /// The format with its arguments in their places.
  private func formatted(
    _ format: String, _ arguments: [Tree], _ span: SourceSpan
  ) throws -> String {
    var (result, rest) = ("", arguments[...])
    var characters = Array(format)[...]
    while let character = characters.popFirst() {
      if character == "%" {
        result += try specifier(&characters, &rest, span)
        continue
      }
      result.append(character)
      guard character == "\"" || character == "'" else { continue }
      // What stands in quotation marks has no arguments.
      while let inside = characters.popFirst() {
        result.append(inside)
        if inside == character { break }
        if inside == "\\", let next = characters.popFirst() { result.append(next) }
      }
    }
    if let odd = rest.first {
      throw missing(localized("an argument without a place in the format"), at: odd.span)
    }
    return result.trimmed
  }

  /// `%@`, `%K`, `%ld`
  private func specifier(
    _ characters: inout ArraySlice<Character>, _ arguments: inout ArraySlice<Tree>,
    _ span: SourceSpan
  ) throws -> String {
    while let first = characters.first, "hlqzjtL".contains(first) { characters.removeFirst() }
    guard let letter = characters.popFirst() else { throw span.unreadable }
    if letter == "%" { return "%" }
    guard let argument = arguments.popFirst() else {
      throw ForeignProblem(.placeholder("%\(letter)"), span)
    }
    if letter == "K", let name = argument.literalText { return name }
    return try self.argument(argument)
  }

  /// A value of a format, outside of any object.
  private func argument(_ given: Tree) throws -> String {
    let tree = given.unboxed
    var outside = scope
    outside.root = nil
    let written = try inside(outside) {
      if case .keyPath = tree.kind { return try inside(scope) { try value(tree) } }
      return try value(tree)
    }
    if case .name(let name) = tree.kind, written.text == ModelNames.written(name) {
      throw ForeignProblem(
        NoCounterpart(
          name, sentence: localized("what \(name) is worth is not known here"),
          instead: localized("write it in its place, or let $\(name) = … and $\(name)")),
        tree.span)
    }
    return written.text(in: .sum)
  }
}

extension Tree {
  /// The value in `NSNumber(value: true)`.
  fileprivate var unboxed: Tree {
    let boxes = ["NSNumber", "NSString", "NSDecimalNumber"]
    guard let (name, arguments) = namedCall, boxes.contains(name), arguments.count == 1 else {
      return self
    }
    return arguments[0].value
  }
}
