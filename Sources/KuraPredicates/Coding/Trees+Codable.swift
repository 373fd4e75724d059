extension PredicateTree: Codable {
  /// Keeps the predicate as text, with a version and what a text cannot say.
  ///
  ///     {"kura": 1, "predicate": "title CONTAINS[cd] \"誕生\""}
  ///
  /// Linear in the tree. Throws `EncodingError.invalidValue` for an object without identity, and
  /// for a tree built without a text that none could say.
  public func encode(to encoder: any Encoder) throws {
    try KeptTree(self, encoder).encode(to: encoder)
  }

  /// Reads a kept predicate; the spans of its nodes are places in the kept text.
  ///
  /// Linear in what was kept. Throws `DecodingError.dataCorrupted` for a version that this does not
  /// know, and for a text that is none; the diagnostic is its underlying error.
  public init(from decoder: any Decoder) throws {
    self = try KeptTree<PredicateTree>(from: decoder).tree(decoder)
  }
}

extension ExpressionTree: Codable {
  /// Keeps the expression as text, with a version and what a text cannot say.
  ///
  ///     {"kura": 1, "expression": "price * 2"}
  ///
  /// Linear in the tree. Throws `EncodingError.invalidValue` for an object without identity, and
  /// for a tree built without a text that none could say.
  public func encode(to encoder: any Encoder) throws {
    try KeptTree(self, encoder).encode(to: encoder)
  }

  /// Reads a kept expression; the spans of its nodes are places in the kept text.
  ///
  /// Linear in what was kept. Throws `DecodingError.dataCorrupted` for a version that this does not
  /// know, and for a text that is none; the diagnostic is its underlying error.
  public init(from decoder: any Decoder) throws {
    self = try KeptTree<ExpressionTree>(from: decoder).tree(decoder)
  }
}

extension SortTree: Codable {
  /// Keeps the sort key as text, with a version and what a text cannot say.
  ///
  ///     {"kura": 1, "sort": "title[cd] desc"}
  ///
  /// Linear in the tree. Throws `EncodingError.invalidValue` for an object without identity, and
  /// for a tree built without a text that none could say.
  public func encode(to encoder: any Encoder) throws {
    try KeptTree(self, encoder).encode(to: encoder)
  }

  /// Reads a kept sort key; the spans of its nodes are places in the kept text.
  ///
  /// Linear in what was kept. Throws `DecodingError.dataCorrupted` for a version that this does not
  /// know, and for a text that is none; the diagnostic is its underlying error.
  public init(from decoder: any Decoder) throws {
    self = try KeptTree<SortTree>(from: decoder).tree(decoder)
  }
}
