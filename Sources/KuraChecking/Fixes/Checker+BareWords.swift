import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// Words without quotes instead of values
extension Checker {
  /// Adds the possible meanings of an unknown word, given the other side of a comparison.
  ///
  /// `found` is the range of this side's problems in `state.problems`.
  func offerValues(
    _ found: Range<Int>, of side: ExpressionTree, against other: CheckedExpression,
    _ comparison: Comparison
  ) {
    for place in found {
      guard let word = bareWord(in: side, state.problems[place]) else { continue }
      // A comparison of two literals would not depend on the object, and neither would a comparison
      // of a text with a list or word.
      if case .literal = other.type { continue }
      if word.span.end <= comparison.operationSpan.start, other.isNoKey { continue }
      let whole = ComparedText(
        text: word.text, span: word.span, comparison: comparison, other: other)
      offer(fixes(for: whole), of: word.text, at: place)
    }
  }

  /// Adds the possible meanings of an unknown word as a value of a type.
  func offerValues(_ found: Range<Int>, of side: ExpressionTree, as type: AttributeType) {
    for place in found {
      guard let word = bareWord(in: side, state.problems[place]) else { continue }
      let values = type.literals(meantBy: word.text, in: context.evaluation)
      offer(
        (type == .date ? call(word.text, at: word.span) : [])
          + values.map { FixIt(word.span, $0) }, of: word.text, at: place)
    }
  }

  private func offer(_ fixes: [FixIt], of word: String, at place: Int) {
    guard !fixes.isEmpty,
      case .unknownKey(let key, let entity, _, _)? = state.problems[place].facts as? CheckProblem
    else { return }
    state.problems[place].facts = CheckProblem.bareWord(
      key, entity: entity, meant: fixes[0].replacement(in: context.source))
    state.problems[place].fixIts = fixes + state.problems[place].fixIts
  }

  /// Returns the unknown key of a problem, if it is a whole side or an element of a list.
  private func bareWord(
    in side: ExpressionTree, _ problem: Diagnostic
  ) -> (text: String, span: SourceSpan)? {
    guard case .unknownKey(_, _, _, let subentities)? = problem.facts as? CheckProblem,
      subentities.isEmpty, let span = problem.span
    else { return nil }
    let candidates: [ExpressionTree]
    if case .aggregate(let parts) = side.kind { candidates = parts } else { candidates = [side] }
    guard
      let tree = candidates.first(where: { $0.span.start <= span.start && span.end <= $0.span.end }
      ),
      case .keyPath(let path) = tree.kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key })
    else { return nil }
    return (text(tree), tree.span)
  }
}

extension CheckedExpression {
  /// Whether it is a list of literals, or an unknown word.
  fileprivate var isNoKey: Bool {
    switch written.kind {
    case .aggregate(let parts): parts.allSatisfy { $0.isScalarLiteral || $0.isLiteralNull }
    case .keyPath: type == .any
    default: false
    }
  }
}

/// A text, or a word that could be one, on one side of a comparison.
struct ComparedText {
  let text: String
  let span: SourceSpan
  let comparison: Comparison
  let other: CheckedExpression
}

extension Checker {
  /// Returns fixes for a text that can never have the type of the other side.
  func fixes(for compared: ComparedText) -> [FixIt] {
    let null =
      (FreeFormBoolean.isNull(compared.text) || compared.text.isEmpty)
        && compared.comparison.operation.family == .equality
      ? [FixIt(compared.span, "NULL")] : []
    return call(compared.text, at: compared.span) + null + values(for: compared)
  }

  /// Returns `now()` for `now`.
  private func call(_ word: String, at span: SourceSpan) -> [FixIt] {
    let function = PredicateFunction.called(word) ?? PredicateFunction.knownElsewhere(as: word)
    guard let function, function.operands.accept(0), let name = function.names.first else {
      return []
    }
    return [FixIt(span, name + "()")]
  }

