import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// What may be asked, and is true of no object by its types: it keeps its meaning, and is said.
extension Checker {
  func warnIfNever(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    // Who compares literals wants to see what comes of it.
    guard comparison.operation != .notEqual, !left.isLiteral || !right.isLiteral else { return }
    if comparison.modifier == .direct, left.type.isCollection || right.type.isCollection {
      return warnOfCollections(comparison, left, right)
    }
    warnOfPart(comparison, left, right)
    warnOfKinds(comparison, left, right)
  }

  /// `items.title IN {"x"}`, `items.title CONTAINS "x"`, `title == items.title`
  private func warnOfCollections(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    let path = left.written.expressionFormat
    switch comparison.operation {
    case .in where left.type.isCollection && right.holdsSingleValues:
      warn(.manyInList(path), comparison, fix: .any)
    case .contains where left.kind == .text && left.isPath && right.isText:
      warn(.wholeOfMany(path, right.tree.expressionFormat), comparison, fix: .any)
    case .equal where left.type.isCollection && !left.mayBeOne && right.type.isOneValue:
      warn(.manyAreNotOne(path, right.written.expressionFormat), comparison, fix: .any)
    case .equal where right.type.isCollection && !right.mayBeOne && left.type.isOneValue:
      warn(.manyAreNotOne(right.written.expressionFormat, path), comparison, fix: .in)
    case .in, .contains: warnOfKinds(comparison, left, right)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like,
      .beginsWith, .endsWith, .between, .selector, .unsupported:
      return
    }
  }

  /// `title IN "父"`, which asks whether the title is a part of that text
  private func warnOfPart(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    guard comparison.operation == .in, left.isPath, left.kind == .text, right.isText else { return }
    let (path, text) = (left.written.expressionFormat, right.tree.expressionFormat)
    let inside = SourceSpan(right.written.span.start + 1, right.written.span.end - 1)
    let isInBrackets = self.text(right.written).hasPrefix("(")
    warn(.partOfText(path, text), comparison, fix: .contains)
    state.problems[state.problems.count - 1].fixIts +=
      isInBrackets ? [] : [FixIt(comparison.operationSpan, "==")]
    guard isInBrackets, let list = context.source?.text(inside) else { return }
    state.problems[state.problems.count - 1].fixIts.insert(
      FixIt(right.written.span, "{\(list)}"), at: 0)
  }

  /// `title == rank`, `author == SELF`
  private func warnOfKinds(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    guard let one = left.kind, let other = right.kind, !canBeEqual(one, other),
      !left.mayBeDate(beside: right), !right.mayBeDate(beside: left)
    else { return }
    switch comparison.operation {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between:
      break
    case .contains where left.type.isCollection: break
    case .contains, .notEqual, .matches, .like, .beginsWith, .endsWith, .selector, .unsupported:
      return
    }
    warn(
      .neverAlike(
        left.written.expressionFormat, one.name, right.written.expressionFormat, other.name),
      comparison, fix: nil)
  }

  private func canBeEqual(_ one: ValueKind, _ other: ValueKind) -> Bool {
    guard case .object(let one) = one, case .object(let other) = other else {
      return one == other
    }
    return model.isRelated(one, other)
  }

  private enum Fix { case any, `in`, contains }

  private func warn(_ facts: NeverTrueFacts, _ comparison: Comparison, fix: Fix?) {
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

/// What values are, so far that two kinds have no equal values.
private enum ValueKind: Hashable {
  case number, text, date, uuid, uri, binary
  case object(entity: String)

  /// `a number`, `an object of Item`
  var name: String {
    switch self {
    case .number: localized("a number")
    case .text: localized("a text")
    case .date: localized("a date")
    case .uuid: localized("a UUID")
    case .uri: localized("a URI")
    case .binary: localized("binary data")
    case .object(let entity): localized("an object of \(entity)")
    }
  }
}

extension CheckedExpression {
  /// What the value is or, of a collection, its elements; nil where they may be of several kinds.
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

  /// Whether it is a key whose texts may be dates, and the other a date: only the data tells.
  fileprivate func mayBeDate(beside other: CheckedExpression) -> Bool {
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

  /// Whether it is one value where it has one element: a fetch, a variable, or a path from such.
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

  /// Whether it is a list in which nothing is a collection.
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
  /// The value of a literal.
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
