import Foundation
import KuraModel
import KuraPredicates
import KuraValues

/// The Swift or Objective-C syntax of a fetch request of Core Data.
enum CocoaLanguage: String {
  case swift = "Swift"
  case objectiveC = "Objective-C"
}

extension CocoaLanguage {
  /// Returns `"誕生"`, `@"誕生"`.
  func string(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16)
        literal +=
          self == .swift
          ? "\\u{\(hex)}" : "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return (self == .swift ? "" : "@") + "\"\(literal)\""
  }

  /// Returns an argument of a format; nil for a value without a literal.
  func argument(_ value: Value) -> String? {
    switch value {
    case .string(let text): string(text)
    case .date(let date): self.date(date)
    case .decimal(let number): decimal(number)
    case .uuid(let uuid): self.uuid(uuid)
    case .uri(let text):
      self == .swift
        ? "URL(string: \(string(text)))! as NSURL" : "[NSURL URLWithString:\(string(text))]"
    case .binary(let bytes): data(bytes)
    case .boolean(let flag): self == .swift ? "\(flag)" : flag ? "@YES" : "@NO"
    case .integer(let number): self == .swift ? "\(number)" : "@\(number)"
    case .double(let number): self == .swift ? "\(number)" : "@\(number)"
    case .list(let values): list(values)
    case .null: self == .swift ? "NSNull()" : "[NSNull null]"
    case .set, .dictionary, .object: nil
    }
  }

  private func date(_ date: Timestamp) -> String {
    let seconds = NumberText.text(Double(date.microseconds) / 1_000_000)
    return self == .swift
      ? "Date(timeIntervalSince1970: \(seconds)) as NSDate"
      : "[NSDate dateWithTimeIntervalSince1970:\(seconds)]"
  }

  private func decimal(_ number: Decimal) -> String {
    let text = string(NumberText.text(number))
    return self == .swift
      ? "NSDecimalNumber(string: \(text))" : "[NSDecimalNumber decimalNumberWithString:\(text)]"
  }

  private func uuid(_ uuid: UUID) -> String {
    let text = string(uuid.uuidString)
    return self == .swift
      ? "UUID(uuidString: \(text))! as NSUUID" : "[[NSUUID alloc] initWithUUIDString:\(text)]"
  }

  private func data(_ bytes: [UInt8]) -> String {
    let text = string(Data(bytes).base64EncodedString())
    return self == .swift
      ? "Data(base64Encoded: \(text))! as NSData"
      : "[[NSData alloc] initWithBase64EncodedString:\(text) options:0]"
  }

  private func list(_ values: [Value]) -> String? {
    let elements = values.compactMap(argument)
    guard elements.count == values.count else { return nil }
    let text = elements.joined(separator: ", ")
    return self == .swift ? "[\(text)] as NSArray" : "@[\(text)]"
  }
}
