import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Comparisons that are valid, but never true because of their types. They keep their meaning, and get a warning.
extension Checker {
  func warnIfNever(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    // A comparison of literals is probably intended.
    guard comparison.operation != .notEqual, !left.isLiteral || !right.isLiteral else { return }
    if comparison.modifier == .direct, left.type.isCollection || right.type.isCollection {
      return warnOfCollections(comparison, left, right)
    }
    warnOfPart(comparison, left, right)
    warnOfKinds(comparison, left, right)
  }

  /// Warns about `items.title IN {"x"}`, `items.title CONTAINS "x"` or `title == items.title`.
  private func warnOfCollections(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    let path = text(left.written)
    switch comparison.operation {
    case .in where left.type.isCollection && right.holdsSingleValues:
      warn(.manyInList(path), comparison, fix: .any)
    case .contains where left.kind == .text && left.isPath && right.isText:
      warn(.wholeOfMany(path, right.tree.expressionFormat), comparison, fix: .any)
    case .equal where left.type.isCollection && !left.mayBeOne && right.type.isOneValue:
      warn(.manyAreNotOne(path, text(right.written)), comparison, fix: .any)
    case .equal where right.type.isCollection && !right.mayBeOne && left.type.isOneValue:
      warn(.manyAreNotOne(text(right.written), path), comparison, fix: .in)
    case .in, .contains: warnOfKinds(comparison, left, right)
    default: return
    }
  }

  /// Warns about `title IN "父"`, which tests whether the title is part of that text.
  private func warnOfPart(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    guard comparison.operation == .in, left.isPath, left.kind == .text, right.isText else { return }
    let (path, text) = (text(left.written), right.tree.expressionFormat)
    let inside = SourceSpan(right.written.span.start + 1, right.written.span.end - 1)
    let isInBrackets = self.text(right.written).hasPrefix("(")
    warn(.partOfText(path, text), comparison, fix: .contains)
    state.problems[state.problems.count - 1].fixIts +=
      isInBrackets ? [] : [FixIt(comparison.operationSpan, "==")]
    guard isInBrackets, let list = context.source?.text(inside) else { return }
    state.problems[state.problems.count - 1].fixIts.insert(
      FixIt(right.written.span, "{\(list)}"), at: 0)
  }

  /// Warns about `title == rank` or `author == SELF`.
  private func warnOfKinds(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    guard let one = left.kind, let other = right.kind, !canBeEqual(one, other),
      !left.mayBeDate(comparedWith: right), !right.mayBeDate(comparedWith: left),
      comparison.operation.comparesValues, comparison.operation != .notEqual,
      comparison.operation != .contains || left.type.isCollection
    else { return }
    let isOrder = [.order, .range].contains(comparison.operation.family)
    let facts = isOrder ? NeverTrueReason.neverOrdered : NeverTrueReason.neverAlike
    warn(
      facts(text(left.written), one.name, text(right.written), other.name), comparison, fix: nil)
  }

  private func canBeEqual(_ one: ValueKind, _ other: ValueKind) -> Bool {
    guard case .object(let one) = one, case .object(let other) = other else {
      return one == other
    }
    return model.isRelated(one, other)
  }

  private enum Fix { case any, `in`, contains }

  private func warn(_ facts: NeverTrueReason, _ comparison: Comparison, fix: Fix?) {
    let start = comparison.left.span.start
    let fixIt: FixIt? =
      switch fix {
      case .any: FixIt(SourceSpan(start, start), "ANY ")
      case .in: FixIt(comparison.operationSpan, "IN")
      case .contains: FixIt(comparison.operationSpan, "CONTAINS")
      case nil: nil
      }
    let whole = comparison.left.span.joined(comparison.right.span)
    state.problems.append(
      Diagnostic(facts, at: whole, fixIt: fixIt, severity: .warning))
  }
}

