/// A Glushkov automaton: the places of a pattern that read a scalar, and the places that may follow each.
struct Positions {
  private(set) var sets: [ScalarSet] = []
  private var follow: [Set<Int>] = []
  private var last: Set<Int> = []
  private(set) var first: [Int] = []
  private(set) var isNullable = false
  /// The places of `\b` and `\B`, which read no scalar.
  private var boundaries: [Int: Boundary] = [:]

  /// Returns nil if there are too many places.
  init?(_ tree: RegularSyntax.Node) {
    guard let part = part(tree) else { return nil }
    first = part.first.sorted()
    last = part.last
    isNullable = part.isNullable
    resolveBoundaries()
    keepLineFeedsOff()
  }

  private struct Part {
    var first: Set<Int> = []
    var last: Set<Int> = []
    var isNullable = true
  }

  /// Copies each place, without the line feed; places that no line feed may follow continue with the copies.
  private mutating func keepLineFeedsOff() {
    let lone = sets.indices.filter { sets[$0].isBeforeNoLineFeed }
    let count = sets.count
    guard !lone.isEmpty else { return }
    sets += sets.map { $0.without("\n") }
    last.formUnion(last.map { $0 + count })
    for place in lone { follow[place] = Set(follow[place].map { $0 + count }) }
    follow += follow
  }
}

/// A requirement for the boundary between two scalars.
private struct Boundary: OptionSet, Hashable {
  let rawValue: Int
  /// A word begins or ends.
  static let word = Boundary(rawValue: 1)
  /// No word begins or ends.
  static let noWord = Boundary(rawValue: 2)

  func allows(_ isWord: Bool, _ isNextWord: Bool) -> Bool {
    isDisjoint(with: isWord == isNextWord ? .word : .noWord)
  }
}

extension Positions {
  /// An edge from a place to the next one, or to the end of the text, across boundaries.
  private struct Edge: Hashable {
    let place: Int?
    let boundary: Boundary
  }

  /// The kind of scalar that a copy of a place reads, and whether the next place follows a word.
  ///
  /// In ICU, a mark belongs to the scalar before it: no boundary is between them, and a boundary after the mark depends
  /// on that scalar.
  private enum Side: Int, CaseIterable {
    case word, other, markOfWord, markOfOther

    var isWord: Bool { self == .word || self == .markOfWord }

    /// Returns the scalars of the side.
    func scalars(_ words: ScalarSet, _ marks: ScalarSet) -> ScalarSet {
      switch self {
      case .word: words.intersection(marks.inverted)
      case .other: words.union(marks).inverted
      case .markOfWord, .markOfOther: marks
      }
    }

    /// Returns whether this side may follow a word, or another scalar, across boundaries.
    func mayFollow(word: Bool, _ boundary: Boundary) -> Bool {
      switch self {
      case .word, .other: boundary.allows(word, isWord)
      case .markOfWord, .markOfOther: isWord == word && !boundary.contains(.word)
      }
    }
  }

  /// Replaces the boundaries by one copy of each place per side. Two copies then determine whether a word begins or
  /// ends between them. Before and after the text there is no word.
  private mutating func resolveBoundaries() {
    guard !boundaries.isEmpty, let words = ScalarSet.word, let marks = ScalarSet.combining else {
      return
    }
    let start = edges(to: Set(first), mayEnd: isNullable)
    let after = sets.indices.map { edges(to: follow[$0], mayEnd: last.contains($0)) }
    let sides = Side.allCases
    first = Self.next(start, afterWord: false).sorted()
    isNullable = Self.mayEnd(start, afterWord: false)
    let scalars = sides.map { $0.scalars(words, marks) }
    var copies: [ScalarSet: [ScalarSet]] = [:]
    for set in sets where copies[set] == nil {
      copies[set] = scalars.map(set.intersection)
    }
    sets = sets.flatMap { copies[$0] ?? [] }
    follow = after.flatMap { edges in sides.map { Self.next(edges, afterWord: $0.isWord) } }
    last = Set(
      sets.indices.filter {
        Self.mayEnd(after[$0 / sides.count], afterWord: sides[$0 % sides.count].isWord)
      })
  }

