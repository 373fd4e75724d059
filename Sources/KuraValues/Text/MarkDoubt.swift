import Foundation

/// Where Foundation finds a letter with a mark that is not there.
///
/// It takes a letter before one beyond ASCII that folds for the letter with a mark: it finds "が" in
/// "かＡ" under `[c]`. For a letter with two marks one with a mark of its own is enough: it finds "ế"
/// in "eé". So "not found" is its answer only where what stands before the mark is not found either.
struct MarkDoubt: Sendable {
  /// The folded bytes before the first letter that keeps a mark.
  fileprivate let before: [UInt8]
  /// Whether a letter keeps two marks.
  fileprivate let hasTwoMarks: Bool

  /// The doubt about folded bytes; nil if there is none.
  init?(_ folded: [UInt8], folds: Bool) {
    let scalars = String(decoding: folded, as: UTF8.self).unicodeScalars
    let marked = scalars.indices.filter { scalars[$0].partCount > 1 }
    guard let first = marked.first else { return nil }
    hasTwoMarks = marked.contains { scalars[$0].partCount > 2 }
    guard folds || hasTwoMarks else { return nil }
    before = [UInt8](String(scalars[..<first]).utf8)
  }
}

extension MarkDoubt {
  /// Whether bytes may be of a letter with two marks: ǖ to ȱ, and from Ḉ on.
  static func mayHaveTwoMarks(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 == 0xC7 || $0 == 0xC8 || $0 == 0xE1 }
  }

  fileprivate func applies(to text: UnsafeBufferPointer<UInt8>) -> Bool {
    before.isEmpty || before.withUnsafeBufferPointer { Bytes.contains(text, $0) }
  }
}

extension TextNeedle {
  /// The doubt about texts in which the needle is not; nil if there is none.
  ///
  /// Made when it is wanted: most needles are asked about few texts, and most texts give no cause.
  var doubt: MarkDoubt? {
    guard let folded, !options.contains(.normalized) else { return nil }
    if fold != nil ? foldedSorts : !MarkDoubt.mayHaveTwoMarks(folded) { return nil }
    return MarkDoubt(folded, folds: fold != nil)
  }

  /// Whether Foundation must be asked about a folded text in which the needle is not.
  func isDoubtful(_ text: UnsafeBufferPointer<UInt8>, _ output: TextFold.Output) -> Bool {
    guard !foldedSorts, let folded,
      output.folds || output.decomposes && MarkDoubt.mayHaveTwoMarks(folded),
      let doubt, output.folds || doubt.hasTwoMarks
    else { return false }
    return doubt.applies(to: text)
  }

  /// The same without options.
  func isDoubtful(_ text: UnsafeBufferPointer<UInt8>) -> Bool { doubt?.applies(to: text) == true }
}

extension Unicode.Scalar {
  /// The scalars of its canonical decomposition.
  fileprivate var partCount: Int {
    if isASCII { return 1 }
    return String(Character(self)).decomposedStringWithCanonicalMapping.unicodeScalars.count
  }
}
