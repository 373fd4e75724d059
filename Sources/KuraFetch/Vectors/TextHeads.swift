import KuraGraph

extension ColumnChunk {
  /// The first eight bytes of each text, of which the first is the highest, 0 where there are no more: they
  /// order as the texts do, where they differ. Nil until a second use.
  var textHeads: [UInt64]? {
    guard let texts = packedTexts else { return nil }
    return keptHeads { TextViews(texts).heads }
  }
}

extension TextViews {
  fileprivate var heads: [UInt64] {
    var heads = [UInt64](repeating: 0, count: count)
    withAccess { access in
      heads.withUnsafeMutableBufferPointer { heads in
        for place in heads.indices { heads[place] = access.firstWord(place) }
      }
    }
    return heads
  }
}
