package import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension Checker {
  /// Converts a literal, or the literals in a list, to the type of the other side.
  func literal(
    _ literal: CheckedExpression, against other: CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) -> ExpressionTree {
    // LIKE, MATCHES and similar need text on the right for any left side.
    guard let type = other.type.literalType, comparison.operation.comparesValues else {
      return literal.tree
    }
    return try read(literal, as: type, other.tree)
  }

  /// Returns whether an expression is a variable with an element or an object of the surrounding fetch, or a path from
  /// such a variable.
  func isElement(_ written: ExpressionTree) -> Bool {
    switch written.kind {
    case .variable(let name): context.evaluation.elementVariables.contains(name)
    case .keyPath(let path): path.base.map(isElement) ?? false
    case .index(let base, _): isElement(base)
    default: false
    }
  }

  /// Returns the common type of two alternative expressions. A literal is converted to the type of the other.
  func alike(
    _ first: inout CheckedExpression, _ second: inout CheckedExpression
  ) throws(Diagnostic) -> CheckedType {
    if second.tree.isNull || first.tree.isNull {
      return first.tree.isNull ? second.type : first.type
    }
    let trees = alternatives([first, second])
    (first.tree, second.tree) = (trees[0], trees[1])
    if let type = first.type.literalType, case .literal = second.type {
      second.tree = try read(second, as: type, first.tree)
      return first.type
    }
    if let type = second.type.literalType, case .literal = first.type {
      first.tree = try read(first, as: type, second.tree)
      return second.type
    }
    let isLiteral = first.type == .literal && second.type == .literal
    return isLiteral || first.type.isSame(as: second.type) ? first.type : .any
  }

  /// Returns alternative expressions, with literals converted to decimals or doubles if one of the others is one, so
  /// that all alternatives have one type.
  func alternatives(_ parts: [CheckedExpression]) -> [ExpressionTree] {
    let hasDoubles = parts.contains { [.double, .float].contains($0.type.literalType) }
    return zip(parts, besideDecimals(parts)).map { part, tree in
      hasDoubles && part.hasLiterals ? tree.besideDoubles : tree
    }
  }

  /// Returns expressions with literals converted to decimals if one of the others is a decimal.
  func besideDecimals(_ parts: [CheckedExpression]) -> [ExpressionTree] {
    let hasDecimals = parts.contains { $0.type.literalType == .decimal }
    return parts.map { hasDecimals && $0.hasLiterals ? $0.tree.besideDecimals : $0.tree }
  }

  /// Converts the literals of an expression, and texts in variables, to a type.
  func read(
    _ literal: CheckedExpression, as type: AttributeType, _ other: ExpressionTree?
  ) throws(Diagnostic) -> ExpressionTree {
    let tree = literal.tree
    return try tree.descending { () throws(Diagnostic) in
      tree.with(try kind(of: literal, as: type, other))
        .typed(literal.type.read(as: type))
    }
  }

  private func kind(
    of literal: CheckedExpression, as type: AttributeType, _ other: ExpressionTree?
  ) throws(Diagnostic) -> ExpressionTree.Kind {
    if isElement(literal.written) { return literal.tree.kind }
    switch literal.tree.kind {
    case .constant(var constant):
      if case .variable(let name) = literal.written.kind {
        constant = try self.constant(constant, of: name, as: type, literal.tree.span)
      }
      let value = try read(constant, as: type, literal.tree.span, other)
      return .constant(Constant(value, digits: constant.digits))
    default:
      guard literal.tree.choices != nil else {
        return type == .decimal ? literal.tree.besideDecimals.kind : literal.tree.kind
      }
      let choices = try literal.parts.map { part throws(Diagnostic) in
        try read(part, as: type, other)
      }
      return literal.tree.with(choices: choices).kind
    }
  }

  private func read(
    _ constant: Constant, as type: AttributeType, _ span: SourceSpan, _ other: ExpressionTree?
  ) throws(Diagnostic) -> Value {
    if type.has(constant.value) { return constant.value }
    switch (type, constant.value) {
    case (_, .list(let elements)):
      // The result of a nested fetch can be long, and already has the type.
      if elements.allSatisfy(type.has) { return constant.value }
      var values: [Value] = []
      for element in elements {
        values.append(try read(Constant(element), as: type, span, other))
      }
      return .list(values)
    case (_, .string(let text)) where type.readsStrings:
      return try value(text, type, span)
    case (.decimal, .double), (.decimal, .integer):
      guard let digits = constant.digits else { return constant.value }
      do { return try type.value(ofDigits: digits) } catch {
        throw Diagnostic(.unreadable(error), at: span)
      }
    case (_, .boolean), (_, .integer), (_, .double), (_, .decimal):
      guard type.isNumeric || type == .boolean else { throw mismatch(constant, type, span, other) }
      return constant.value
    case (_, .dictionary), (_, .object), (_, .set): return constant.value
    default: throw mismatch(constant, type, span, other)
    }
  }

  private func value(
    _ text: String, _ type: AttributeType, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let (zone, now) = (context.evaluation.zone, context.evaluation.now)
    do {
      let value = try type.value(ofText: text, in: zone, from: .person(now: now))
      if case .date(let moment) = value { warnIfSkipped(text, moment, zone, span) }
      return value
    } catch {
      throw Diagnostic(.unreadable(error), at: span)
    }
  }

  /// Warns about a local time that does not exist in the time zone, and is read as a later one.
  private func warnIfSkipped(
    _ text: String, _ moment: Timestamp, _ zone: ZoneRules, _ span: SourceSpan
  ) {
    guard zone.skips(written: text, now: context.evaluation.now) else { return }
    let facts = SkippedTime(text: text, read: moment.text(.plain, in: zone), zone: zone.identifier)
    state.problems.append(Diagnostic(facts, at: span, severity: .warning))
  }

  /// Returns an expression as written.
  func text(_ tree: ExpressionTree) -> String {
    let written = context.source?.text(tree.span) ?? ""
    let isInPart = context.predicates[String(written.dropFirst())] != nil
    return written.isEmpty || isInPart ? tree.expressionFormat : written
  }

  private func mismatch(
    _ constant: Constant, _ type: AttributeType, _ span: SourceSpan, _ other: ExpressionTree?
  ) -> Diagnostic {
    let literal = ExpressionTree(.constant(constant), span: span)
    // Dates and Booleans are shown as written: dates have no literal, and Booleans are not numbers.
    let isDate = [.date, .boolean].contains(constant.value.kind)
    return Diagnostic(
      .literalMismatch(
        key: other.map(text), type: type, found: isDate ? text(literal) : literal.expressionFormat),
      at: span)
  }

  /// Makes the path read numbers if it is compared with numbers: `objectID == 17`, `objectID > 17`.
  func readNumber(_ tree: ExpressionTree, by path: inout ExpressionTree) {
    guard tree.isNumberLiteral, case .keyPath(var keys) = path.kind, !keys.components.isEmpty
    else { return }
    keys.components[keys.components.count - 1].name = objectNumberKey
    path.kind = .keyPath(keys)
  }
}

