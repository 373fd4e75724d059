import KuraJSON

/// The paths to single values in the JSON of a chunk, as found in a sample of its rows.
struct JSONPaths {
  private(set) var root = Branch(key: [])
  private(set) var paths: [[[UInt8]]] = []

  struct Branch {
    let key: [UInt8]
    /// The index of the path that ends here.
    var path: Int?
    var branches: [Branch] = []
  }

  /// Creates the paths with a requested one, and adds others from a sample if they are few.
  init(_ text: TextChunk, _ nulls: Bitmap?, _ wanted: [[UInt8]]) {
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
  /// Adds the paths of a value; returns false if there are so many keys that they are probably data.
  private mutating func add(_ node: JSONNode, _ path: [[UInt8]]) -> Bool {
    switch node.kind {
    case .boolean, .number, .string:
      if !path.isEmpty { add(path) }
    case .object(let members) where path.count < Self.deepest:
      for member in members where !add(member.value, path + [Array(member.key.utf8)]) {
        return false
      }
    case .object, .array, .null: break
    }
    return paths.count <= Self.mostPaths
  }

  private mutating func add(_ path: [[UInt8]]) {
    guard !paths.contains(path) else { return }
    root.add(path[...], paths.count)
    paths.append(path)
  }
}

extension JSONPaths.Branch {
  fileprivate mutating func add(_ keys: ArraySlice<[UInt8]>, _ path: Int) {
    guard let key = keys.first else {
      self.path = path
      return
    }
    let known = branches.firstIndex { $0.key == key }
    let place = known ?? branches.count
    if known == nil { branches.append(JSONPaths.Branch(key: key)) }
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

/// Reads the values at all paths, in one pass over each text.
struct JSONPathsReader {
  private let paths: [[[UInt8]]]
  /// The nodes of the tree. The branches of a node are consecutive; the root comes first.
  private var nodes: [JSONPathTree.Node] = []
  private var keys: [UInt8] = []
  private var tokens: [JSONTokens]

  init(_ paths: JSONPaths, _ rows: Int) {
    self.paths = paths.paths
    tokens = paths.paths.map { _ in JSONTokens(rows) }
    var waiting = [paths.root]
    var place = 0
    while place < waiting.count {
      let branch = waiting[place]
      let inside = waiting.count..<waiting.count + branch.branches.count
      let key = keys.count..<keys.count + branch.key.count
      nodes.append(JSONPathTree.Node(key: key, path: branch.path ?? -1, inside: inside))
      keys += branch.key
      waiting += branch.branches
      place += 1
    }
  }

  var keyed: [JSONKeys: KeyedJSON] {
    var result: [JSONKeys: KeyedJSON] = [:]
    for (path, tokens) in zip(paths, tokens) {
      result[JSONKeys(path.map { .key($0) })] = KeyedJSON(tokens, isOfElements: false)
    }
    return result
  }

  mutating func noteNothing() { for path in tokens.indices { tokens[path].note(.nothing) } }

  mutating func read(_ json: UnsafeBufferPointer<UInt8>) {
    var reader = JSONSkipper(json)
    let (nodes, keys) = (nodes, keys)
    nodes.withUnsafeBufferPointer { nodes in
      keys.withUnsafeBufferPointer { keys in
        JSONPathTree(nodes: nodes, keys: keys).read(&reader, 0, &tokens)
      }
    }
  }
}

/// The branches of paths in plain memory; nested arrays would be retained for each value.
private struct JSONPathTree {
  let nodes: UnsafeBufferPointer<Node>
  let keys: UnsafeBufferPointer<UInt8>

  struct Node {
    /// The range of its key in the bytes of all keys.
    var key: Range<Int>
    /// The index of the path that ends here, or -1.
    var path: Int
    var inside: Range<Int>
  }

  /// Records the value here, and the values of its keys that are on a path.
  func read(_ reader: inout JSONSkipper, _ node: Int, _ tokens: inout [JSONTokens]) {
    let (path, inside) = (nodes[node].path, nodes[node].inside)
    if inside.isEmpty {
      if path >= 0 { tokens[path].noteValue(&reader) }
      return
    }
    if path >= 0 {
      var value = reader
      tokens[path].noteValue(&value)
    }
    guard !reader.isAtNull else { return noteRest(of: node, 0, .nothing, &tokens) }
    guard reader.entersObject() else { return noteRest(of: node, 0, .unknown, &tokens) }
    var found: UInt64 = 0
    var otherForms: UInt64 = 0
    while let (key, isPlain) = reader.stepsToKey() {
      // With escapes, it is unknown which branch has the key.
      guard isPlain else { return noteRest(of: node, found, .unknown, &tokens) }
      var value = reader
      if let next = place(of: key, reader, in: inside, found) {
        found |= 1 << UInt64(next)
        read(&value, inside.lowerBound + next, &tokens)
        if !nodes[inside.lowerBound + next].inside.isEmpty { value = reader }
      }
      otherForms |= branches(equivalentTo: key, reader, in: inside)
      reader.stepsOver(read: value)
    }
    noteRest(of: node, found | otherForms, .nothing, &tokens)
    noteRest(of: node, ~otherForms | found, .unknown, &tokens)
  }

  /// Records the same kind for the paths of all branches that were not found.
  private func noteRest(
    of node: Int, _ found: UInt64, _ kind: JSONTokens.Token.Kind, _ tokens: inout [JSONTokens]
  ) {
    for (place, next) in nodes[node].inside.enumerated() where found >> UInt64(place) & 1 == 0 {
      if nodes[next].path >= 0 { tokens[nodes[next].path].note(kind) }
      noteRest(of: next, 0, kind, &tokens)
    }
  }

  private func branches(
    equivalentTo key: Range<Int>, _ reader: JSONSkipper, in inside: Range<Int>
  ) -> UInt64 {
    guard reader.json[key].contains(where: { $0 > 0x7F }) else { return 0 }
    return inside.enumerated().reduce(0) { branches, branch in
      let wanted = UnsafeBufferPointer(rebasing: keys[nodes[branch.element].key])
      return reader.isEquivalent(wanted, to: key) ? branches | 1 << UInt64(branch.offset) : branches
    }
  }

  /// Returns the branch of a key among those that were not found yet.
  private func place(
    of key: Range<Int>, _ reader: JSONSkipper, in inside: Range<Int>, _ found: UInt64
  ) -> Int? {
    for (place, next) in inside.enumerated() where found >> UInt64(place) & 1 == 0 {
      let wanted = UnsafeBufferPointer(rebasing: keys[nodes[next].key])
      if reader.has(wanted, at: key) { return place }
    }
    return nil
  }
}
