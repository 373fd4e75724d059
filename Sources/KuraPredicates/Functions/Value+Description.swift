import Foundation
import KuraValues

extension Value {
  /// The value as `description` says it: a string as it is, YES as 1, a date as RFC 3339.
  func descriptionText(in context: EvaluationContext) throws(EvaluationFacts) -> String {
    var text = GrowingText()
    try describe(to: &text, in: context)
    return text.text
  }

  /// Appends it to a text.
  func describe(
    to text: inout GrowingText, in context: EvaluationContext
  ) throws(EvaluationFacts) {
    switch self {
    case .list(let x): try Self.describe(x, to: &text, context)
    case .set(let x): try Self.describe(x.elements, to: &text, context)
    case .dictionary(let x): try Self.describe(x.values, to: &text, context)
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
      .object:
      try text.append(plainDescription(in: context))
    }
  }

  private static func describe(
    _ values: [Value], to text: inout GrowingText, _ context: EvaluationContext
  ) throws(EvaluationFacts) {
    try text.append("{")
    for (place, value) in values.enumerated() {
      try context.checkCancel()
      if place > 0 { try text.append(", ") }
      try value.describe(to: &text, in: context)
    }
    try text.append("}")
  }

  private func plainDescription(in context: EvaluationContext) -> String {
    switch self {
    case .null: "nil"
    case .boolean(let x): x ? "1" : "0"
    case .integer(let x): "\(x)"
    case .double(let x): NumberText.text(x)
    case .decimal(let x): NumberText.text(x)
    case .string(let x), .uri(let x): x
    case .date(let x): x.text(.rfc3339, in: context.zone)
    case .uuid(let x): x.uuidString
    case .binary(let x): Data(x).base64EncodedString()
    case .object(let x): x.id?.description ?? "object"
    case .list, .set, .dictionary: ""
    }
  }
}

/// A text that is put together, as long as it may be.
struct GrowingText {
  private(set) var text = ""

  mutating func append(_ part: String) throws(EvaluationFacts) {
    guard text.utf8.count + part.utf8.count <= ValueLimit.bytes else {
      throw .tooLarge(.bytes(ValueLimit.bytes))
    }
    text += part
  }
}
