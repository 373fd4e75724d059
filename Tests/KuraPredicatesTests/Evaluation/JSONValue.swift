import Foundation

@testable import KuraPredicates
@testable import KuraValues

/// Returns a value from JSON text, for tests.
func value(json: String) throws -> Value {
  try value(
    JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed), json)
}

private func value(_ object: Any, _ json: String) throws -> Value {
  switch object {
  case is NSNull: return .null
  case let text as String: return .string(text)
  case let number as NSNumber: return value(number)
  case let list as [Any]: return .list(try list.map { try value($0, json) })
  case let dictionary as [String: Any]:
    return .dictionary(
      ValueDictionary(try dictionary.sorted { $0.key < $1.key }.map { ($0, try value($1, json)) }))
  default: throw CocoaError(.propertyListReadCorrupt)
  }
}

private func value(_ number: NSNumber) -> Value {
  switch String(cString: number.objCType) {
  case "c", "B": .boolean(number.boolValue)
  case "d", "f": .double(number.doubleValue)
  default: .integer(number.int64Value)
  }
}
