import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A text that no object has, and a similar text that an object has.
package struct NearValue: Sendable, Equatable {
  package let typed: String
  package let near: String
  package let way: Way

  /// The difference between the two.
  package enum Way: Sendable, Equatable {
    /// `か` with U+3099, `が`: canonically equal
    case codePoints
    /// `the sea`, `The Sea`
    case letterCase
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

  /// Finds a text that resembles the typed one, the first in alphabetical order; nil if the typed one is among the
  /// texts, or if none is similar. Linear in the texts; spelling is compared among at most 2,000.
  package init?(to typed: String, among texts: Set<String>) {
    guard !texts.contains(where: { $0.utf8.elementsEqual(typed.utf8) }) else { return nil }
    let plain = typed.loose
    let alike = plain.isEmpty ? [] : texts.filter { $0.loose == plain }.sorted()
    if let (near, way) = Self.nearest(alike, { $0 == $1 }, typed) {
      self.init(typed: typed, near: near, way: way)
      return
    }
    let withoutStars = typed.filter { !"*%".contains($0) }.loose
    if withoutStars != plain, !withoutStars.isEmpty,
      let near = texts.filter({ $0.loose == withoutStars }).min()
    {
      self.init(typed: typed, near: near, way: .wildcards)
      return
    }
    guard texts.count <= 2_000, let near = nearNames(to: typed, among: Array(texts)).first else {
      return nil
    }
    self.init(typed: typed, near: near, way: .spelling)
  }

  /// Finds a text that contains the typed one, or begins or ends with it, if letters are compared loosely.
  init?(partOf texts: Set<String>, _ operation: ComparisonOperator, typed: String) {
    let plain = typed.loose
    let alike = plain.isEmpty ? [] : texts.filter { operation.holds($0.loose, plain) }.sorted()
    guard let (near, way) = Self.nearest(alike, operation.holds, typed) else { return nil }
    self.init(typed: typed, near: near, way: way)
  }

  private init(typed: String, near: String, way: Way) {
    (self.typed, self.near, self.way) = (typed, near, way)
  }

  /// Returns the first of similar texts that differ least.
  private static func nearest(
    _ texts: [String], _ holds: (String, String) -> Bool, _ typed: String
  ) -> (String, Way)? {
    for (way, plain) in ways {
      let wanted = plain(typed)
      if let near = texts.first(where: { holds(plain($0), wanted) }) { return (near, way) }
    }
    return texts.first.map { ($0, .forms) }
  }

  private static let ways: [(Way, @Sendable (String) -> String)] = [
    (.codePoints, { $0 }),
    (.letterCase, { $0.lowercased() }),
    (.width, { TextFold.width.key($0).lowercased() }),
    (.forms, { TextFold.cd.key($0) }),
    (.blanks, { $0.lowercased().filter { !$0.isWhitespace } }),
    (.width, { TextFold.width.key($0).lowercased().filter { !$0.isWhitespace } }),
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
  /// The text without what readers may overlook: blanks, case, accents, width, and the kind of kana, quotes and dashes.
  fileprivate var loose: String {
    var scalars = String.UnicodeScalarView()
    for scalar in TextFold.cd.key(self).unicodeScalars where !scalar.properties.isWhitespace {
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