  private static func next(_ edges: Set<Edge>, afterWord: Bool) -> Set<Int> {
    var next: Set<Int> = []
    for edge in edges {
      guard let place = edge.place else { continue }
      for side in Side.allCases where side.mayFollow(word: afterWord, edge.boundary) {
        next.insert(place * Side.allCases.count + side.rawValue)
      }
    }
    return next
  }

  private static func mayEnd(_ edges: Set<Edge>, afterWord: Bool) -> Bool {
    edges.contains { $0.place == nil && $0.boundary.allows(afterWord, false) }
  }

  /// Returns the edges to places that read a scalar, and to the end.
  private func edges(to places: Set<Int>, mayEnd: Bool) -> Set<Edge> {
    var found: Set<Edge> = mayEnd ? [Edge(place: nil, boundary: [])] : []
    var pending = places.map { Edge(place: $0, boundary: []) }
    while let edge = pending.popLast() {
      guard let place = edge.place, found.insert(edge).inserted, let boundary = boundaries[place]
      else { continue }
      let both = edge.boundary.union(boundary)
      pending += follow[place].map { Edge(place: $0, boundary: both) }
      if last.contains(place) { found.insert(Edge(place: nil, boundary: both)) }
    }
    return found.filter { $0.place.map { boundaries[$0] == nil } ?? true }
  }
}

extension Positions {
  private mutating func part(_ node: RegularSyntax.Node) -> Part? {
    switch node {
    case .one(let set):
      guard sets.count < 400 else { return nil }
      sets.append(set)
      follow.append([])
      let place: Set<Int> = [sets.count - 1]
      return Part(first: place, last: place, isNullable: false)
    case .sequence(let nodes):
      var result = Part()
      for node in nodes {
        guard let next = part(node) else { return nil }
        result = join(result, next)
      }
      return result
    case .choice(let nodes):
      var result = Part(isNullable: false)
      for node in nodes {
        guard let next = part(node) else { return nil }
        result.first.formUnion(next.first)
        result.last.formUnion(next.last)
        result.isNullable = result.isNullable || next.isNullable
      }
      return result
    case .several(let inner, let range, let least): return several(inner, range, least)
    case .wordBoundary(let isNegated):
      guard let part = part(.one(ScalarSet([]))) else { return nil }
      boundaries[sets.count - 1] = isNegated ? .noWord : .word
      return part
    }
  }

  private mutating func join(_ a: Part, _ b: Part) -> Part {
    for place in a.last { follow[place].formUnion(b.first) }
    return Part(
      first: a.isNullable ? a.first.union(b.first) : a.first,
      last: b.isNullable ? a.last.union(b.last) : b.last, isNullable: a.isNullable && b.isNullable)
  }

  /// Expands repetitions: `a{2,4}` is `aaa?a?`, `a{2,}` is `aaa*`.
  private mutating func several(
    _ inner: RegularSyntax.Node, _ range: ClosedRange<Int>?, _ least: Int
  ) -> Part? {
    var result = Part()
    for _ in 0..<least {
      guard let next = part(inner) else { return nil }
      result = join(result, next)
    }
    if let range {
      for _ in range.dropFirst() {
        guard var next = part(inner) else { return nil }
        next.isNullable = true
        result = join(result, next)
      }
      return result
    }
    guard var next = part(inner) else { return nil }
    for place in next.last { follow[place].formUnion(next.first) }
    next.isNullable = true
    return join(result, next)
  }
}

extension Positions {
  /// Returns the places that read the scalar.
  func move(_ places: [Int], _ scalar: UInt32) -> [Int] {
    places.filter { sets[$0].contains(scalar) }
  }

  /// Returns the places that may follow, and whether the text may end there.
  func end(of places: [Int]) -> (next: [Int], accepts: Bool) {
    var next: Set<Int> = []
    for place in places { next.formUnion(follow[place]) }
    return (next.sorted(), places.contains { last.contains($0) })
  }
}