/// The kind of a value. Values of different kinds are never equal.
private enum ValueKind: Hashable {
  case number, text, date, uuid, uri, binary
  case object(entity: String)

  /// The kind in a sentence: `a number`, `an object of Item`.
  var name: String {
    switch self {
    case .number: localized("a number")
    case .text: localized("a string")
    case .date: localized("a date")
    case .uuid: localized("a UUID")
    case .uri: localized("a URI")
    case .binary: localized("binary data")
    case .object(let entity): localized("an object of \(entity)")
    }
  }
}

extension CheckedExpression {
  /// The kind of the value or of a collection's elements; nil if it can vary.
  fileprivate var kind: ValueKind? {
    if case .aggregate(let parts) = tree.kind {
      let first = parts.first?.literal?.kindOfValue
      return parts.allSatisfy { $0.literal?.kindOfValue == first } ? first : nil
    }
    if case .constant(let constant) = tree.kind, let kind = constant.value.kindOfValue {
      return kind
    }
    return type.kindOfValues
  }

  fileprivate var isText: Bool {
    guard case .constant(let constant) = tree.kind, case .string = constant.value else {
      return false
    }
    return true
  }

  /// Returns whether it is a text key and the other side is a date, so that only the data
  /// determines whether the texts are dates.
  fileprivate func mayBeDate(comparedWith other: CheckedExpression) -> Bool {
    guard kind == .text, other.kind == .date, case .keyPath(let path) = tree.kind,
      path.base == nil, path.components.count == 1
    else { return false }
    switch other.tree.kind {
    case .constant, .function: return true
    default: return false
    }
  }

  fileprivate var isLiteral: Bool {
    switch tree.kind {
    case .constant, .aggregate: true
    default: false
    }
  }

  fileprivate var isPath: Bool { if case .keyPath = tree.kind { true } else { false } }

  /// Whether a collection counts as a single value if it has one element: a fetch, a variable, or a path from one.
  fileprivate var mayBeOne: Bool {
    switch written.kind {
    case .fetch, .variable: return true
    case .keyPath(let path):
      switch path.base?.kind {
      case .fetch, .variable: return true
      default: return false
      }
    default: return false
    }
  }

  /// Whether it is a list without nested collections.
  fileprivate var holdsSingleValues: Bool {
    switch tree.kind {
    case .aggregate(let parts):
      parts.allSatisfy { $0.literal.map { $0.elements == nil && !$0.isNull } ?? false }
    case .constant(let constant):
      constant.value.elements?.allSatisfy { $0.elements == nil && !$0.isNull } ?? false
    default:
      if case .collection(let element) = type { element.isOneValue } else { false }
    }
  }
}

extension ExpressionTree {
  fileprivate var literal: Value? {
    if case .constant(let constant) = kind { constant.value } else { nil }
  }
}

extension Value {
  fileprivate var kindOfValue: ValueKind? {
    switch self {
    case .boolean, .integer, .double, .decimal: .number
    case .string: .text
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .object(let object): (object.id?.entity).map { .object(entity: $0) }
    case .null, .list, .set, .dictionary: nil
    }
  }
}

extension CheckedType {
  fileprivate var kindOfValues: ValueKind? {
    switch self {
    case .attribute(let type): type.kindOfValues
    case .object(let entity): .object(entity: entity)
    case .collection(let element): element.kindOfValues
    case .number, .boolean: .number
    case .string: .text
    case .date: .date
    case .objectID, .entity, .literal, .any: nil
    }
  }
}

extension AttributeType {
  fileprivate var kindOfValues: ValueKind? {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal, .boolean: .number
    case .string: .text
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .json: nil
    }
  }
}