  private func values(for compared: ComparedText) -> [FixIt] {
    let (text, span) = (compared.text, compared.span)
    switch compared.other.type.element {
    case .attribute(.date), .date: return dates(for: compared)
    case .attribute(let type):
      return type.literals(meantBy: text, in: context.evaluation).map { FixIt(span, $0) }
    case .number, .objectID:
      return FreeFormNumber.digits(text).map { [FixIt(span, $0)] } ?? []
    case .boolean: return FreeFormBoolean.value(text).map { [FixIt(span, $0 ? "YES" : "NO")] } ?? []
    case .object(let entity): return names(of: entity, for: compared)
    case .collection, .entity, .literal, .string, .any: return [FixIt(span, text.writtenText)]
    }
  }

  /// Returns `parentCategory.name == "家"` or `ANY tags.name == "家"`.
  private func names(of entity: String, for compared: ComparedText) -> [FixIt] {
    let attributes = model.allAttributes(of: entity).filter { $0.type == .string }
    return attributes.prefix(2).map { attribute in
      let end = compared.other.written.span.end
      let key =
        compared.other.written.kind == .evaluatedObject
        ? TextEdit(compared.other.written.span, attribute.name.writtenName)
        : TextEdit(SourceSpan(end, end), ".\(attribute.name.writtenName)")
      return FixIt(
        edits: anyEdits(compared) + [key, TextEdit(compared.span, compared.text.writtenText)])
    }
  }

  /// Inserts `ANY` before a to-many relationship.
  private func anyEdits(_ compared: ComparedText) -> [TextEdit] {
    guard compared.other.type.isCollection, compared.comparison.modifier == .direct,
      compared.isOnRight, compared.comparison.operation != .contains
    else { return [] }
    let start = compared.comparison.left.span.start
    return [TextEdit(SourceSpan(start, start), "ANY ")]
  }
}

extension ComparedText {
  var isOnRight: Bool { span.start >= comparison.operationSpan.end }
}

// Predicates about groups or columns
extension Checker {
  /// Adds to the problems of a `where` that `having` filters groups, and that the name of a column
  /// represents its expression.
  func offerClauses(_ found: Range<Int>, of fetch: FetchTree) {
    guard let predicate = fetch.predicate else { return }
    for place in found {
      let problem = state.problems[place]
      guard let span = problem.span else { continue }
      switch problem.facts as? CheckProblem {
      case .unknownKey(let name, _, _, _)?:
        guard let column = fetch.selection?.first(where: { $0.isNamed && $0.name == name }) else {
          continue
        }
        state.problems[place].fixIts =
          column.expression.containsAggregate
          ? having(fetch, predicate) : [FixIt(span, text(column.expression))]
      case .aggregateOfOne? where !fetch.grouping.isEmpty:
        state.problems[place].fixIts = having(fetch, predicate) + problem.fixIts
      default: continue
      }
    }
  }

  /// Suggests `category ==[c] "x"` for `category [c]== "x"`, in which the letters were read as a key.
  func offerOptions(_ found: Range<Int>, _ comparison: Comparison) {
    guard case .index(let inner, .at(let index)) = comparison.left.kind, comparison.options.isEmpty,
      text(index).lowercased().allSatisfy({ "cdnl".contains($0) }),
      comparison.operationSpan != .none
    else { return }
    let end = comparison.operationSpan.end
    let bracket = comparison.left.span.end - text(index).utf8.count - 2
    let fix = FixIt(edits: [
      TextEdit(SourceSpan(max(inner.span.end, bracket), comparison.left.span.end), ""),
      TextEdit(SourceSpan(end, end), "[\(text(index))]"),
    ])
    for place in found { state.problems[place].fixIts.insert(fix, at: 0) }
  }

  /// Checks for `sort -date`, although minus is for numbers.
  func checkSign(_ key: ExpressionTree) {
    guard case .function(let call) = key.kind, call.builtIn == .subtract,
      call.arguments.count == 2,
      text(key).hasPrefix("-"), !checked(call.arguments[1]).type.mayBeNumber
    else { return }
    let path = text(call.arguments[1])
    note(.sortSign(path), at: key.span, fixIt: FixIt(key.span, "\(path) desc"))
  }