extension CheckedExpression {
  /// Whether its value is a literal, or computed from literal numbers.
  var hasLiterals: Bool { type == .literal || tree.isComputedFromNumbers }

  /// The choices of an expression, such as the elements of a list, each as written.
  var parts: [CheckedExpression] {
    let parts = tree.choices ?? []
    let texts = written.choices.flatMap { $0.count == parts.count ? $0 : nil } ?? parts
    return zip(parts, texts).map { CheckedExpression(tree: $0, type: .any, written: $1) }
  }
}

extension ExpressionTree {
  /// Whether it is `nil`.
  fileprivate var isNull: Bool {
    if case .constant(let constant) = kind { constant.value.isNull } else { false }
  }

  /// Whether it is a number or list of numbers: `3`, `{1, 2}`, or an argument
  var isNumberLiteral: Bool {
    switch kind {
    case .constant(let constant):
      constant.value.elements.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
        ?? constant.value.isNumber
    case .aggregate(let parts):
      !parts.isEmpty && descending { parts.allSatisfy(\.isNumberLiteral) }
    default: false
    }
  }
}

extension Value {
  fileprivate var isNumber: Bool { approximateNumber != nil }
}

/// `date == "2026-03-08 02:30"` in New York, where daylight saving time began half an hour earlier
private struct SkippedTime: DiagnosticFacts {
  let text: String
  let read: String
  let zone: String

  var sentence: String {
    localized("clocks in \(zone) skip \"\(text)\", so it is read as \(read)")
  }
  var help: String? {
    localized("add an offset to name an exact time: \"\(text)Z\" is UTC")
  }
}