// Numbers, Booleans and dates
extension Checker {
  /// Reports `1950-01-01`, which is 1948 and not a date.
  func checkArithmetic(_ side: CheckedExpression, against other: CheckedExpression)
    throws(Diagnostic)
  {
    guard case .function = side.tree.kind, side.tree.isComputedFromNumbers,
      let type = other.type.literalType, !type.isNumeric, type != .boolean, type != .json
    else { return }
    let text = context.source?.text(side.tree.span) ?? side.tree.expressionFormat
    let date = BindText.date(text) ?? (FreeFormPeriod(text)?.start).map { _ in text }
    var problem = Diagnostic(
      .arithmetic(path: other.written.expressionFormat, type: type, found: text, date: date),
      at: side.tree.span, fixIt: date.map { FixIt(side.tree.span, "\"\($0)\"") })
    let readings = DateMeaning.texts(
      of: text, in: context.evaluation.zone, now: context.evaluation.now)
    if date != nil, readings.count > 1 {
      problem.fixIts = readings.map { FixIt(side.tree.span, "\"\($0)\"") }
    }
    throw problem
  }

  /// Checks a Boolean, which can also be 0 or 1.
  func checkBoolean(
    _ side: CheckedExpression, _ constant: Constant, _ other: CheckedExpression,
    _ comparison: Comparison
  ) throws(Diagnostic) {
    guard other.type.literalType == .boolean, comparison.operation.asksForEquality,
      let number = constant.value.approximateNumber, number != 0, number != 1
    else { return }
    throw Diagnostic(
      .literalMismatch(
        key: other.written.expressionFormat, type: .boolean, found: side.tree.expressionFormat),
      at: side.tree.span)
  }

  /// Converts a variable's text if the other side is a number or Boolean; a literal text is an error.
  func number(
    _ side: CheckedExpression, _ constant: Constant, _ other: CheckedExpression
  ) throws(Diagnostic) -> ExpressionTree {
    guard case .string(let text) = constant.value else { return side.tree }
    guard case .variable(let name) = side.written.kind else {
      guard other.type.isComputedNumber else { return side.tree }
      throw Diagnostic(
        .textAgainstNumber(path: other.written.expressionFormat, text: text), at: side.tree.span)
    }
    let isComputed = other.type.isComputedNumber || other.tree.isNumberLiteral
    guard let type = isComputed ? .double : other.type.literalType else { return side.tree }
    let read = try self.constant(constant, of: name, as: type, side.tree.span)
    return side.tree.with(.constant(read))
  }

  /// Converts the text in a variable to a number or Boolean, as for `--arg n 3`.
  func constant(
    _ constant: Constant, of variable: String, as type: AttributeType, _ span: SourceSpan
  ) throws(Diagnostic) -> Constant {
    guard case .string(let text) = constant.value else { return constant }
    if type == .boolean,
      let value = try? type.value(ofText: text, in: context.evaluation.zone)
    {
      return Constant(value)
    }
    guard type.isNumeric else { return constant }
    guard let number = NumberText.number(text) else {
      throw Diagnostic(.notANumber(variable: variable, text: text), at: span)
    }
    return Constant(number, digits: text)
  }
}

extension CheckedType {
  /// Whether it is a computed number: `year(date)`, `items.@count`
  fileprivate var isComputedNumber: Bool { if case .number = self { true } else { false } }
}

/// Interpretations of typed texts, for messages.
private enum BindText {
  /// Returns `1950-01-01` for `1950/1/1`; nil for text that does not resemble a date.
  static func date(_ text: String) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    guard parts.count == 3, parts[0].count == 4, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }),
      parts[1...].allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    let padded = parts.map { $0.count == 1 ? "0" + $0 : String($0) }
    return padded.joined(separator: "-")
  }
}

