import Foundation
import KuraSentences
import Testing

/// Every message exists in every language; no list is maintained by hand.
@Suite("A message")
struct SentenceTests {
  private static let sources: [(file: PackageFolder.File, literals: [SwiftLiterals.Literal])] =
    PackageFolder.files(in: "Sources", suffixes: ".swift")
    .filter { !$0.path.contains("KuraSentences/") }
    .map { ($0, SwiftLiterals((try? $0.text()) ?? "").all) }

  private static let pairs = JapaneseSentences.all.flatMap(SentencePair.read)

  @Test("has a Japanese translation")
  func hasJapaneseWords() {
    let known = Set(Self.pairs.map(\.english))
    for (file, literals) in Self.sources {
      for said in literals.compactMap(\.said) where !known.contains(said) {
        Issue.record("\(file): there are no Japanese words for: \(said)")
      }
    }
  }

  @Test("of predicates has its translation in their library, which has no others")
  func standsBelow() {
    let below = ["KuraSentences", "KuraBytes", "KuraDiagnostics", "KuraValues", "KuraPredicates"]
    let said = { (isBelow: Bool) in
      Set(
        Self.sources.filter { below.contains($0.file.module) == isBelow }
          .flatMap(\.literals).compactMap(\.said))
    }
    let known = Set(JapaneseSentences.ofPredicates.flatMap(SentencePair.read).map(\.english))
    for missing in said(true).subtracting(known) {
      Issue.record("KuraPredicates alone has no Japanese words for: \(missing)")
    }
    for other in said(false).subtracting(said(true)).intersection(known) {
      Issue.record("no module of predicates says: \(other)")
    }
  }

  @Test("of a fact uses localized(…), so that it can be translated")
  func isLocalized() {
    for (file, literals) in Self.sources {
      for literal in literals where literal.isBareSentence {
        Issue.record("\(file): \(literal.template)")
      }
    }
  }

  /// With `[d]`, が does not equal か, and ガス does not equal カス.
  @Test("in Japanese about [d] mentions accents, and not 濁点")
  func diacritics() throws {
    let wrong = Self.pairs.filter { $0.japanese.contains("濁点") }.map(\.japanese)
    #expect(wrong == [])
    for (file, literals) in Self.sources {
      #expect(!literals.contains { $0.template.contains("濁点") }, "\(file)")
    }
  }

  @Test("in Japanese is used by a source")
  func hasASource() {
    let literals = Self.sources.flatMap(\.literals)
    let templates = Set(literals.map(\.template.trimmedBlanks) + literals.compactMap(\.said))
    // Messages of the system are not in a source.
    let system = Set(SentencePair.read(JapaneseSentences.of(theme: "system")).map(\.english))
    for pair in Self.pairs
    where !templates.contains(pair.english) && !system.contains(pair.english) {
      Issue.record("nobody says: \(pair.english)")
    }
  }

  @Test("is found in the sources")
  func isRead() {
    let code = #"""
      case .a(let x): localized("no \(x.map { "\"\($0)\"" }) here \(1)")
      case .b: counted(f(n), "object", "objects") + "plain \u{41}"
      case .c: localized(
        """
        two
          lines
        """)
      var help: String? { isIt ? "write it down" : nil }
      var other: String { "leave it as it is" }
      """#
    let literals = SwiftLiterals(code).all
    #expect(
      literals.map(\.template) == [
        "\"%1\"", "no %1 here %2", "object", "objects", "plain A", "two\n  lines", "write it down",
        "leave it as it is",
      ])
    #expect(literals.compactMap(\.said) == ["no %1 here %2", "%1 objects", "two\n  lines"])
    #expect(literals.filter(\.isBareSentence).map(\.template) == ["write it down"])
  }
}

extension SwiftLiterals.Literal {
  /// The template that is looked up, if the literal is a message; for a count, that of its plural.
  fileprivate var said: String? {
    if code.suffix(120).contains(/counted\((?:[^()]|\([^()]*\))*,"",$/) { return "%1 " + template }
    let words = template.trimmedBlanks
    let hasWords = words.replacing(/%[0-9]/, with: "").contains(where: \.isLetter)
    return code.hasSuffix("localized(") && hasWords ? words : nil
  }

  /// Whether it is a sentence of a fact, or its help, without a translation.
  fileprivate var isBareSentence: Bool {
    guard template.contains(/[a-z]{2,} [a-z]{2,}/), !code.hasSuffix("localized(") else {
      return false
    }
    let starts = ["varsentence:String{", "varhelp:String?{"].compactMap {
      code.range(of: $0, options: .backwards)?.upperBound
    }
    return starts.max().map { code[$0...].isOpen } ?? false
  }
}

extension Substring {
  /// Whether a bracket is open at the end.
  fileprivate var isOpen: Bool {
    var depth = 0
    for byte in utf8 where depth >= 0 {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
    }
    return depth >= 0
  }
}

extension String {
  fileprivate var trimmedBlanks: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
