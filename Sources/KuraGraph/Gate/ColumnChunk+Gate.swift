package import KuraModel
import KuraValues

/// The requirements for the rows of a column, in addition to the column's kind.
package struct ChunkBounds: Sendable {
  /// The number of texts in the column's dictionary; nil without a dictionary.
  package var textCount: Int?
  /// Returns whether a link can lead to a row of the destination's table.
  package var isTarget: @Sendable (UInt32) -> Bool

  package init(
    textCount: Int? = nil, isTarget: @escaping @Sendable (UInt32) -> Bool = { _ in false }
  ) {
    (self.textCount, self.isTarget) = (textCount, isTarget)
  }
}

extension ColumnChunk {
  /// Returns whether a chunk from a file can be part of a column: it is well formed, and each value
  /// has the type of the column and is in its range. Linear in the chunk.
  package func isAdmitted(as kind: ColumnKind, _ bounds: ChunkBounds) -> Bool {
    let (rows, packed) = stored
    guard rows.map({ packed.isPlaced(at: $0, of: count) }) ?? true else { return false }
    switch (kind, packed.compactValues) {
    case (.attribute(let type), .integers):
      return type.integers != nil && packed.isInRange(of: type)
    case (.attribute(let type), .doubles):
      return (type == .double || type == .float) && packed.isInRange(of: type)
    case (.attribute(.boolean), .bytes(let flags)): return flags.allSatisfy { $0 <= 1 }
    case (.attribute, .bytes(let codes)):
      return kind.isText && packed.areCodes(codes, of: bounds.textCount)
    case (.attribute, .codes(let codes)):
      return kind.isText && packed.areCodes(codes, of: bounds.textCount)
    case (.attribute(let type), .text(let texts)):
      return bounds.textCount == nil && texts.isAdmitted(as: type)
    case (.toOne, .links(let links)):
      return links.allSatisfy { $0 == noRow || bounds.isTarget($0) }
    case (.toMany, .linkLists(let lists)): return lists.isSound(bounds.isTarget)
    case (.attribute, .links), (.attribute, .linkLists), (.toOne, _), (.toMany, _): return false
    }
  }

  /// Returns whether numbers are in the range of an attribute's type; null rows contain 0.
  func isInRange(of type: AttributeType) -> Bool {
    switch compactValues {
    case .integers(let numbers):
      guard let range = type.integers, type != .integer else { return type == .integer }
      var (least, greatest) = (Int64.max, Int64.min)
      for number in numbers { (least, greatest) = (min(least, number), max(greatest, number)) }
      return numbers.isEmpty || range.contains(least) && range.contains(greatest)
    case .doubles(let numbers): return numbers.allSatisfy(type.admits)
    case .bytes, .codes, .text, .links, .linkLists: return true
    }
  }

  /// Returns whether the values of a sparse chunk belong to ascending rows below `total`.
  private func isPlaced(at rows: [UInt16], of total: Int) -> Bool {
    rows.count == count && zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
      && rows.last.map { Int($0) < total } ?? true
  }

  /// Returns whether each row that is not null has the code of a text. Loops read the codes of
  /// other rows as well, and discard the results.
  private func areCodes(_ codes: [some FixedWidthInteger], of count: Int?) -> Bool {
    guard let count else { return false }
    if count == 0 { return codes.allSatisfy { $0 == 0 } && codes.indices.allSatisfy(isNull) }
    return codes.allSatisfy { Int($0) < count }
  }
}

extension LinkLists {
  fileprivate func isSound(_ isTarget: (UInt32) -> Bool) -> Bool {
    ends.areEnds(of: rows.count) && rows.allSatisfy(isTarget)
  }
}

extension TextChunk {
  /// Returns whether texts from a file are well formed, and each is a value of a type. Linear in their bytes.
  package func isAdmitted(as type: AttributeType) -> Bool {
    guard ends.areEnds(of: bytes.count), oddRows.map({ $0.count == count }) ?? true,
      (0..<count).allSatisfy(isWellFormed)
    else { return false }
    return type.admitsEveryText
      || (0..<count).allSatisfy { packedRange($0).isEmpty || type.admits(string($0)) }
  }

  /// Returns whether texts from a file can be the dictionary of a column: well formed and distinct.
  package func isAdmittedAsDictionary(of kind: ColumnKind) -> Bool {
    guard case .attribute(let type) = kind, kind.isText, count <= TextDictionary.limit,
      isAdmitted(as: type)
    else { return false }
    return Set((0..<count).map { bytes[packedRange($0)] }).count == count
  }

  /// Returns whether a row is UTF-8, and is marked as odd if it has odd scalars.
  private func isWellFormed(_ row: Int) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[packedRange(row)])
      var oddity = false
      guard let start = text.baseAddress else { return !isOdd(row) }
      return firstInvalidUTF8(start, text.count, &oddity) == nil && isOdd(row) == oddity
    }
  }
}

extension [UInt32] {
  /// Returns whether these are the ends of successive lists with `count` elements in total.
  fileprivate func areEnds(of count: Int) -> Bool {
    zip(self, dropFirst()).allSatisfy { $0 <= $1 } && Int(last ?? 0) == count
  }
}
