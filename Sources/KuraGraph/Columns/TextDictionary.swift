/// The distinct texts of a column, each with a code: its place in the order of first appearance.
package struct TextDictionary: Sendable {
  private var keptTexts = TextChunk()
  private var keptCodes: [String: UInt16] = [:]
  /// In the place of both, until a text is added.
  private var deferred: (texts: Deferred<TextChunk>, codes: Deferred<[String: UInt16]>)?

  package init() {}

  package init(_ texts: TextChunk) { self.init(Deferred { texts }) }

  /// The texts are made when somebody asks for one, and what finds them when somebody looks for one.
  package init(_ texts: Deferred<TextChunk>) {
    deferred = (texts, Deferred { texts.value.codes })
  }

  package var texts: TextChunk {
    _read {
      if let deferred { yield deferred.texts.address.pointee } else { yield keptTexts }
    }
  }

  /// How many distinct texts a column may have before it holds its texts row by row.
  package static let limit = 65_535

  package var count: Int { texts.count }

  package func string(_ code: Int) -> String { texts.string(code) }

  /// The code of a text whose Unicode scalars are the same, or nil.
  package func code(of text: String) -> UInt16? {
    // Swift's String equality is canonical equivalence; ours is by scalars.
    guard let code = known(text), string(Int(code)).utf8.elementsEqual(text.utf8) else {
      return scan(text)
    }
    return code
  }

  private func known(_ text: String) -> UInt16? {
    if let deferred { deferred.codes.address.pointee[text] } else { keptCodes[text] }
  }

  private func scan(_ text: String) -> UInt16? {
    guard texts.oddRows != nil else { return nil }
    return (0..<count).first { string($0).utf8.elementsEqual(text.utf8) }
      .map { UInt16(truncatingIfNeeded: $0) }
  }

  /// The code of a text, given one if it has none; nil if the dictionary is full.
  package mutating func encode(_ text: String, isOdd: Bool) -> UInt16? {
    if let code = code(of: text) { return code }
    guard count < TextDictionary.limit else { return nil }
    keepBoth()
    let code = UInt16(truncatingIfNeeded: count)
    keptTexts.append(text.utf8, isOdd: isOdd)
    // Of equal ones the first stays; the text is looked up once.
    keptCodes[text, default: code] += 0
    return code
  }

  /// Before they change.
  private mutating func keepBoth() {
    guard let made = deferred else { return }
    (keptTexts, keptCodes) = (made.texts.value, made.codes.value)
    deferred = nil
  }
}

extension TextChunk {
  /// The place of each text; of equal ones the first or the last, for who asks compares the bytes.
  fileprivate var codes: [String: UInt16] {
    var codes: [String: UInt16] = [:]
    for code in 0..<count { codes[string(code)] = UInt16(truncatingIfNeeded: code) }
    return codes
  }
}