  private func having(_ fetch: FetchTree, _ predicate: PredicateTree) -> [FixIt] {
    guard fetch.having == nil, let word = word(before: predicate.span.start) else { return [] }
    return [FixIt(word, "having")]
  }

  /// Returns the word before an offset, with only blanks in between.
  func word(before place: Int) -> SourceSpan? {
    guard let bytes = context.source?.bytes, place <= bytes.count else { return nil }
    let end = bytes[..<place].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    let start =
      bytes[..<end].lastIndex { $0 <= 0x20 || $0 == UInt8(ascii: "(") }.map { $0 + 1 } ?? 0
    return start < end ? SourceSpan(start, end) : nil
  }

  /// Returns a fix that removes `ANY` before an offset.
  func withoutModifier(before place: Int) -> FixIt? {
    guard let word = word(before: place),
      let text = context.source?.text(word).uppercased(),
      ["ANY", "ALL", "NONE", "SOME"].contains(text)
    else { return nil }
    return FixIt(SourceSpan(word.start, place), text == "NONE" ? "NOT " : "")
  }
}

extension CheckedType {
  fileprivate var mayBeNumber: Bool {
    switch self {
    case .attribute(let type): type.isNumeric || type == .boolean || type == .json
    case .number, .boolean, .literal, .any: true
    case .object, .objectID, .collection, .entity, .string, .date: false
    }
  }
}

// The possible meanings of unknown keys
extension Checker {
  /// Returns the problem of a path's step with fixes from the rest of the path and from the model.
  func offeringKeys(
    _ problem: Diagnostic, _ path: KeyPathTree, at step: Int, of type: CheckedType
  ) -> Diagnostic {
    var problem = problem
    switch problem.facts as? CheckProblem {
    case .unknownKey(let name, let entity, _, _)? where !entity.isEmpty:
      let component = path.components[step]
      guard component.span != .none else { break }
      var fixes = habits(name).map { FixIt(component.span, $0) } + problem.fixIts
      if step == 0, path.base == nil {
        fixes = elementFixes(path) + prefixFixes(path, entity) + fixes + pathFixes(path, entity)
        if path.components.count == 1 { fixes += partFixes(name, of: entity, component.span) }
      }
      problem.fixIts = fixes
    case .unknownKey(let name, _, _, _)? where path.base == nil && step == 0:
      problem.fixIts = wordFixes(name, path)
    case .keyOfAttribute(let name, _, let type)?:
      problem.fixIts = functionFixes(name, of: type, path, step)
    default: break
    }
    return problem
  }

  /// Returns `"x"`, or `$x` if there is such a variable.
  private func wordFixes(_ name: String, _ path: KeyPathTree) -> [FixIt] {
    guard path.components.count == 1, let span = path.components.first?.span, span != .none else {
      return variableFix(name, path.components[0].span)
    }
    // An entity name probably lacks its fetch, and is not a text.
    return variableFix(name, span) + (model[name] == nil ? [FixIt(span, name.writtenText)] : [])
  }

  private func variableFix(_ name: String, _ span: SourceSpan) -> [FixIt] {
    let isKnown =
      context.evaluation.variables[name] != nil || context.types[name] != nil || scope[name] != nil
    return isKnown ? [FixIt(SourceSpan(span.start, span.start), "$")] : []
  }

  /// Returns `year(date)` for `year`, if the entity has a date, or `length(title)` for `length`.
  private func partFixes(_ name: String, of entity: String, _ span: SourceSpan) -> [FixIt] {
    guard let function = PredicateFunction.called(name), function.operands.accept(1),
      let called = function.names.first
    else { return [] }
    // Compared with a text, the probable meaning is the date itself.
    let after = context.source.map { $0.text(SourceSpan(span.end, $0.bytes.count)).prefix(8) }
    if after?.contains(where: { "\"'".contains($0) }) == true { return [] }
    let kind = function.operands.kind(at: 0)
    guard kind == .date || kind == .text else { return [] }
    let wanted: AttributeType = kind == .date ? .date : .string
    let keys = model.allAttributes(of: entity).filter { $0.type == wanted }.map(\.name)
    // Keys that occurred earlier in the text are more likely than the first ones in the model.
    let before = context.source.map { $0.text(SourceSpan(0, span.start)) } ?? ""
    let likely = keys.filter(before.contains) + keys.filter { !before.contains($0) }
    return likely.prefix(2).map { FixIt(span, "\(called)(\($0.writtenName))") }
  }

