import KuraDiagnostics
import KuraValues

/// Conversions of elements to SELF.
enum ElementRoot {
  /// Returns the value of an element of any type. Reads only the given keys of an encoded element;
  /// nil means all keys.
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

  /// Calls a closure that throws only diagnostics, although `Sequence.filter` cannot express that.
  static func diagnosing<Result>(_ body: () throws -> Result) throws(Diagnostic) -> Result {
    do { return try body() } catch let diagnostic as Diagnostic { throw diagnostic } catch {
      throw Diagnostic(EvaluationError.unreadableKey("SELF", "\(error)"))
    }
  }
}

extension ValueConvertible {
  /// Returns the value as SELF. A dictionary of values is an object, as in `evaluate(_:)`.
  static func root(_ element: Self) -> Value {
    // Compares the types first: a dynamic cast per element would cost more than most predicates.
    if Self.self == [String: Value].self, let object = element as? [String: Value] {
      return .object(ObjectReference(object))
    }
    return element.predicateValue
  }
}

/// A conversion from elements of one type to SELF. All encoded elements share one picker.
struct ElementReader<Element> {
  let value: (Element) throws -> Value

  /// Returns a reader for elements of any type. It reads only the given keys of an encoded element;
  /// nil means all keys.
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
