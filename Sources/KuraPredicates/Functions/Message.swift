import Foundation
import KuraValues

/// A selector that FUNCTION can send. No selector outside this list is ever called.
///
/// A selector without arguments is also a key of its values: `title.length`.
struct Message: Sendable {
  typealias Body = @Sendable (Value, [Value], EvaluationContext) throws(EvaluationError) -> Value

  let selector: String
  /// The kind of values that have the selector as a key; nil means all kinds.
  private let owner: Value.Kind?
  /// The parts of the target that the message reads.
  let reading: Reading
  /// The function with the same result for a text.
  let function: BuiltInFunction?
  let body: Body

  init(
    _ selector: String, keyOf owner: Value.Kind? = nil, reading: Reading = .target,
    as function: BuiltInFunction? = nil, _ body: @escaping Body
  ) {
    self.selector = selector
    self.owner = owner
    self.reading = reading
    self.function = function
    self.body = body
  }

  /// Returns whether it is a key of values of this kind.
  func isKey(of kind: Value.Kind) -> Bool { argumentCount == 0 && (owner ?? kind) == kind }

  /// The number of colons in the selector.
  var argumentCount: Int { selector.utf8.count { $0 == UInt8(ascii: ":") } }

  func send(
    _ target: Value, _ arguments: [Value], _ context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    guard arguments.count == argumentCount else {
      throw .argumentCount(selector, arguments.count)
    }
    return try body(target, arguments, context)
  }
}

/// The selectors without arguments, such as the one in `FUNCTION(title, "capitalizedString")`.
package enum FunctionSelectors {
  package static let names = Set(Message.all.filter { $0.argumentCount == 0 }.map(\.selector))
}

extension BuiltInFunction {
  /// Returns the function with the same result for a text as a message: `FUNCTION(title,
  /// "uppercaseString")`.
  package init?(message selector: String) {
    guard let function = Message.of(selector)?.function else { return nil }
    self = function
  }
}

extension Message {
  static let all: [Message] = texts + numbers + dates + collections + addresses + keyed + blocks

  private static let bySelector: [String: Message] = Dictionary(
    all.map { ($0.selector, $0) }, uniquingKeysWith: { first, _ in first })

  static func of(_ selector: String) -> Message? { bySelector[selector] }

  private static let texts: [Message] = [
    text("uppercaseString", as: .uppercase) { .string($0.uppercased()) },
    text("uppercase", as: .uppercase) { .string($0.uppercased()) },
    text("lowercaseString", as: .lowercase) { .string($0.lowercased()) },
    text("lowercase", as: .lowercase) { .string($0.lowercased()) },
    text("capitalizedString") { .string($0.capitalized) },
    text("lastPathComponent") { .string($0.lastPathComponent) },
    text("pathExtension") { .string($0.pathExtension) },
    text("stringByDeletingPathExtension") { .string($0.deletingPathExtension) },
    text("stringByDeletingLastPathComponent") { .string($0.deletingLastPathComponent) },
    Message("stringByAppendingString:") { (target, arguments, _) throws(EvaluationError) in
      var text = GrowingText()
      try text.append(try target.text())
      try text.append(try arguments[0].text())
      return .string(text.text)
    },
    Message("hasPrefix:") { (target, arguments, _) throws(EvaluationError) in
      .boolean(TextNeedle(try arguments[0].text()).begins(try target.text()))
    },
    Message("hasSuffix:") { (target, arguments, _) throws(EvaluationError) in
      .boolean(TextNeedle(try arguments[0].text()).ends(try target.text()))
    },
    Message("substringFromIndex:") { (target, arguments, _) throws(EvaluationError) in
      .string(try target.text().part(from: try arguments[0].integer(), count: .max))
    },
    Message("substringToIndex:") { (target, arguments, _) throws(EvaluationError) in
      .string(try target.text().part(from: 0, count: try arguments[0].integer()))
    },
    Message("length", as: .length) { (target, _, _) throws(EvaluationError) in
      if case .binary(let bytes) = target { return .integer(Int64(bytes.count)) }
      return .integer(Int64(try target.text().utf16.count))
    },
    Message("description") { (target, _, context) throws(EvaluationError) in
      .string(try target.descriptionText(in: context))
    },
  ]

