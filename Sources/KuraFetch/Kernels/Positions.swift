/// The places of a pattern at which a scalar is read, and which may follow which (Glushkov).
struct Positions {
  private(set) var sets: [ScalarSet] = []
  private var follow: [Set<Int>] = []
  private var last: Set<Int> = []
  private(set) var first: [Int] = []
  private(set) var isNullable = false
  private(set) var cuts: [UInt32] = []

  /// Nil for more places than are worth it.
  init?(_ tree: RegularSyntax.Node) {
    guard let part = part(tree) else { return nil }
    first = part.first.sorted()
    last = part.last
    isNullable = part.isNullable
    keepLineFeedsOff()
    cuts = Positions.cuts(sets)
  }

  private struct Part {
    var first: Set<Int> = []
    var last: Set<Int> = []
    var isNullable = true
  }

  /// Leads on from a set before no line feed by places that do not read one.
  private mutating func keepLineFeedsOff() {
    let lone = sets.indices.filter { sets[$0].isBeforeNoLineFeed }
    let count = sets.count
    guard !lone.isEmpty else { return }
    sets += sets.map { $0.without("\n") }
    last.formUnion(last.map { $0 + count })
    for place in lone { follow[place] = Set(follow[place].map { $0 + count }) }
    follow += follow
  }

  /// Where the classes of scalars begin: a scalar of each class stands for all of it.
  private static func cuts(_ sets: [ScalarSet]) -> [UInt32] {
    var cuts: Set<UInt32> = [0, 0x80]
    for range in sets.flatMap(\.ranges) {
      cuts.insert(range.lowerBound)
      if range.upperBound < ScalarSet.last { cuts.insert(range.upperBound + 1) }
    }
    return cuts.sorted()
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
    }
  }

  private mutating func join(_ a: Part, _ b: Part) -> Part {
    for place in a.last { follow[place].formUnion(b.first) }
    return Part(
      first: a.isNullable ? a.first.union(b.first) : a.first,
      last: b.isNullable ? a.last.union(b.last) : b.last, isNullable: a.isNullable && b.isNullable)
  }

  /// `a{2,4}` is `aaa?a?`, `a{2,}` is `aaa*`.
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
  /// The places among some that read a scalar of the class that begins at `cut`.
  ///
  /// Nil where one of them is known for ASCII alone and this is another class.
  func move(_ places: [Int], _ cut: UInt32) -> [Int]? {
    if cut >= 0x80, places.contains(where: { sets[$0].isASCIIOnly }) { return nil }
    return places.filter { sets[$0].contains(cut) }
  }

  /// What may come behind some places, and whether the text may end there.
  func end(of places: [Int]) -> (next: [Int], accepts: Bool) {
    var next: Set<Int> = []
    for place in places { next.formUnion(follow[place]) }
    return (next.sorted(), places.contains { last.contains($0) })
  }
}
