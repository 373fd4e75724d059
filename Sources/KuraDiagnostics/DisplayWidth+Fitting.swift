/// On which side of its column a text stands.
package enum Alignment: Sendable {
  case left
  case right
}

extension DisplayWidth {
  /// The text cut to a width, with `…` where something was cut.
  ///
  ///     DisplayWidth().truncated("父の誕生日", to: 8)    // "父の誕…", 7 cells
  ///
  /// A cluster is never split: the result may be a cell narrower than the width.
  package func truncated(_ text: String, to width: Int) -> String {
    var utf8 = Array(text.utf8)
    truncate(&utf8, to: width)
    return String(decoding: utf8, as: UTF8.self)
  }

  /// Cuts a text in UTF-8 to a width, and returns the cells it takes then; linear.
  @discardableResult
  package func truncate(_ utf8: inout [UInt8], to width: Int) -> Int {
    if let count = utf8.withUnsafeBufferPointer({ quickCells($0) }), count <= width { return count }
    let room = max(0, width - cells(Self.ellipsis))
    var (used, kept, keptBytes, bytes) = (0, 0, 0, 0)
    for cluster in String(decoding: utf8, as: UTF8.self) {
      used += cells(cluster)
      if used > width { return cut(&utf8, at: keptBytes, kept, to: width) }
      bytes += cluster.utf8.count
      if used <= room { (kept, keptBytes) = (used, bytes) }
    }
    return used
  }

  private func cut(_ utf8: inout [UInt8], at end: Int, _ used: Int, to width: Int) -> Int {
    utf8.removeSubrange(min(end, utf8.count)...)
    guard used + cells(Self.ellipsis) <= width else { return used }
    utf8.append(contentsOf: String(Self.ellipsis).utf8)
    return used + cells(Self.ellipsis)
  }

  /// Stands for what was cut.
  package static let ellipsis: Character = "…"
}

extension DisplayWidth {
  /// The text with blanks up to a width; a longer one stays whole.
  ///
  ///     DisplayWidth().padded("誕生", to: 6)            // "誕生  "
  ///     DisplayWidth().padded("17", to: 6, .right)     // "    17"
  package func padded(_ text: String, to width: Int, _ side: Alignment = .left) -> String {
    let blanks = String(repeating: " ", count: max(0, width - cells(text)))
    return switch side {
    case .left: text + blanks
    case .right: blanks + text
    }
  }
}
