package import KuraBytes

extension JSONNode {
  /// What kind of value it is, without the value.
  package var jsonKind: JSONKind {
    switch kind {
    case .null: .null
    case .boolean: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
