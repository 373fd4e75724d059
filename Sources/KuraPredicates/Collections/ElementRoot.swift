import KuraDiagnostics
import KuraValues

/// What elements are as SELF.
enum ElementRoot {
  /// The value of an element of any type; of what is encoded the keys that are asked for, nil: all.
  static func value<Element>(of element: Element, _ keys: [String]?) throws -> Value {
    if let known = element as? any ValueConvertible { return read(known) }
    if Element.self is any Encodable.Type, let encodable = element as? any Encodable {
      return try encode(encodable, keys)
    }
    return try Value(untyped: element)
  }

  private static func read<Known: ValueConvertible>(_ element: Known) -> Value {
    Known.root(element)
  }

  private static func encode(_ element: some Encodable, _ keys: [String]?) throws -> Value {
    try KeyPicker(keys).value(of: element)
  }

  /// Does what throws diagnostics alone, which `Sequence.filter` cannot say.
  static func diagnosing<Result>(_ body: () throws -> Result) throws(Diagnostic) -> Result {
    do { return try body() } catch let diagnostic as Diagnostic { throw diagnostic } catch {
      throw Diagnostic(EvaluationFacts.unreadableKey("SELF", "\(error)"))
    }
  }
}

extension ValueConvertible {
  /// The value as SELF: a dictionary of values is an object, as `evaluate(_:)` has it.
  static func root(_ element: Self) -> Value {
    // The types first: asking each element what it is would cost more than most predicates.
    if Self.self == [String: Value].self, let object = element as? [String: Value] {
      return .object(ObjectReference(object))
    }
    return element.predicateValue
  }
}

/// How elements of one type become SELF: one picker serves all of what is encoded.
struct ElementReader<Element> {
  let value: (Element) throws -> Value

  /// Elements of any type, of which some keys are asked for; nil: all of them.
  static func any(_ keys: [String]?) -> ElementReader {
    func encoding<Known: Encodable>(_: Known.Type) -> Any {
      let picker = KeyPicker<Known>(keys)
      return ElementReader<Known> { try picker.value(of: $0) }
    }
    if !(Element.self is any ValueConvertible.Type), let type = Element.self as? any Encodable.Type,
      let reader = encoding(type) as? ElementReader
    {
      return reader
    }
    return ElementReader { try ElementRoot.value(of: $0, nil) }
  }
}
