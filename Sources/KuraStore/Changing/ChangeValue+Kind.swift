import KuraGraph
import KuraModel
import KuraValues

extension ChangeValue {
  /// Whether a key of the model can have it.
  func fits(_ slot: KeySlot) -> Bool {
    switch slot {
    case .attribute(_, let type): fits(type)
    case .toOne: numbers.count <= 1 && isLink
    case .toMany: isLink
    // What the other side writes, or nobody yet, is not taken from here.
    case .inverse, .unresolved: isLink
    }
  }

  private var isLink: Bool {
    switch self {
    case .null, .object, .objects: true
    case .integer, .double, .boolean, .text: false
    }
  }

  private func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .null: true
    case .integer(let number): fits(number, type)
    case .double: type == .double || type == .float
    case .boolean: type == .boolean
    case .text(let text): fits(text, type)
    case .object, .objects: false
    }
  }

  private func fits(_ number: Int64, _ type: AttributeType) -> Bool {
    switch type {
    case .integer: true
    case .integer16: Int16(exactly: number) != nil
    case .integer32: Int32(exactly: number) != nil
    case .date: Timestamp(microseconds: number).isInRange
    case .double, .float, .decimal, .string, .boolean, .uuid, .uri, .binary, .json: false
    }
  }

  private func fits(_ text: String, _ type: AttributeType) -> Bool {
    switch type {
    case .string, .uri: true
    // A decimal that is no number, and the null of JSON, are read as null.
    case .decimal: text == "NaN" || isValue(text, type)
    case .json: text == "null" || isValue(text, type)
    case .uuid, .binary: isValue(text, type)
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date: false
    }
  }
  private func isValue(_ text: String, _ type: AttributeType) -> Bool {
    StoredCell.text(text).value(as: type) != .null
  }
}