  private static let numbers: [Message] = [
    number("intValue", { $0.leadingInteger }) {
      $0.wholePart(within: Int64(Int32.min)...Int64(Int32.max))
    },
    number("integerValue", { $0.leadingInteger }) { $0.wholePart(within: .min ... .max) },
    number("longLongValue", { $0.leadingInteger }) { $0.wholePart(within: .min ... .max) },
    number("floatValue", { $0.leadingNumber }) {
      .double(Double(Float($0.approximateNumber ?? 0)))
    },
    number("doubleValue", { $0.leadingNumber }) { .double($0.approximateNumber ?? 0) },
    number("boolValue", { $0.leadingTruth }) { .boolean(($0.approximateNumber ?? 0) != 0) },
    Message("stringValue") { (target, _, context) throws(EvaluationError) in
      .string(try target.descriptionText(in: context))
    },
  ]

  private static let dates: [Message] = [
    date("timeIntervalSinceReferenceDate") { $0.secondsSinceReferenceDate },
    date("timeIntervalSince1970") { Double($0.microseconds) / 1e6 },
    Message("timeIntervalSinceDate:") { (target, arguments, context) throws(EvaluationError) in
      let from = try arguments[0].date(in: context).microseconds
      return .double(Double(try target.date(in: context).microseconds - from) / 1e6)
    },
    Message("dateByAddingTimeInterval:") { (target, arguments, context) throws(EvaluationError) in
      let seconds = try arguments[0].real()
      guard let result = try target.date(in: context).adding(seconds: seconds) else {
        throw .badDate(.outOfRange)
      }
      return .date(result)
    },
  ]

  private static let collections: [Message] = [
    collection("count") { .integer(Int64($0.count)) },
    collection("firstObject") { $0.first ?? .null },
    collection("lastObject") { $0.last ?? .null },
  ]
}

extension Message {
  private static func text(
    _ selector: String, as function: BuiltInFunction? = nil,
    _ body: @escaping @Sendable (String) -> Value
  ) -> Message {
    Message(selector, as: function) { (target, _, _) throws(EvaluationError) in
      body(try target.text())
    }
  }

  /// Creates a message to numbers, and to strings that begin like one: "12 apples" is 12, "apples"
  /// is 0.
  private static func number(
    _ selector: String, _ beginning: @escaping @Sendable (String) -> Value,
    _ body: @escaping @Sendable (Value) -> Value
  ) -> Message {
    Message(selector) { (target, _, _) throws(EvaluationError) in
      switch target {
      case .string(let text): return body(beginning(text))
      case .boolean, .integer, .double, .decimal: return body(target)
      default: throw .wrongArgument(expected: "a number or a string", target.kind)
      }
    }
  }

  private static func date(
    _ selector: String, _ body: @escaping @Sendable (Timestamp) -> Double
  ) -> Message {
    Message(selector) { (target, _, context) throws(EvaluationError) in
      .double(body(try target.date(in: context)))
    }
  }

  private static func collection(
    _ selector: String, _ body: @escaping @Sendable ([Value]) -> Value
  ) -> Message {
    Message(selector) { (target, _, _) throws(EvaluationError) in
      guard let elements = target.elements else {
        throw .notACollection(selector, target.kind)
      }
      return body(elements)
    }
  }
}

extension Value {
  /// Returns the value as a double.
  fileprivate func real() throws(EvaluationError) -> Double {
    guard let number = approximateNumber else { throw .notANumber(kind) }
    return number
  }

  /// Returns the number without its fraction, clamped to a range.
  fileprivate func wholePart(within range: ClosedRange<Int64>) -> Value {
    let whole = rounded(.towardZero)
    let value = (try? whole.wholeNumber()) ?? ((approximateNumber ?? 0) < 0 ? .min : .max)
    return .integer(min(max(value, range.lowerBound), range.upperBound))
  }
}

