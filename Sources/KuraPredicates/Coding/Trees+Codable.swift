extension PredicateTree: Codable {
  /// Encodes the predicate as a text, with a version and the values that a text cannot express.
  ///
  ///     {"kura": 1, "predicate": "title CONTAINS[cd] \"誕生\""}
  ///
  /// Linear in the tree. Throws `EncodingError.invalidValue` for an object without identity, and
  /// for a tree that no text can express.
  public func encode(to encoder: any Encoder) throws {
    try EncodedTree(self, encoder).encode(to: encoder)
  }

  /// Decodes a predicate. The spans of its nodes refer to the encoded text.
  ///
  /// Linear in the encoded data. Throws `DecodingError.dataCorrupted` for an unknown version, and
  /// for a text that cannot be parsed; the diagnostic is the underlying error.
  public init(from decoder: any Decoder) throws {
    self = try EncodedTree<PredicateTree>(from: decoder).tree(decoder)
  }
}

extension ExpressionTree: Codable {
  /// Encodes the expression as a text, with a version and the values that a text cannot express.
  ///
  ///     {"kura": 1, "expression": "price * 2"}
  ///
  /// Linear in the tree. Throws `EncodingError.invalidValue` for an object without identity, and
  /// for a tree that no text can express.
  public func encode(to encoder: any Encoder) throws {
    try EncodedTree(self, encoder).encode(to: encoder)
  }

  /// Decodes an expression. The spans of its nodes refer to the encoded text.
  ///
  /// Linear in the encoded data. Throws `DecodingError.dataCorrupted` for an unknown version, and
  /// for a text that cannot be parsed; the diagnostic is the underlying error.
  public init(from decoder: any Decoder) throws {
    self = try EncodedTree<ExpressionTree>(from: decoder).tree(decoder)
  }
}

extension SortTree: Codable {
  /// Encodes the sort key as a text, with a version and the values that a text cannot express.
  ///
  ///     {"kura": 1, "sort": "title[cd] desc"}
  ///
  /// Linear in the tree. Throws `EncodingError.invalidValue` for an object without identity, and
  /// for a tree that no text can express.
  public func encode(to encoder: any Encoder) throws {
    try EncodedTree(self, encoder).encode(to: encoder)
  }

  /// Decodes a sort key. The spans of its nodes refer to the encoded text.
  ///
  /// Linear in the encoded data. Throws `DecodingError.dataCorrupted` for an unknown version, and
  /// for a text that cannot be parsed; the diagnostic is the underlying error.
  public init(from decoder: any Decoder) throws {
    self = try EncodedTree<SortTree>(from: decoder).tree(decoder)
  }
}
