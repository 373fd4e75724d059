import Foundation
import KuraBytes
package import KuraModel
package import KuraValues

extension Column {
  /// The value of an attribute in a row.
  package func value(_ row: Int) -> Value {
    let chunk = row >> ColumnChunk.shift
    guard case .attribute(let type) = kind,
      let i = chunks[chunk].place(of: row & ColumnChunk.mask)
    else { return .null }
    return switch chunks[chunk].keptOnly {
    case .integers(let a): type == .date ? .date(Timestamp(microseconds: a[i])) : .integer(a[i])
    case .doubles(let a): .double(a[i])
    case .bytes(let a) where type == .boolean: .boolean(a[i] == 1)
    case .bytes, .codes, .text: text(row).map { Value(kept: $0, as: type) } ?? .null
    case .links, .linkLists: .null
    }
  }
}

extension StoredCell {
  /// The value of an attribute that a column holds in this form.
  package func value(as type: AttributeType) -> Value {
    switch self {
    case .null, .link, .links: .null
    case .integer(let x): type == .date ? .date(Timestamp(microseconds: x)) : .integer(x)
    case .double(let x): .double(x)
    case .boolean(let x): .boolean(x)
    case .text(let x): Value(kept: x, as: type)
    }
  }
}

extension Value {
  /// The value of a text in the form in which columns keep it.
  fileprivate init(kept text: String, as type: AttributeType) {
    self = Value.kept(text, type)
  }

  private static func kept(_ text: String, _ type: AttributeType) -> Value {
    switch type {
    case .uuid: return UUID(uuidString: text).map { .uuid($0) } ?? .null
    case .uri: return .uri(text)
    case .decimal: return NumberText.decimal(text).map { .decimal($0) } ?? .null
    case .binary: return Data(base64Encoded: text).map { .binary(Array($0)) } ?? .null
    case .json: return Value(jsonText: text)
    case .integer, .integer16, .integer32, .double, .float, .string, .boolean, .date:
      return .string(text)
    }
  }
}

extension Value {
  /// What a JSON text says; null if it is none.
  init(jsonText: String) {
    self = (try? Value(json: JSONNode(reading: Array(jsonText.utf8)))) ?? .null
  }
}
