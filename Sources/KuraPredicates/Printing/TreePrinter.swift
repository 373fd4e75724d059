import Foundation
import KuraValues

/// Writes trees as Foundation's `predicateFormat` does.
///
/// The text parses to an equal tree. A compound inside a compound gets parentheses; a comparison
/// does not. Arithmetic gets them only inside arithmetic.
struct TreePrinter {
  private(set) var text = ""
  /// Whether Booleans are written as YES and NO, for encoding; Foundation writes 1 and 0.
  var spellsBooleans = false

  /// Returns the text that a closure writes.
  static func written(
    spellsBooleans: Bool = false, _ write: (inout TreePrinter) -> Void
  ) -> String {
    var printer = TreePrinter()
    printer.spellsBooleans = spellsBooleans
    write(&printer)
    return printer.text
  }

  mutating func write(_ string: String) { text += string }

  /// Writes elements separated by `, `.
  mutating func write<Element>(
    list: [Element], _ writeElement: (inout TreePrinter, Element) -> Void
  ) {
    for (place, element) in list.enumerated() {
      if place > 0 { write(", ") }
      writeElement(&self, element)
    }
  }
}

extension String {
  /// The name of an entity, key or column as a fetch writes it: `title`, `#like`, `#"first name"`.
  package var writtenName: String { TreePrinter.written { $0.write(name: self) } }
}

extension PredicateTree {
  /// The canonical format: `title CONTAINS[cd] "誕生" AND NOT done == 1`.
  ///
  /// Parsing it gives an equal tree. A value without a literal becomes a call or list with that
  /// value. Linear in the tree.
  public var predicateFormat: String { TreePrinter.written { $0.write(self) } }
}

extension PredicateTree: CustomStringConvertible {
  /// The canonical format. Linear in the tree.
  public var description: String { predicateFormat }
}

extension ExpressionTree {
  /// The canonical format: `price * 2`, `items.@sum.estimate`.
  ///
  /// Parsing it gives an equal tree. A value without a literal becomes a call or list with that
  /// value. Linear in the tree.
  public var expressionFormat: String { TreePrinter.written { $0.write(self) } }
}

extension ExpressionTree: CustomStringConvertible {
  /// The canonical format. Linear in the tree.
  public var description: String { expressionFormat }
}

extension SortTree: CustomStringConvertible {
  /// The key as a text: `title[cd] natural desc nulls last`. Linear in the tree.
  public var description: String { TreePrinter.written { $0.write(self) } }
}

extension TreePrinter {
  mutating func write(_ tree: PredicateTree) { tree.descending { writeKind(of: tree) } }

  private mutating func writeKind(of tree: PredicateTree) {
    switch tree.kind {
    case .comparison(let comparison): write(comparison)
    case .not(let inside):
      write("NOT ")
      write(part: inside)
    case .and(let parts): write(parts, " AND ", empty: "TRUEPREDICATE")
    case .or(let parts): write(parts, " OR ", empty: "FALSEPREDICATE")
    case .constant(let answer): write(answer ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .truth(let value): write(value)
    }
  }

  private mutating func write(_ parts: [PredicateTree], _ connective: String, empty: String) {
    if parts.isEmpty { return write(empty) }
    if parts.count == 1 { return write(parts[0]) }
    for (place, part) in parts.enumerated() {
      if place > 0 { write(connective) }
      write(part: part)
    }
  }

  /// Writes a part of a compound, in parentheses if it is a compound itself.
  private mutating func write(part: PredicateTree) {
    guard part.isCompound else { return write(part) }
    write("(")
    write(part)
    write(")")
  }

  private mutating func write(_ comparison: Comparison) {
    switch comparison.modifier {
    case .direct: break
    case .any: write("ANY ")
    case .all: write("ALL ")
    }
    write(operand: comparison.left)
    write(" ")
    write(comparison.operation.text)
    write(comparison.options)
    write(" ")
    write(operand: comparison.right)
  }

  private mutating func write(_ options: ComparisonOptions) {
    if !options.letters.isEmpty { write("[\(options.letters)]") }
  }

  /// Writes a side of a comparison; arithmetic needs no parentheses there.
  private mutating func write(operand: ExpressionTree) {
    switch operand.kind {
    case .assignment, .predicate: write(inParentheses: operand)
    default: write(operand)
    }
  }

  mutating func write(_ sort: SortTree) {
    let expression = sort.expression
    if expression.looksLikeOption { write(inParentheses: expression) } else { write(expression) }
    write(sort.options)
    if sort.isNatural { write(" natural") }
    if !sort.isAscending { write(" desc") }
    if let nullsFirst = sort.nullsFirst { write(nullsFirst ? " nulls first" : " nulls last") }
  }
}

extension PredicateTree {
  /// Whether it combines predicates. A chain of one part counts as that part.
  fileprivate var isCompound: Bool {
    switch kind {
    case .comparison, .constant, .truth: false
    case .not: true
    case .and(let parts), .or(let parts):
      parts.count > 1 || parts.first.map { part in part.descending { part.isCompound } } ?? false
    }
  }
}

extension ExpressionTree {
  /// Whether it contains an index that a sort key would read as its options: `title[cd]`. Inside
  /// brackets it would not, but an additional pair does no harm.
  fileprivate var looksLikeOption: Bool { descending { endsLikeOption } }

