import Foundation
import KuraPredicates

/// A text that no object has, and one that an object has and that looks almost like it.
package struct NearValue: Sendable, Equatable {
  package let typed: String
  package let near: String
  package let way: Way

  /// How the two differ.
  package enum Way: Sendable, Equatable {
    /// `the sea`, `The Sea`
    case letterSize
    /// `The Sea `
    case blanks
    /// `Ｓｅａ`, `ｶﾞｽ`
    case width
    /// `がす`, `ガス`; `’`, `'`; `café`, `cafe`
    case forms
    /// `*Sea*`
    case wildcards
    /// `Sae`
    case spelling
  }

  /// Nil where one of the texts is the typed one, or none is near. Linear in the texts.
  package init?(to typed: String, among texts: some Collection<String>) {
    guard !texts.contains(typed), let found = Self.nearest(typed, texts) else { return nil }
    (self.typed, near, way) = (typed, found.0, found.1)
  }

  /// A text that has the typed one as a part, at its start or at its end, if the letters are read loosely.
  init?(partOf texts: some Collection<String>, _ operation: ComparisonOperator, typed: String) {
    for (way, plain) in Self.ways {
      let part = plain(typed)
      guard !part.isEmpty, let near = texts.first(where: { operation.holds(plain($0), part) })
      else { continue }
      (self.typed, self.near, self.way) = (typed, near, way)
      return
    }
    return nil
  }

  private static func nearest(_ typed: String, _ texts: some Collection<String>) -> (String, Way)? {
    for (way, plain) in ways {
      let wanted = plain(typed)
      guard !wanted.isEmpty else { continue }
      if let near = texts.first(where: { plain($0) == wanted }) { return (near, way) }
    }
    return nearNames(to: typed, among: texts.sorted()).first.map { ($0, .spelling) }
  }

  private static let ways: [(Way, @Sendable (String) -> String)] = [
    (.letterSize, { $0.lowercased() }),
    (.blanks, { $0.lowercased().filter { !$0.isWhitespace } }),
    (.width, { $0.compatible.lowercased().filter { !$0.isWhitespace } }),
    (.forms, { $0.loose }),
    (.wildcards, { $0.loose.filter { !"*%".contains($0) } }),
  ]
}

extension ComparisonOperator {
  fileprivate func holds(_ text: String, _ part: String) -> Bool {
    switch self {
    case .beginsWith: text.hasPrefix(part)
    case .endsWith: text.hasSuffix(part)
    default: text.contains(part)
    }
  }
}

extension String {
  fileprivate var compatible: String { precomposedStringWithCompatibilityMapping }

  /// The text without what a reader may overlook: blanks, case, accents, width, the kind of kana, of quotes
  /// and of dashes.
  fileprivate var loose: String {
    let folded = compatible.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    var scalars = String.UnicodeScalarView()
    for scalar in folded.unicodeScalars where !scalar.properties.isWhitespace {
      scalars.append(scalar.withoutForm)
    }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var withoutForm: Unicode.Scalar {
    switch self {
    case "\u{3041}"..."\u{3096}": Unicode.Scalar(value + 0x60) ?? self
    case "\u{2018}", "\u{2019}", "\u{201B}", "`", "\u{B4}": "'"
    case "\u{201C}", "\u{201D}", "\u{201F}": "\""
    case "\u{2010}"..."\u{2015}", "\u{2212}": "-"
    case "\u{301C}": "~"
    default: self
    }
  }
}
