import KuraGraph
import KuraValues

/// An automaton for folded texts: `title MATCHES[c] "(meet|call) .*7"`.
///
/// Texts with letters that may match in other ways are left to ICU.
struct FoldedAutomaton: Sendable {
  private let automaton: Automaton
  let fold: TextFold
  /// The letters of the pattern, which ICU may find in other scalars; nil means all letters.
  private let letters: LetterSet?

  /// Returns nil for patterns that are not regular, and for letters that bytes do not distinguish.
  init?(_ pattern: String, _ options: TextOptions) {
    guard let folding = PatternFolding(options),
      let syntax = RegularSyntax(folding.folded(pattern: pattern)),
      let tree = options.contains(.caseInsensitive) ? syntax.tree.ignoringCase : syntax.tree,
      let automaton = Automaton(RegularSyntax(tree: tree))
    else { return nil }
    self.automaton = automaton
    fold = folding.fold
    letters = options.contains(.caseInsensitive) ? syntax.tree.letters : []
  }

  /// Returns the rows with texts that may match: in ASCII texts only case is folded, which the automaton handles.
  func mayMatch(_ texts: TextAccess, among candidates: Bitmap) -> Bitmap {
    automaton.mayMatch(texts, among: candidates)
  }

  /// Returns whether the key of a text matches; nil if ICU must decide.
  func matches(_ key: UnsafeBufferPointer<UInt8>) -> Bool? {
    let several = key.lettersOfSeveral
    let isSure = letters.map(several.isDisjoint) ?? several.isEmpty
    return isSure ? automaton.matches(key, key.indices) : nil
  }
}

extension RegularSyntax.Node {
  /// The syntax with both cases of each letter; nil if a set has scalars beyond ASCII that may have case.
  fileprivate var ignoringCase: RegularSyntax.Node? {
    switch self {
    case .one(let set): return set.ignoringCase.map { .one($0) }
    case .sequence(let parts): return parts.mapAll(\.ignoringCase).map { .sequence($0) }
    case .choice(let parts): return parts.mapAll(\.ignoringCase).map { .choice($0) }
    case .several(let inner, let range, let least):
      return inner.ignoringCase.map { .several($0, range, least: least) }
    case .wordBoundary: return self
    }
  }
}

extension ScalarSet {
  fileprivate var ignoringCase: ScalarSet? {
    if [.notReturn, .loneReturn, .all].contains(self) { return self }
    if let last = ranges.last, last.upperBound >= 0x80 {
      if Self.letterClasses.contains(self) { return self }
      let beyond = intersection(.beyondASCII)
      // In `[\w-]`, all cases of each scalar beyond ASCII are in the set.
      guard let cased = ScalarSet.cased,
        beyond.intersection(cased).ranges.isEmpty
          || Self.letterClasses.contains(where: { $0.intersection(.beyondASCII) == beyond })
      else { return nil }
    }
    var letters: [ClosedRange<UInt32>] = []
    for range in ranges where range.lowerBound < 0x80 {
      let (small, capital) = (range.clamped(to: 0x61...0x7A), range.clamped(to: 0x41...0x5A))
      if range.overlaps(0x61...0x7A) {
        letters.append(small.lowerBound - 32...small.upperBound - 32)
      }
      if range.overlaps(0x41...0x5A) {
        letters.append(capital.lowerBound + 32...capital.upperBound + 32)
      }
    }
    return ScalarSet(ranges + letters)
  }

  /// The sets that letters name, such as `\w` and `\W`; none distinguishes the cases of a letter.
  private static let letterClasses = "dwsDWS".unicodeScalars.compactMap { ScalarSet.named($0) }
  private static let beyondASCII = ScalarSet([0x80...ScalarSet.last])
}

/// Some of the letters a to z.
private struct LetterSet: OptionSet {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ letters: String) {
    rawValue = letters.utf8.reduce(0) { $0 | 1 << UInt32(($1 | 0x20) & 31) }
  }
}

extension RegularSyntax.Node {
  /// The ASCII letters that the pattern names one by one; nil if it has sets of letters.
  fileprivate var letters: LetterSet? {
    switch self {
    case .one(let set):
      if [.notReturn, .loneReturn, .all].contains(set) { return [] }
      let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars.filter {
        set.contains($0.value)
      }
      // Most letters are in a class such as `\w`.
      return letters.count > 26 ? nil : LetterSet(String(String.UnicodeScalarView(letters)))
    case .sequence(let parts), .choice(let parts):
      return parts.reduce([]) { all, part in
        all.flatMap { all in part.letters.map { all.union($0) } }
      }
    case .several(let inner, _, _): return inner.letters
    case .wordBoundary: return []
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The ASCII letters that scalars of the text equal except for case: s for ß and ſ, k for the Kelvin sign.
  fileprivate var lettersOfSeveral: LetterSet {
    var found: LetterSet = []
    // The first bytes of these scalars
    let leads: UInt64 = [0xC3, 0xC4, 0xC5, 0xC7, 0xE1, 0xE2, 0xEF].reduce(0) { $0 | 1 << ($1 & 63) }
    for (place, byte) in enumerated() where byte >= 0xC0 && leads >> UInt64(byte & 63) & 1 == 1 {
      let length = byte < 0xE0 ? 2 : 3
      if place + length <= count {
        switch UInt32(scalarIn: self, at: place, length) {
        case 0xDF, 0x17F: found.formUnion(LetterSet("s"))
        case 0x130, 0x131: found.formUnion(LetterSet("i"))
        case 0x149: found.formUnion(LetterSet("n"))
        case 0x1F0: found.formUnion(LetterSet("j"))
        case 0x1E96...0x1E9E: found.formUnion(LetterSet("ahstwy"))
        case 0x212A: found.formUnion(LetterSet("k"))
        case 0xFB00...0xFB06: found.formUnion(LetterSet("filst"))
        default: break
        }
      }
    }
    return found
  }
}