  private var endsLikeOption: Bool {
    switch kind {
    case .index(let list, let place): place.looksLikeOption || list.looksLikeOption
    case .indexAfterDot(let base, let inner): base.looksLikeOption || inner.looksLikeOption
    case .keyPath(let path): path.base?.looksLikeOption ?? false
    case .function(let call): call.arguments.contains(where: \.looksLikeOption)
    case .setOperation(_, let left, let right): left.looksLikeOption || right.looksLikeOption
    // The value would read the options after it as an index.
    case .assignment: true
    default: false
    }
  }
}

extension IndexKind {
  /// Whether it is a single key of option letters.
  fileprivate var looksLikeOption: Bool {
    guard case .at(let place) = self, case .keyPath(let path) = place.kind, path.base == nil,
      path.components.count == 1
    else { return false }
    return ComparisonOptions.reading(path.components[0].name).wrong == nil
  }
}

extension TreePrinter {
  mutating func write(_ constant: Constant) {
    if spellsBooleans, case .boolean(let yes) = constant.value {
      write(yes ? "YES" : "NO")
    } else {
      write(Self.text(of: constant))
    }
  }

  mutating func write(quoted string: String) { write(Self.quoted(string)) }

  static func text(of constant: Constant) -> String {
    switch constant.value {
    case .double(let number): text(number, digits: constant.digits)
    case .decimal(let number): constant.digits ?? text(number)
    default: text(constant.value)
    }
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let yes): yes ? "1" : "0"
    case .integer(let number): String(number)
    case .double(let number): text(number, digits: nil)
    case .decimal(let number): text(number)
    case .string(let string): quoted(string)
    case .uri(let address): cast(quoted(address), .uri)
    case .date(let moment): cast(seconds(exactly: moment) ?? quoted(moment), .date)
    case .uuid(let uuid): cast(quoted(uuid.uuidString), .uuid)
    case .binary(let bytes): cast(quoted(Data(bytes).base64EncodedString()), .binary)
    case .list(let values): list(values)
    case .set(let values): cast(list(values.elements), .set)
    case .dictionary(let dictionary): text(dictionary)
    case .object(let object):
      object.id?.description ?? object.content.map(text) ?? unwrittenObject
    }
  }

  /// The text for an object of a program, which has none; a parsed tree has a variable there.
  private static let unwrittenObject = "$object"

  private static func cast(_ text: String, _ type: CastType) -> String {
    "CAST(\(text), \"\(type.rawValue)\")"
  }

  private static func list(_ values: [Value]) -> String {
    "{" + values.map(text).joined(separator: ", ") + "}"
  }

  /// Returns a dictionary as a cast of pairs, because the language has no dictionary literal.
  private static func text(_ dictionary: ValueDictionary) -> String {
    let pairs = zip(dictionary.keys, dictionary.values).map { Value.list([.string($0), $1]) }
    return cast(list(pairs), .dictionary)
  }

  /// Returns the shortest text with the same value, unless the typed digits are more exact.
  private static func text(_ number: Double, digits: String?) -> String {
    let short = number.description
    // These have no literal; as words they would be keys.
    if !number.isFinite { return cast(quoted(nonFinite(number)), .number) }
    guard let digits, digits.utf8.count > 15, let exact = Decimal(string: digits) else {
      return short
    }
    return Decimal(string: short) == exact ? short : digits
  }

  private static func nonFinite(_ number: Double) -> String {
    Double.unwritten.first { $0.value == number }?.key ?? "NaN"
  }

  private static func text(_ number: Decimal) -> String {
    if number.isNaN { return cast(quoted(nonFinite(.nan)), .decimal) }
    let digits = NSDecimalNumber(decimal: number).stringValue
    let read = NumberLiteral.constant(
      digits.hasPrefix("-") ? String(digits.dropFirst()) : digits, isNegative: number < 0)
    // With more digits than a double has, parsing would give another number.
    guard let read, read.value == .decimal(number) else { return cast(quoted(digits), .decimal) }
    // Printed as it prints after parsing; otherwise the text would not be canonical.
    if case .double(let double) = read.value { return text(double, digits: read.digits) }
    return digits
  }

  /// Returns a string in double quotes, with escapes for characters that would break the line.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\0"..<" ", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}":
        text += "\\u" + String(scalar.value + 0x10000, radix: 16).suffix(4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Returns the seconds of a moment if a double represents them exactly; nil far from 2001.
  private static func seconds(exactly moment: Timestamp) -> String? {
    guard moment.steps == 0 else { return moment.secondsSinceReferenceDate.description }
    let text = seconds(moment)
    guard moment.isInRange, let number = Double(text) else { return text }
    let isWhole = Timestamp(secondsSinceReferenceDate: number) == moment
    return isWhole && String(format: "%.6f", number) == text ? text : nil
  }

  private static func quoted(_ moment: Timestamp) -> String {
    quoted(moment.text(.rfc3339, in: .utc))
  }

  /// Returns the seconds since 2001-01-01T00:00:00Z with six decimals.
  static func seconds(_ moment: Timestamp) -> String {
    let (microseconds, overflow) =
      moment.microseconds.subtractingReportingOverflow(978_307_200_000_000)
    guard !overflow else { return "0.000000" }
    let sign = microseconds < 0 ? "-" : ""
    let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let decimals = String(rest + 1_000_000).dropFirst()
    return "\(sign)\(whole).\(decimals)"
  }

  /// Returns the seconds of `CAST(694224000.0, "NSDate")` with six decimals, if they are exact.
  static func seconds(_ value: ExpressionTree, _ type: ExpressionTree) -> String? {
    guard case .constant(let constant) = value.kind, case .double(let number) = constant.value,
      case .constant(let name) = type.kind, name.value == .string("NSDate"),
      number.magnitude < 1e15
    else { return nil }
    let text = String(format: "%.6f", number)
    return Double(text) == number ? text : nil
  }
}