  /// Returns `objectID` for names that other stores use for the identity of an object.
  private func habits(_ name: String) -> [String] {
    ["id", "_id", "pk", "rowid", "z_pk", "identifier"].contains(name.lowercased())
      ? ["objectID"] : []
  }
}

extension Checker {
  /// Returns `year` for `books.year` of `fetch books`, `title` for `m.title`, or `tags.name` for `Tag.name`.
  private func prefixFixes(_ path: KeyPathTree, _ entity: String) -> [FixIt] {
    let first = path.components[0]
    var fixes: [FixIt] = variableFix(first.name, first.span)
    guard path.components.count > 1 else { return fixes }
    let next = path.components[1]
    // `Book4.pages` means a single book.
    let isNumbered = model.entities.contains {
      first.name.hasPrefix($0.name) && Int(first.name.dropFirst($0.name.count)) != nil
    }
    if isNumbered { return fixes }
    if model.property(named: next.name, of: entity) != nil || next.name == "objectID" {
      fixes.append(FixIt(SourceSpan(first.span.start, next.span.start), ""))
    }
    let named = model.entities.map(\.name).filter { $0.isLoosely(first.name) }
    for relationship in model.allRelationships(of: entity)
    where named.contains(where: { model.isRelated($0, relationship.destination) }) {
      fixes.append(FixIt(first.span, relationship.name.writtenName))
    }
    return named.contains(where: { $0 == entity }) ? fixes : fixes.reversed()
  }

  /// Returns `$i.done` for `done` in a subquery.
  private func elementFixes(_ path: KeyPathTree) -> [FixIt] {
    let first = path.components[0]
    return scope.keys.sorted().compactMap { name in
      guard let entity = scope[name]?.entity, model.property(named: first.name, of: entity) != nil
      else { return nil }
      return FixIt(SourceSpan(first.span.start, first.span.start), "$\(name).")
    }
  }

  /// Returns `parentCategory.name` for `name` and `parentCategory_name`: the key of a related object.
  private func pathFixes(_ path: KeyPathTree, _ entity: String) -> [FixIt] {
    let first = path.components[0]
    let relationships = model.allRelationships(of: entity).filter {
      model.property(named: first.name, of: $0.destination) != nil
    }
    let ordered = relationships.filter { !$0.isToMany } + relationships.filter(\.isToMany)
    let joined = model.allRelationships(of: entity).flatMap { way in
      model.keys(of: way.destination).filter { (way.name + $0).isLoosely(first.name) }
        .map { FixIt(first.span, "\(way.name.writtenName).\($0.writtenName)") }
    }
    return joined
      + ordered.map { relationship in
        FixIt(SourceSpan(first.span.start, first.span.start), relationship.name.writtenName + ".")
      }
  }

  /// Returns `items.@count` for `@count` of an object, and `items.@max.price` for `@max.items.price`.
  func collectionFixes(_ component: KeyComponent, _ path: KeyPathTree, _ type: CheckedType)
    -> [FixIt]
  {
    guard case .object(let entity) = type, path.base == nil, path.components.first == component
    else { return [] }
    let start = SourceSpan(component.span.start, component.span.start)
    if let next = path.components.dropFirst().first,
      case .relationship(let way)? = model.property(named: next.name, of: entity), way.isToMany
    {
      let both = component.span.joined(next.span)
      return [FixIt(both, "\(way.name.writtenName).@\(component.name)")]
    }
    return model.allRelationships(of: entity).filter(\.isToMany).map {
      FixIt(start, $0.name.writtenName + ".")
    }
  }