extension AttributeType {
  /// Returns whether a value can be compared with an attribute of the type without conversion.
  fileprivate func has(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.json, _), (.string, .string), (.uri, .uri), (.date, .date), (.uuid, .uuid),
      (.binary, .binary):
      true
    default: false
    }
  }
}

/// A valid comparison that probably means something else.
package enum LookalikeWarning: DiagnosticFacts, Hashable {
  /// `"category" == "Office"`: a text that is the name of a key
  case quotedKey(String, entity: String)
  /// `tags == NULL` on a to-many relationship
  case collectionIsNeverNull(String, isEmpty: Bool)
  /// `category == "<>Private"`
  case operatorInText(String)
  /// `title == "*Sea*"`
  case wildcardInText(String)
  /// `author == "$name"`, if there is a variable of the name
  case quotedVariable(String)
  /// `percentile(price, 0.9)`
  case share(String, percentage: String)

  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .quotedKey(let key, let entity):
      localized("\"\(key)\" in quotes is a string, not the key of \(entity)")
    case .collectionIsNeverNull(let path, _):
      localized("\"\(path)\" is a collection; it can be empty, but it is never nil")
    case .operatorInText(let sign):
      localized("\(sign) in quotes is part of the string, not an operator")
    case .wildcardInText(let operation):
      localized("* is an ordinary character with \(operation), not a wildcard")
    case .quotedVariable(let name):
      localized("\"\(name)\" in quotes is a string; write the variable without quotes")
    case .share(let share, _):
      localized("a percentile is from 0 to 100; \(share) is less than one percent")
    }
  }

  package var help: String? {
    switch self {
    case .quotedKey(let key, _): localized("write keys without quotes: \(key.writtenName)")
    case .collectionIsNeverNull(let path, let isEmpty):
      localized("write \(path).@count \(isEmpty ? "==" : ">") 0")
    case .operatorInText: localized("write the operator before the quotes")
    case .wildcardInText: localized("use LIKE, in which * matches any characters")
    case .quotedVariable: nil
    case .share(_, let percentage): localized("write \(percentage)")
    }
  }
}

extension Checker {
  /// Warns about `"priority" > 0`, which does not depend on the object, but contains the name of a key.
  func warnOfQuotedKeys(_ comparison: Comparison) {
    let isIdle = { (tree: ExpressionTree) in tree.isScalarLiteral || tree.isLiteralNull }
    guard isIdle(comparison.left), isIdle(comparison.right) else { return }
    if !warnOfQuotedKey(comparison.left) { warnOfQuotedKey(comparison.right) }
  }

  /// Warns about `select "title"` or `sort "title"`.
  @discardableResult
  func warnOfQuotedKey(_ tree: ExpressionTree) -> Bool {
    guard case .constant(let constant) = tree.kind, case .string(let text) = constant.value,
      let entity, model.property(named: text, of: entity) != nil, tree.span != .none,
      context.source?.bytes[safe: tree.span.start].map({ $0 == 34 || $0 == 39 }) ?? false
    else { return false }
    state.problems.append(
      Diagnostic(
        LookalikeWarning.quotedKey(text, entity: entity), at: tree.span,
        fixIt: FixIt(tree.span, text.writtenName), severity: .warning))
    return true
  }

  /// Warns about `tags == NULL` and `tags != NULL`, which have the same result for each object.
  func warnOfNullCollection(_ comparison: Comparison) {
    guard comparison.modifier == .direct, comparison.right.isLiteralNull,
      comparison.operation.family == .equality,
      case .keyPath(let path) = comparison.left.kind, path.base == nil, path.components.count == 1,
      let entity,
      case .relationship(let relationship)? = model.property(
        named: path.components[0].name, of: entity), relationship.isToMany
    else { return }
    let isEmpty = comparison.operation == .equal
    let facts = LookalikeWarning.collectionIsNeverNull(text(comparison.left), isEmpty: isEmpty)
    let whole = comparison.left.span.joined(comparison.right.span)
    let question = "\(text(comparison.left)).@count \(isEmpty ? "==" : ">") 0"
    state.problems.append(
      Diagnostic(facts, at: whole, fixIt: FixIt(whole, question), severity: .warning))
  }
}

