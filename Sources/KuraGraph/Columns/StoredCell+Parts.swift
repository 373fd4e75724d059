import KuraValues

extension StoredCell {
  var integer: Int64 {
    switch self {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    case .null, .double, .text, .link, .links: 0
    }
  }

  var double: Double { if case .double(let value) = self { value } else { 0 } }
  var text: String { if case .text(let value) = self { value } else { "" } }
  var link: UInt32 { if case .link(let value) = self { value } else { noRow } }
  var links: [UInt32] { if case .links(let value) = self { value } else { [] } }

  /// Whether its text has scalars for which a search of bytes is not Foundation's answer.
  var isOddText: Bool {
    let text = text
    return text.utf8.contains { $0 > 0x7F }
      && text.unicodeScalars.contains { $0.value > 0x7F && OddScalars.contains($0.value) }
  }
}
