import KuraJSON

/// The keys that lead to single values in the JSON of a chunk, as far as some of its rows show them.
struct JSONPaths {
  private(set) var root = Branch(key: [])
  private(set) var paths: [[String]] = []

  /// A key, and what goes on behind it.
  struct Branch {
    let key: [UInt8]
    /// Which of the paths ends here.
    var path: Int?
    var branches: [Branch] = []
  }

  /// With one path that is wanted; others are added where they are few.
  init(_ text: TextChunk, _ nulls: Bitmap?, _ wanted: [String]) {
    add(wanted)
    let alone = self
    for row in stride(from: 0, to: text.count, by: max(1, text.count / Self.sample)) {
      guard nulls?[row] != true, let node = text.json(row) else { continue }
      guard add(node, []) else {
        self = alone
        return
      }
    }
  }

  private static let sample = 8
  private static let mostPaths = 16
  private static let deepest = 4
}

extension JSONPaths {
  /// False where keys are so many that they are rather data.
  private mutating func add(_ node: JSONNode, _ path: [String]) -> Bool {
    switch node.kind {
    case .boolean, .number, .string:
      if !path.isEmpty { add(path) }
    case .object(let members) where path.count < Self.deepest:
      for member in members where !add(member.value, path + [member.key]) { return false }
    case .object, .array, .null: break
    }
    return paths.count <= Self.mostPaths
  }

  private mutating func add(_ path: [String]) {
    guard !paths.contains(path) else { return }
    root.add(path[...], paths.count)
    paths.append(path)
  }
}

extension JSONPaths.Branch {
  fileprivate mutating func add(_ keys: ArraySlice<String>, _ path: Int) {
    guard let key = keys.first else {
      self.path = path
      return
    }
    // Keys are texts: one that is written with other scalars is the same.
    let known = branches.firstIndex { String(decoding: $0.key, as: UTF8.self) == key }
    let place = known ?? branches.count
    if known == nil { branches.append(JSONPaths.Branch(key: Array(key.utf8))) }
    branches[place].add(keys.dropFirst(), path)
  }
}

extension TextChunk {
  fileprivate func json(_ row: Int) -> JSONNode? {
    var bytes: [UInt8] = []
    withText(row) { bytes = Array($0) }
    return try? JSONNode(reading: bytes)
  }
}

/// Finds the values at the end of all paths, in one pass over each text.
struct JSONPathsReader {
  private let paths: JSONPaths
  private var tokens: [JSONTokens]

  init(_ paths: JSONPaths, _ rows: Int) {
    self.paths = paths
    tokens = paths.paths.map { _ in JSONTokens(rows) }
  }

  var keyed: [JSONKeys: KeyedJSON] {
    var result: [JSONKeys: KeyedJSON] = [:]
    for (path, tokens) in zip(paths.paths, tokens) {
      result[JSONKeys(path)] = KeyedJSON(tokens, isOfElements: false)
    }
    return result
  }
}

extension JSONPathsReader {
  mutating func noteNothing() { for path in tokens.indices { tokens[path].note(.nothing) } }

  mutating func read(_ json: UnsafeBufferPointer<UInt8>) {
    var reader = JSONSkipper(json)
    read(&reader, paths.root)
  }

  /// Notes what stands here, and what is behind the keys that go on.
  private mutating func read(_ reader: inout JSONSkipper, _ branch: JSONPaths.Branch) {
    if branch.branches.isEmpty {
      if let path = branch.path { tokens[path].noteValue(&reader) }
      return
    }
    if let path = branch.path {
      var value = reader
      tokens[path].noteValue(&value)
    }
    guard !reader.isAtNull else { return noteRest(of: branch, 0, .nothing) }
    guard reader.entersObject() else { return noteRest(of: branch, 0, .other) }
    var found: UInt64 = 0
    while let (key, isPlain) = reader.stepsToKey() {
      // Who could be that key is not known.
      guard isPlain else { return noteRest(of: branch, found, .other) }
      var value = reader
      if let next = branch.place(of: key, reader, found) {
        found |= 1 << UInt64(next)
        read(&value, branch.branches[next])
        if !branch.branches[next].branches.isEmpty { value = reader }
      }
      reader.stepsOver(read: value)
    }
    noteRest(of: branch, found, .nothing)
  }

  /// Notes the same for all paths of the branches that were not found.
  private mutating func noteRest(
    of branch: JSONPaths.Branch, _ found: UInt64, _ kind: JSONTokens.Token.Kind
  ) {
    for (place, next) in branch.branches.enumerated() where found >> UInt64(place) & 1 == 0 {
      if let path = next.path { tokens[path].note(kind) }
      noteRest(of: next, 0, kind)
    }
  }
}

extension JSONPaths.Branch {
  /// The branch of a key, of those that were not found yet.
  fileprivate func place(
    of key: Range<Int>, _ reader: JSONSkipper, _ found: UInt64
  ) -> Int? {
    for place in branches.indices where found >> UInt64(place) & 1 == 0 {
      if reader.has(branches[place].key, at: key) { return place }
    }
    return nil
  }
}