extension Checker {
  /// Warns about signs of a spreadsheet or pattern in a text: `category == "<>Private"`, `title == "*Sea*"`.
  func warnOfSignsInText(_ comparison: Comparison) {
    guard comparison.operation.family == .equality,
      case .keyPath = comparison.left.kind,
      case .constant(let constant) = comparison.right.kind, case .string(let text) = constant.value,
      comparison.right.span != .none
    else { return }
    let span = comparison.operationSpan.joined(comparison.right.span)
    if let sign = ["<>", "!=", ">=", "<=", "=="].first(where: text.hasPrefix), text.count > 2 {
      let rest = text.dropFirst(2).drop(while: \.isWhitespace)
      let written = "\(sign == "<>" ? "!=" : sign) \(String(rest).writtenText)"
      return warn(.operatorInText(sign), at: span, fix: FixIt(span, written))
    }
    guard text.count > 1, text.hasPrefix("*") || text.hasSuffix("*") else { return }
    let isNegated = comparison.operation == .notEqual
    let left = comparison.left.span
    let edits =
      (isNegated ? [TextEdit(SourceSpan(left.start, left.start), "NOT ")] : [])
      + [TextEdit(comparison.operationSpan, "LIKE")]
    warn(.wildcardInText(isNegated ? "!=" : "=="), at: span, fix: FixIt(edits: edits))
  }

  /// Warns about `author == "$name"`, a text with the name of a variable.
  func warnOfQuotedVariables(_ comparison: Comparison) {
    for side in [comparison.left, comparison.right] where side.span != .none {
      guard case .constant(let constant) = side.kind, case .string(let text) = constant.value,
        text.hasPrefix("$"), context.evaluation.variables[String(text.dropFirst())] != nil
      else { continue }
      warn(.quotedVariable(text), at: side.span, fix: FixIt(side.span, text))
    }
  }

  /// Warns about `percentile(price, 0.9)`, which other languages write for 90.
  func warnOfShare(in call: FunctionCall) {
    guard call.builtIn == .percentile, let last = call.arguments.last,
      case .constant(let constant) = last.kind, let share = constant.value.approximateNumber,
      share > 0, share < 1
    else { return }
    let percent = (share * 1e8).rounded() / 1e6
    let written = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
    warn(.share(text(last), percentage: written), at: last.span, fix: FixIt(last.span, written))
  }

  private func warn(_ facts: LookalikeWarning, at span: SourceSpan, fix: FixIt) {
    state.problems.append(Diagnostic(facts, at: span, fixIt: fix, severity: .warning))
  }
}

extension Array {
  fileprivate subscript(safe place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}

/// Conversion of a value to the type of the other side. A comparison that can never be true is reported.
extension Checker {
  /// Converts `"Author/1"` to an object and `--arg n 3` to a number, if the other side is one.
  ///
  /// Throws if a side can never have the type of the other.
  func readMeanings(
    _ left: inout CheckedExpression, _ right: inout CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) {
    guard comparison.operation.comparesValues else { return }
    let (first, second) = (left, right)
    if comparison.operation != .contains, first.tree.mayMean {
      left.tree = try meaning(first, against: second, comparison)
    }
    let isRead =
      comparison.operation != .in || second.tree.isList
      || second.tree.isGivenList && first.type.objectEntity != nil
    if isRead, second.tree.mayMean {
      right.tree = try meaning(second, against: first, comparison)
    }
  }

  private func meaning(
    _ side: CheckedExpression, against other: CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) -> ExpressionTree {
    if side.tree.isList {
      return try side.tree.descending { () throws(Diagnostic) in
        let parts = try side.parts.map { part throws(Diagnostic) in
          try meaning(part, against: other, comparison)
        }
        return side.tree.with(.aggregate(parts))
      }
    }
    try checkArithmetic(side, against: other)
    guard case .constant(let constant) = side.tree.kind, !constant.value.isNull,
      !isElement(side.written)
    else { return side.tree }
    if let entity = other.type.objectEntity { return try object(side, constant, entity, other) }
    try checkBoolean(side, constant, other, comparison)
    return try number(side, constant, other)
  }
}

extension CheckedType {
  /// The entity of the values, if they are objects or identities.
  fileprivate var objectEntity: String? {
    switch self {
    case .object(let entity), .objectID(let entity): entity
    case .collection(let element): element.objectEntity
    case .attribute, .entity, .literal, .number, .string, .date, .boolean, .any: nil
    }
  }
}

extension ExpressionTree {
  /// Whether it is a literal or arithmetic, which can be reinterpreted.
  fileprivate var mayMean: Bool {
    switch kind {
    case .constant, .aggregate, .function: true
    case .evaluatedObject, .variable, .keyPath, .message, .index, .indexAfterDot, .subquery,
      .mapped, .ternary, .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate, .fetch:
      false
    }
  }