extension TreePrinter {
  mutating func write(_ tree: ExpressionTree) { tree.descending { writeKind(of: tree) } }

  private mutating func writeKind(of tree: ExpressionTree) {
    switch tree.kind {
    case .constant(let constant): write(constant)
    case .evaluatedObject: write("SELF")
    case .anyKey: write("ANYKEY")
    case .variable(let name): write(variable: name)
    case .keyPath(let path): write(path)
    case .function(let call): write(call)
    case .message(let target, let selector, let arguments):
      write(target, selector, arguments)
    case .index(let list, let place): write(list, place)
    case .indexAfterDot(let base, let indexed): write(base, dot: indexed)
    case .aggregate(let elements): write(braced: elements)
    case .subquery(let collection, let variable, let predicate):
      write("SUBQUERY(")
      write(collection)
      write(", $\(variable), ")
      write(predicate)
      write(")")
    case .mapped(let collection, _, let inner): write(collection, nil, mappedTo: inner)
    case .ternary(let predicate, let yes, let no):
      write("TERNARY(")
      write(predicate)
      write(", ")
      write(list: [yes, no]) { $0.write($1) }
      write(")")
    case .setOperation(let operation, let left, let right):
      write(nested: left)
      write(" \(operation.rawValue) ")
      write(nested: right)
    case .assignment(let name, let value):
      write("$\(name) := ")
      write(value)
    case .objectOrQuotient(let entity, let number):
      write(key: entity, isFirst: true)
      write("/\(number)")
    case .predicate(let predicate): write(predicate)
    case .fetch(let fetch):
      write("(")
      write(fetch)
      write(")")
    }
  }

  mutating func write(inParentheses tree: ExpressionTree) {
    write("(")
    write(tree)
    write(")")
  }

  /// Writes an operand of an operator, in parentheses if it is an operator itself.
  private mutating func write(nested tree: ExpressionTree) {
    if tree.isInfix { write(inParentheses: tree) } else { write(tree) }
  }

  private mutating func write(braced elements: [ExpressionTree]) {
    write("{")
    write(list: elements) { $0.write($1) }
    write("}")
  }

  /// Writes a message. Like Foundation, it writes a blank before the comma if arguments follow.
  private mutating func write(
    _ target: ExpressionTree, _ selector: String, _ arguments: [ExpressionTree]
  ) {
    write("FUNCTION(")
    write(target)
    write(", ")
    write(quoted: selector)
    if !arguments.isEmpty { write(" , ") }
    write(list: arguments) { $0.write($1) }
    write(")")
  }
}

