/// The values at a path in a chunk's JSON, in column form.
///
/// It is created once per chunk, so that a query on a key of nested JSON reads numbers and texts instead of JSON.
package struct KeyedJSON: Sendable {
  /// The kind of most values; others have no column form.
  package let kind: Kind
  /// The values; null for rows without one.
  package let chunk: ColumnChunk
  /// The rows with a value of another kind, which must be read from the JSON.
  package let odd: Bitmap?
  /// The rows among them with a text among numbers, or a number among texts.
  package let mismatched: Bitmap?
  /// The rows among them that may have no value.
  package let unknown: Bitmap?
  /// The rows with an integer, if others have a double.
  package let integral: Bitmap?
  /// The distinct texts, if they are few; created on demand.
  package let few: Deferred<ChunkDictionary?>
  /// For values in lists, the end of each row's values; nil if each row has one value.
  package let ends: [UInt32]?
  /// For values in lists, the rows that have neither a list nor null.
  package let unlisted: Bitmap?
  /// For values in lists, the rows with null or nothing instead of a list.
  package let withoutList: Bitmap?

  package enum Kind: Sendable, Hashable {
    case nothing, integers, doubles, booleans, texts
    /// Integers and doubles, all as doubles
    case numbers

    package var isNumeric: Bool { [.integers, .doubles, .numbers].contains(self) }
  }
}

/// A path in JSON, such as `user.name` or `tags[0]`, to single values or to values in the elements of a list.
package struct JSONKeys: Hashable, Sendable {
  package let steps: [Step]
  /// The list whose elements the path reads; nil for a path to single values.
  package let list: List?

  package enum List: Hashable, Sendable {
    /// The first list that the path leads through or to.
    case first
    /// The list after a number of steps.
    case after(Int)
  }

  /// A step of a path. Keys are compared by scalars, because an object can have canonically equivalent keys.
  package enum Step: Hashable, Sendable {
    case key([UInt8])
    case element(Int)
    case lastElement

    package static func key(_ key: String) -> Step { .key(Array(key.utf8)) }
  }

  package init(_ steps: [Step], elementsOf list: List? = nil) {
    (self.steps, self.list) = (steps, list)
  }

  package init(_ keys: [String]) { self.init(keys.map { Step.key($0) }) }

  /// The keys of a path to single values by keys alone; nil for other paths.
  var keys: [[UInt8]]? {
    if list != nil { return nil }
    let keys = steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    return keys.count == steps.count ? keys : nil
  }
}

extension KeyedJSON {
  /// Reads the JSON of a chunk's rows.
  init(_ text: TextChunk, _ nulls: Bitmap?, _ path: JSONKeys) {
    var tokens = JSONTokens(text.count, path)
    for row in 0..<text.count {
      if nulls?[row] == true {
        tokens.noteNothing(row)
      } else {
        text.withText(row) { tokens.read($0.bindMemory(to: UInt8.self), row) }
      }
      tokens.endRow()
    }
    self.init(tokens, isOfElements: path.list != nil)
  }

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
      if case .text(let texts) = chunk.values, kind == .texts {
        ChunkDictionary(texts)
      } else {
        nil
      }
    }
    odd = builder.odd.isEmpty ? nil : builder.odd
    mismatched = builder.mismatched.isEmpty ? nil : builder.mismatched
    unknown = builder.unknown.isEmpty ? nil : builder.unknown
    integral = kind == .numbers ? builder.integral : nil
    ends = isOfElements ? tokens.ends : nil
    unlisted = tokens.unlisted.isEmpty ? nil : tokens.unlisted
    withoutList = tokens.withoutList.isEmpty ? nil : tokens.withoutList
  }

  /// Returns the values at a path and at neighboring paths to single values, in one pass.
  static func all(_ text: TextChunk, _ nulls: Bitmap?, _ path: JSONKeys) -> [JSONKeys: KeyedJSON] {
    guard let keys = path.keys else { return [path: KeyedJSON(text, nulls, path)] }
    var reader = JSONPathsReader(JSONPaths(text, nulls, keys), text.count)
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
  /// Returns the values at a path in the chunk's JSON.
  package func keyedJSON(_ path: JSONKeys) -> KeyedJSON? {
    guard case .text(let text) = values else { return nil }
    return derived.keyed(path) { KeyedJSON.all(text, nulls, path) }
  }
}