  fileprivate var isList: Bool { if case .aggregate = kind { true } else { false } }

  /// Whether it is a list or set from an argument or a variable.
  fileprivate var isGivenList: Bool {
    if case .constant(let constant) = kind { constant.value.elements != nil } else { false }
  }
}

// Objects, and texts that name objects
extension Checker {
  /// Converts `"Author/1"`, from any source, to an object, also in a list.
  func object(
    _ side: CheckedExpression, _ constant: Constant, _ entity: String, _ other: CheckedExpression
  ) throws(Diagnostic) -> ExpressionTree {
    func read(_ value: Value) throws(Diagnostic) -> Value {
      if let object = object(value, entity, other.type) { return object }
      var part = side
      part.tree = side.tree.with(.constant(Constant(value)))
      throw noObject(part, entity, other)
    }
    let meaning =
      switch constant.value {
      case .list(let elements): Value.list(try elements.map(read))
      case .set(let set): Value.set(ValueSet(try set.elements.map(read)))
      case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
        .dictionary, .object:
        try read(constant.value)
      }
    return meaning == constant.value ? side.tree : side.tree.with(.constant(Constant(meaning)))
  }

  /// Returns a value as an object of an entity or as an identity; nil if it cannot be one.
  private func object(_ value: Value, _ entity: String, _ type: CheckedType) -> Value? {
    switch value {
    case .string(let text): return objectID(text, near: entity).map(object)
    case .integer, .double, .decimal:
      if case .objectID = type.element { return value }
    case .object(let object):
      guard let other = object.id?.entity, !model.isRelated(other, entity) else { return value }
    case .null, .list, .set, .dictionary: return value
    case .boolean, .date, .uuid, .uri, .binary: break
    }
    return nil
  }

  /// Returns the identity in a text, if its entity is compatible with `entity`.
  private func objectID(_ text: String, near entity: String) -> ObjectID? {
    guard let slash = text.lastIndex(of: "/"), let number = Int64(text[slash...].dropFirst()),
      number > 0
    else { return nil }
    let name = String(text[..<slash])
    guard model.isRelated(name, entity) else { return nil }
    return ObjectID(entity: name, root: model.root(of: name), number: number)
  }

  private func noObject(_ side: CheckedExpression, _ entity: String, _ other: CheckedExpression)
    -> Diagnostic
  {
    let path = other.written
    let isNumber = side.written.isNumberLiteral
    let key = model.allAttributes(of: entity).first {
      isNumber ? $0.type.isNumeric : $0.type == .string
    }?.name
    let isSelf = path.kind == .evaluatedObject
    var keyPath: String?
    // Another object cannot be compared with the key.
    if case .object = other.type, let key, !side.tree.isObject {
      keyPath = isSelf ? key : "\(path.expressionFormat).\(key)"
    }
    return Diagnostic(
      .noObject(
        path: path.expressionFormat, entity: entity, found: side.tree.expressionFormat,
        key: keyPath, isMany: other.type.isCollection), at: side.tree.span)
  }
}

extension Model {
  /// Returns whether an object can belong to both entities.
  func isRelated(_ a: String, _ b: String) -> Bool {
    entity(a, isKindOf: b) || entity(b, isKindOf: a)
  }
}

extension ExpressionTree {
  /// Whether it is `Author/1`, or a variable with an object.
  fileprivate var isObject: Bool {
    guard case .constant(let constant) = kind, case .object = constant.value else { return false }
    return true
  }
}

extension Checker {
  /// Checks a literal. A reserved word that is also a key is ambiguous.
  func checked(
    _ constant: Constant, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    if constant.value.hasReservedWord, let entity,
      let word = context.source?.text(expression.span),
      Checker.reservedWords.contains(word.uppercased()),
      model.property(named: word, of: entity) != nil
    {
      throw Diagnostic(.ambiguousWord(word, entity: entity), at: expression.span)
    }
    return CheckedExpression(tree: expression, type: .literal)
  }

  private static let reservedWords: Set<String> = ["YES", "NO", "TRUE", "FALSE", "NULL", "NIL"]
}

extension Value {
  /// Whether it is written as a word: `YES`, `nil`.
  fileprivate var hasReservedWord: Bool {
    switch self {
    case .boolean, .null: true
    case .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary, .list, .set,
      .dictionary, .object:
      false
    }
  }
}
