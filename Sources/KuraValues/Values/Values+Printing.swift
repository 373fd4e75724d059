// What `print` shows of the parts of a value; the whole is as Swift prints an enumeration.

extension Timestamp: CustomStringConvertible {
  /// `2010-07-20T09:20:00Z`, in UTC
  public var description: String { text(.rfc3339, in: .utc) }
}

extension ObjectReference: CustomStringConvertible {
  /// `Item/3`, the content of a dictionary, or what the object itself prints. Linear in that.
  public var description: String { id?.description ?? content?.description ?? "\(base)" }
}

extension ValueSet: CustomStringConvertible {
  /// `{integer(1), integer(2)}`. Linear in the elements.
  public var description: String {
    "{\(elements.map { "\($0)" }.joined(separator: ", "))}"
  }
}

extension ValueDictionary: CustomStringConvertible {
  /// `["city": string("Kobe")]`, in the order of its keys. Linear in them.
  public var description: String {
    if keys.isEmpty { return "[:]" }
    return "[\(zip(keys, values).map { "\"\($0)\": \($1)" }.joined(separator: ", "))]"
  }
}
