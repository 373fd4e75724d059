import Foundation
import KuraValues

extension Value {
  /// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in either case.
  init?(uuidText text: String) {
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self = .uuid(uuid)
  }

  /// Text without blanks and control characters: a URI or, with Japanese in it, an IRI (RFC 3987).
  init?(uriText text: String) {
    let isURI = text.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
    }
    guard isURI, !text.isEmpty else { return nil }
    self = .uri(text)
  }

  /// Base64 with its padding (RFC 4648).
  init?(base64 text: String) {
    guard let data = Data(base64Encoded: text) else { return nil }
    self = .binary(Array(data))
  }
}