  /// Returns `year(date)` for `date.year`, or `title.length` for `title.count`.
  private func functionFixes(
    _ name: String, of type: AttributeType, _ path: KeyPathTree, _ step: Int
  ) -> [FixIt] {
    let component = path.components[step]
    guard step > 0, step == path.components.count - 1, component.span != .none else { return [] }
    let start = path.base?.span.start ?? path.components[0].span.start
    let whole = SourceSpan(start, component.span.end)
    let before = SourceSpan(start, path.components[step - 1].span.end)
    if type == .string, ["count", "size", "len"].contains(name.lowercased()) {
      return [FixIt(component.span, "length")]
    }
    guard let text = context.source?.text(before),
      let function = PredicateFunction.called(name) ?? PredicateFunction.knownElsewhere(as: name),
      function.operands.accept(1), let called = function.names.first
    else { return [] }
    return [FixIt(whole, "\(called)(\(text))")]
  }
}

extension AttributeType {
  /// Returns whether a function with this name applies to the type, like `year` to a date.
  func isAsked(by name: String) -> Bool {
    guard self == .date, let function = PredicateFunction.called(name) else { return false }
    return function.operands.kind(at: 0) == .date && function.operands.accept(1)
  }
}

extension String {
  /// Returns whether two names differ only in case, `_` and plural.
  package func isLoosely(_ other: String) -> Bool { plainName == other.plainName }

  private var plainName: String {
    let letters = FreeFormNumber.plain(self).lowercased().filter {
      $0 != "_" && $0 != "-" && $0 != " "
    }
    if letters.hasSuffix("ies"), letters.count > 4 { return letters.dropLast(3) + "y" }
    return letters.hasSuffix("s") && letters.count > 3 ? String(letters.dropLast()) : letters
  }
}

// Fixes for operands that do not fit together
extension Checker {
  /// Returns the problem of a comparison with fixes for the side it concerns.
  func offering(
    _ problem: Diagnostic, _ comparison: Comparison, _ left: CheckedExpression,
    _ right: CheckedExpression
  ) -> Diagnostic {
    guard let facts = problem.facts as? CheckProblem, let span = problem.span else {
      return problem
    }
    var problem = problem
    let isLeft = !comparison.left.parts(at: span).isEmpty
    let (side, other) = isLeft ? (comparison.left, right) : (comparison.right, left)
    problem.fixIts += offers(facts, side, span, comparison, other)
    return problem
  }

  private func offers(
    _ facts: CheckProblem, _ side: ExpressionTree, _ span: SourceSpan, _ comparison: Comparison,
    _ other: CheckedExpression
  ) -> [FixIt] {
    switch facts {
    case .literalMismatch where side.isBoolean && comparison.modifier == .direct:
      // The comparison asks whether there is a date, not which one.
      guard case .constant(let constant) = side.kind, case .boolean(let truth) = constant.value,
        comparison.operation.family == .equality
      else { return [] }
      let isThere = truth == (comparison.operation == .equal)
      let whole = comparison.left.span.joined(comparison.right.span)
      return [FixIt(whole, "\(text(other.written)) \(isThere ? "!=" : "==") NULL")]
    case .unreadable, .literalMismatch, .textAgainstNumber:
      guard let text = side.parts(at: span).first.flatMap(literalText) else { return [] }
      return fixes(for: ComparedText(text: text, span: span, comparison: comparison, other: other))
    case .noObject: return objectOffers(side, span, comparison, other)
    case .operatorNeedsText(_, let type): return textOffers(type, comparison)
    case .modifierNeedsCollection:
      return withoutModifier(before: comparison.left.span.start).map { [$0] } ?? []
    case .collectionNeedsModifier:
      let start = SourceSpan(comparison.left.span.start, comparison.left.span.start)
      return countOffer(comparison.right, comparison.left.span) + [FixIt(start, "ALL ")]
    default: return []
    }
  }

  /// Returns `tags.name == "家族"` or `items.@count > 2`.
  private func objectOffers(
    _ side: ExpressionTree, _ span: SourceSpan, _ comparison: Comparison,
    _ other: CheckedExpression
  ) -> [FixIt] {
    guard let part = side.parts(at: span).first, let text = literalText(part) else { return [] }
    if other.type.isCollection, part.isNumberLiteral {
      return countOffer(part, other.written.span)
    }
    let values = fixes(
      for: ComparedText(text: text, span: span, comparison: comparison, other: other)
    )
    .map(withoutIdleEdits)
    guard case .object(let entity) = other.type, Int(text) ?? 0 > 0 else { return values }
    return [FixIt(span, "\(entity.writtenName)/\(text)")] + values
  }