/// Path operations as in NSString, whose own methods do not all handle the empty string.
extension String {
  /// `scratch.tiff` for `/tmp/scratch.tiff`; `/` for `/`
  var lastPathComponent: String {
    let path = withoutTrailingSlashes
    guard path != "/", let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// `/tmp` of `/tmp/scratch.tiff`; empty for `scratch.tiff`
  var deletingLastPathComponent: String {
    let path = withoutTrailingSlashes
    guard path != "/" else { return path }
    guard let slash = path.lastIndex(of: "/") else { return "" }
    let parent = String(path[..<slash]).withoutTrailingSlashes
    return parent.isEmpty ? "/" : parent
  }

  /// `tiff` for `/tmp/scratch.tiff`; empty for `.hidden`
  var pathExtension: String {
    let name = lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// `/tmp/scratch` for `/tmp/scratch.tiff`
  var deletingPathExtension: String {
    let path = withoutTrailingSlashes
    guard !pathExtension.isEmpty, let dot = path.lastIndex(of: ".") else { return path }
    return String(path[..<dot])
  }

  private var withoutTrailingSlashes: String {
    guard let end = lastIndex(where: { $0 != "/" }) else { return isEmpty ? "" : "/" }
    return String(self[...end])
  }
}

extension Message {
  /// The parts of its target that a message reads.
  enum Reading: Sendable {
    /// The target itself, or the part that the selector names.
    case target
    /// The member that its last argument names: a key, or the index of an element.
    case member
    /// All keys, or all values.
    case everything
  }
}

// Messages to URLs, UUIDs and dictionaries
extension Message {
  static let addresses: [Message] = [
    address("absoluteString") { $0.absoluteString },
    address("scheme") { $0.scheme },
    address("host") { $0.host(percentEncoded: false) },
    address("path") { $0.path(percentEncoded: false) },
    address("query") { $0.query(percentEncoded: false) },
    address("fragment") { $0.fragment(percentEncoded: false) },
    address("user") { $0.user(percentEncoded: false) },
    Message("port", keyOf: .uri) { (target, _, _) throws(EvaluationError) in
      try target.address().port.map { .integer(Int64($0)) } ?? .null
    },
    Message("UUIDString", keyOf: .uuid) { (target, _, _) throws(EvaluationError) in
      .string(try target.uuid().uuidString)
    },
    Message("uuidString", keyOf: .uuid) { (target, _, _) throws(EvaluationError) in
      .string(try target.uuid().uuidString)
    },
  ]

  static let keyed: [Message] = [
    Message("allKeys", keyOf: .dictionary, reading: .everything) {
      (target, _, _) throws(EvaluationError) in
      .list(try target.dictionary().keys.map(Value.string))
    },
    Message("allValues", keyOf: .dictionary, reading: .everything) {
      (target, _, _) throws(EvaluationError) in
      .list(try target.dictionary().values)
    },
    Message("objectForKey:", reading: .member) { (target, arguments, _) throws(EvaluationError) in
      try target.dictionary()[try arguments[0].text()] ?? .null
    },
    Message("valueForKey:", reading: .member) { (target, arguments, _) throws(EvaluationError) in
      try target.element(at: arguments[0])
    },
    Message("objectAtIndex:", reading: .member) { (target, arguments, _) throws(EvaluationError) in
      try target.element(at: arguments[0])
    },
    Message("containsObject:") { (target, arguments, _) throws(EvaluationError) in
      guard let elements = target.elements else {
        throw .notACollection("containsObject:", target.kind)
      }
      return .boolean(elements.contains(arguments[0]))
    },
  ]

  private static func address(
    _ selector: String, _ part: @escaping @Sendable (URL) -> String?
  ) -> Message {
    Message(selector, keyOf: .uri) { (target, _, _) throws(EvaluationError) in
      part(try target.address()).map(Value.string) ?? .null
    }
  }
}

extension Value {
  fileprivate func address() throws(EvaluationError) -> URL {
    guard case .uri(let text) = self else { throw .wrongArgument(expected: "a URI", kind) }
    guard let url = URL(string: text) else { throw .unreadableText(text, .uri) }
    return url
  }

  fileprivate func uuid() throws(EvaluationError) -> UUID {
    guard case .uuid(let uuid) = self else { throw .wrongArgument(expected: "a UUID", kind) }
    return uuid
  }

  fileprivate func dictionary() throws(EvaluationError) -> ValueDictionary {
    guard let dictionary = dictionaryValue else {
      throw .wrongArgument(expected: "a dictionary", kind)
    }
    return dictionary
  }
}