// Functions
extension TreePrinter {
  private mutating func write(_ call: FunctionCall) {
    let arguments = call.arguments
    if let sign = call.sign {
      write(nested: arguments[0])
      write(" \(sign) ")
      write(nested: arguments[1])
    } else if arguments.count == 1, call.builtIn == .onesComplement {
      write("~")
      write(nested: arguments[0])
    } else if arguments.count == 2, call.builtIn == .cast {
      writeCast(arguments[0], arguments[1])
    } else {
      write(call.selector + "(")
      write(list: call.argumentsInParentheses) { $0.write($1) }
      write(")")
      if let key = call.windowKey {
        write(" per ")
        write(nested: key)
      }
    }
  }

  private mutating func writeCast(_ value: ExpressionTree, _ type: ExpressionTree) {
    write("CAST(")
    if let seconds = Self.seconds(value, type) { write(seconds) } else { write(value) }
    write(", ")
    write(type)
    write(")")
  }
}

// Keys and indexes
extension TreePrinter {
  private mutating func write(_ path: KeyPathTree) {
    if case .mapped(let collection, _, let inner)? = path.base?.kind,
      let operation = path.operatorOfSelf
    {
      return write(collection, operation, mappedTo: inner)
    }
    let base = path.base.flatMap { $0.isElementItself ? nil : $0 }
    if let base { write(base: base) }
    for (place, key) in path.components.enumerated() {
      if place > 0 || base != nil { write(".") }
      write(key, isFirst: place == 0 && base == nil)
    }
  }

  /// Writes `items.(price * count)`, `items.@sum.(price * count)`.
  private mutating func write(
    _ collection: ExpressionTree, _ operation: String?, mappedTo inner: ExpressionTree
  ) {
    if case .keyPath = collection.kind { write(collection) } else { write(base: collection) }
    if let operation { write(".@" + operation) }
    write(".")
    write(inParentheses: inner)
  }

  private mutating func write(_ key: KeyComponent, isFirst: Bool) {
    switch key.kind {
    case .key: write(key: key.name, isFirst: isFirst)
    case .collectionOperator: write("@" + key.name)
    case .variable: write("$" + key.name)
    }
  }

  /// Writes `title` or `#like`. A key with blanks is quoted, and needs the `#` only if it comes
  /// first.
  private mutating func write(key name: String, isFirst: Bool) {
    if !name.isIdentifier {
      if isFirst { write("#") }
      write(quoted: name)
    } else {
      if Keyword(word: name) != nil { write("#") }
      write(name)
    }
  }

  /// Writes the source of a fetch or the name of a column. A plain `_` would be the last fetch.
  mutating func write(name: String) {
    if name == "_" { write("#\"_\"") } else { write(key: name, isFirst: true) }
  }

  private mutating func write(_ list: ExpressionTree, _ place: IndexKind) {
    if list.canBeIndexed { write(list) } else { write(inParentheses: list) }
    write("[")
    switch place {
    case .first: write("FIRST")
    case .last: write("LAST")
    case .size: write("SIZE")
    case .at(let expression): write(expression)
    }
    write("]")
  }

  private mutating func write(_ base: ExpressionTree, dot indexed: ExpressionTree) {
    if case .keyPath(let path) = base.kind, !path.components.isEmpty {
      write(base)
    } else {
      write(base: base)
    }
    write(".")
    write(indexed)
  }

  /// Writes a variable; for one that a check substituted for a part of the text, writes that text.
  private mutating func write(variable name: String) {
    if name.isElementItself { return write("SELF") }
    write(name.hasPrefix(String.ofPart) ? String(name.dropFirst()) : "$" + name)
  }

  /// Writes an expression before keys.
  private mutating func write(base: ExpressionTree) {
    if base.canHaveKeys { write(base) } else { write(inParentheses: base) }
  }
}

extension ExpressionTree {
  /// Whether it prints with an operator that could bind to its surroundings.
  fileprivate var isInfix: Bool {
    switch kind {
    case .function(let call): call.sign != nil
    case .setOperation, .assignment, .predicate, .objectOrQuotient: true
    default: false
    }
  }

  fileprivate var isPrefixed: Bool {
    switch kind {
    case .function(let call): call.builtIn == .onesComplement && call.arguments.count == 1
    case .constant(let constant): TreePrinter.text(of: constant).hasPrefix("-")
    default: false
    }
  }

  /// Whether keys can follow without parentheses.
  fileprivate var canHaveKeys: Bool {
    switch kind {
    case .keyPath: false
    case .objectOrQuotient: true
    default: !isInfix && !isPrefixed
    }
  }

  /// Whether an index can follow without parentheses, as after a path of one key.
  fileprivate var canBeIndexed: Bool {
    switch kind {
    case .keyPath(let path): path.base == nil && path.components.count == 1
    case .indexAfterDot: false
    default: !isInfix && !isPrefixed
    }
  }
}
