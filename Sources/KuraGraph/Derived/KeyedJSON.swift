/// What a chunk's JSON values have at the end of some keys, as a column has it.
///
/// Made once for a chunk: a question about a key of nested JSON reads numbers and texts, and no JSON.
package struct KeyedJSON: Sendable {
  /// What most of the values are; that of the others no column has.
  package let kind: Kind
  /// The values; a row without one is null.
  package let chunk: ColumnChunk
  /// The rows whose value is of another kind: only who reads the JSON knows it.
  package let odd: Bitmap?
  /// Of texts those that differ, where they are few; made when somebody asks for them.
  package let few: Deferred<FewTexts?>
  /// Of values in lists where each row's end; nil: each row has one value.
  package let ends: [UInt32]?
  /// Of values in lists the rows that have no list, and no null.
  package let unlisted: Bitmap?

  package enum Kind: Sendable, Hashable {
    case nothing, integers, doubles, booleans, texts
    /// Integers and doubles, all as doubles
    case numbers
  }
}

/// Keys that lead into JSON: `user.name`, or what all elements of a list have there.
///
/// Equal by their scalars: an object may have keys that are the same text in other scalars.
package struct JSONKeys: Hashable, Sendable {
  package let keys: [String]
  /// Whether there is a list on the way or at the end, whose elements are wanted.
  package let isOfElements: Bool

  package init(_ keys: [String], isOfElements: Bool = false) {
    (self.keys, self.isOfElements) = (keys, isOfElements)
  }

  package static func == (a: JSONKeys, b: JSONKeys) -> Bool {
    a.isOfElements == b.isOfElements
      && a.keys.elementsEqual(b.keys) { $0.utf8.elementsEqual($1.utf8) }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

extension KeyedJSON {
  /// Reads the JSON of a chunk's rows.
  init(_ text: TextChunk, _ nulls: Bitmap?, _ path: JSONKeys) {
    var tokens = JSONTokens(text.count, path)
    for row in 0..<text.count {
      if nulls?[row] == true {
        tokens.noteNothing()
      } else {
        text.withText(row) { tokens.read($0.bindMemory(to: UInt8.self), row) }
      }
      tokens.endRow()
    }
    self.init(tokens, isOfElements: path.isOfElements)
  }

  /// Of what was found.
  init(_ tokens: JSONTokens, isOfElements: Bool) {
    let kind = tokens.kind
    var builder = KeyedValues(kind, tokens.tokens.count)
    tokens.bytes.withUnsafeBufferPointer { bytes in
      for token in tokens.tokens { builder.append(token, bytes) }
    }
    self.kind = kind
    let chunk = builder.chunk
    self.chunk = chunk
    few = Deferred {
      if case .text(let texts) = chunk.values, kind == .texts { FewTexts(texts) } else { nil }
    }
    odd = builder.odd.isEmpty ? nil : builder.odd
    ends = isOfElements ? tokens.ends : nil
    unlisted = tokens.unlisted.isEmpty ? nil : tokens.unlisted
  }

  /// What some keys lead to, and what the keys beside them do that lead to single values: one pass
  /// reads them all.
  static func all(_ text: TextChunk, _ nulls: Bitmap?, _ path: JSONKeys) -> [JSONKeys: KeyedJSON] {
    if path.isOfElements { return [path: KeyedJSON(text, nulls, path)] }
    var reader = JSONPathsReader(JSONPaths(text, nulls, path.keys), text.count)
    for row in 0..<text.count {
      if nulls?[row] == true {
        reader.noteNothing()
      } else {
        text.withText(row) { reader.read($0.bindMemory(to: UInt8.self)) }
      }
    }
    return reader.keyed
  }
}

extension ColumnChunk {
  /// What the chunk's JSON has at the end of some keys.
  package func keyedJSON(_ path: JSONKeys) -> KeyedJSON? {
    guard case .text(let text) = values else { return nil }
    return derived.keyed(path) { KeyedJSON.all(text, nulls, path) }
  }
}