// Collections compared with a single value, and to-many relationships compared with lists
extension Checker {
  /// Replaces a fetch or variable that is compared with a single value by its only element, and the
  /// operand of an unordered to-many relationship by a set.
  func oneValues(
    _ left: inout CheckedExpression, _ right: inout CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) {
    if comparison.operation.wantsOneAtRight, left.type.isSingle(under: comparison.modifier) {
      right = try one(right)
    }
    if comparison.operation.wantsOneAtLeft, comparison.modifier == .direct,
      right.type.isSingle(under: .direct)
    {
      left = try one(left)
    }
    // A value of JSON can also be a list. A fetch with one element probably means the element.
    if comparison.operation.wantsOneAtRight, left.type.isOfJSON, right.isFetchOfOne {
      right = try one(right)
    }
    if comparison.operation.wantsOneAtLeft, right.type.isOfJSON, left.isFetchOfOne {
      left = try one(left)
    }
    guard comparison.modifier == .direct else { return }
    if right.isList, isUnorderedRelationship(left.tree) { right.makeSet() }
    if left.isList, isUnorderedRelationship(right.tree) { left.makeSet() }
  }

  /// Returns the only element of a fetch or variable; other expressions are unchanged.
  func one(_ checked: CheckedExpression) throws(Diagnostic) -> CheckedExpression {
    guard let found = try found(checked) else { return checked }
    let written = found.written
    guard case .constant(let constant) = found.tree.kind, case .list(let elements) = constant.value
    else { return found }
    guard elements.count == 1 else {
      let text = context.source?.text(written.span) ?? written.expressionFormat
      throw Diagnostic(.notOne(text, count: elements.count), at: written.span)
    }
    return CheckedExpression(
      tree: found.tree.with(.constant(Constant(elements[0]))), type: found.type.element,
      written: written)
  }

  /// Returns the value of a fetch or variable, or of a path from one; nil for others.
  private func found(_ checked: CheckedExpression) throws(Diagnostic) -> CheckedExpression? {
    if isElement(checked.written) { return nil }
    switch checked.written.kind {
    case .fetch, .variable: return checked
    case .keyPath(let path):
      guard case .keyPath(let found) = checked.tree.kind, case .constant? = found.base?.kind
      else { return nil }
      switch path.base?.kind {
      case .fetch, .variable: break
      default: return nil
      }
      let value = try checked.tree.evaluate(on: .null, in: context.evaluation)
      let tree = checked.tree.with(.constant(Constant(value)))
      return CheckedExpression(tree: tree, type: checked.type, written: checked.written)
    default: return nil
    }
  }

  func isUnorderedRelationship(_ tree: ExpressionTree) -> Bool {
    guard case .keyPath(let path) = tree.kind, path.base == nil, let entity else { return false }
    let properties = model.properties(along: path.components, of: entity)
    guard properties.count == path.components.count,
      let last = properties.last?.relationship, last.isToMany
    else { return false }
    return !last.isOrdered && properties.count { $0.relationship?.isToMany == true } == 1
  }
}

extension CheckedExpression {
  /// Whether it is a fetch with one element, or a path from one.
  fileprivate var isFetchOfOne: Bool {
    let isFetch =
      switch written.kind {
      case .fetch: true
      case .keyPath(let path): if case .fetch? = path.base?.kind { true } else { false }
      default: false
      }
    guard isFetch, case .constant(let constant) = tree.kind else { return false }
    return constant.value.elements?.count == 1
  }

  fileprivate var isList: Bool {
    guard case .constant(let constant) = tree.kind, case .list = constant.value else {
      return false
    }
    return true
  }

  fileprivate mutating func makeSet() {
    guard case .constant(let constant) = tree.kind, case .list(let elements) = constant.value
    else { return }
    tree.kind = .constant(Constant(.set(ValueSet(elements))))
  }
}

extension CheckedType {
  /// Whether it can be a value of JSON, whose kind is known only at evaluation.
  fileprivate var isOfJSON: Bool { self == .any || self == .attribute(.json) }

  /// Returns whether it is known to be a single value or, under ANY and ALL, a collection of such.
  fileprivate func isSingle(under modifier: ComparisonModifier) -> Bool {
    (modifier == .direct ? self : element).isOneValue
  }
}
