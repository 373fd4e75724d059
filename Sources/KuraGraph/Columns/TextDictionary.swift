/// The distinct texts of a column, each with a code: its place in the order of first appearance.
package struct TextDictionary: Sendable {
  package private(set) var texts: TextChunk
  private var codes: [String: UInt16]

  package init(_ texts: TextChunk = TextChunk()) {
    self.texts = texts
    codes = [:]
    for code in 0..<texts.count { codes[texts.string(code)] = UInt16(truncatingIfNeeded: code) }
  }

  /// How many distinct texts a column may have before it holds its texts row by row.
  package static let limit = 65_535

  package var count: Int { texts.count }

  package func string(_ code: Int) -> String { texts.string(code) }

  /// The code of a text whose Unicode scalars are the same, or nil.
  package func code(of text: String) -> UInt16? {
    // Swift's String equality is canonical equivalence; ours is by scalars.
    guard let code = codes[text], string(Int(code)).utf8.elementsEqual(text.utf8) else {
      return scan(text)
    }
    return code
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
    let code = UInt16(truncatingIfNeeded: count)
    texts.append(text.utf8, isOdd: isOdd)
    if codes[text] == nil { codes[text] = code }
    return code
  }
}