  /// Returns `year(date) == 2009` for `date LIKE "2009*"`, and `CAST(priority, "NSString") LIKE "2*"` for a number.
  private func textOffers(_ type: AttributeType, _ comparison: Comparison) -> [FixIt] {
    let (left, right) = (comparison.left.span, comparison.right.span)
    let literal = literalText(comparison.right)
    var offers: [FixIt] = []
    if type == .date || type == .boolean, let text = literal?.withoutWildcards {
      let date = CheckedExpression(tree: comparison.left, type: .date)
      offers =
        type == .date
        ? fixes(for: ComparedText(text: text, span: right, comparison: comparison, other: date))
        : type.literals(meantBy: text, in: context.evaluation).map {
          FixIt(left.joined(right), "\(self.text(comparison.left)) == \($0)")
        }
    }
    guard comparison.modifier == .direct, let form = type.textForm(of: text(comparison.left)) else {
      return offers
    }
    var edits = [TextEdit(left, form)]
    // The text of a UUID is in capital letters.
    if type == .uuid, !comparison.options.contains(.caseInsensitive),
      literal == nil || literal != literal?.uppercased()
    {
      edits.append(TextEdit(comparison.operationSpan, "\(comparison.operation.text)[c]"))
    }
    return offers + [FixIt(edits: edits)]
  }

  private func countOffer(_ number: ExpressionTree, _ path: SourceSpan) -> [FixIt] {
    number.isNumberLiteral && !number.isBoolean
      ? [FixIt(SourceSpan(path.end, path.end), ".@count")] : []
  }

  private func withoutIdleEdits(_ fix: FixIt) -> FixIt {
    FixIt(edits: fix.edits.filter { context.source?.text($0.span) != $0.replacement })
  }

  /// Returns the text of a literal; nil for other expressions and for values of variables.
  private func literalText(_ tree: ExpressionTree) -> String? {
    guard case .constant(let constant) = tree.kind else { return nil }
    if case .string(let text) = constant.value { return text }
    return context.source?.text(tree.span)
  }

  /// Returns the problem of a value with fixes for the expected type.
  func offering(_ problem: Diagnostic, as type: AttributeType, written: ExpressionTree)
    -> Diagnostic
  {
    guard let span = problem.span, let text = written.parts(at: span).first.flatMap(literalText)
    else { return problem }
    var problem = problem
    problem.fixIts += type.literals(meantBy: text, in: context.evaluation).map { FixIt(span, $0) }
    return problem
  }
}

extension AttributeType {
  /// Returns an expression with the text of a value: its digits, or its day; nil for a Boolean and for JSON.
  fileprivate func textForm(of value: String) -> String? {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal, .uuid, .uri, .binary:
      "CAST(\(value), \"NSString\")"
    case .date: "format(\(value), \"yyyy-MM-dd\")"
    case .string, .boolean, .json: nil
    }
  }
}

extension ExpressionTree {
  fileprivate var isBoolean: Bool {
    if case .constant(let constant) = kind, case .boolean = constant.value { true } else { false }
  }

  /// Returns the literals at a span: the expression itself, or elements of a list.
  fileprivate func parts(at span: SourceSpan) -> [ExpressionTree] {
    if self.span == span { return [self] }
    guard case .aggregate(let parts) = kind else { return [] }
    return parts.filter { $0.span == span }
  }
}

extension String {
  /// The text without wildcards: `2009` for `2009*` and `2009-%`
  fileprivate var withoutWildcards: String {
    let end = reversed().drop { "*%?_-/＊％ ".contains($0) }
    return String(String(end.reversed()).drop { "*%".contains($0) })
  }
}

extension Array where Element: Hashable {
  /// The distinct elements, in order of appearance.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
