import KuraGraph
import KuraPredicates

extension VectorKind {
  /// Returns the common kind of values of several kinds; nil if they are not numbers, or if booleans, which remain
  /// booleans, are among others.
  static func together(_ kinds: [VectorKind]) -> VectorKind? {
    guard let first = kinds.first else { return nil }
    if kinds.allSatisfy({ $0 == first }) { return first }
    guard kinds.allSatisfy(\.isNumber), !kinds.contains(.boolean) else { return nil }
    // A decimal among doubles remains a decimal, and a vector cannot have both.
    if kinds.contains(where: \.hasDecimals) {
      return kinds.allSatisfy { $0.hasDecimals || $0 == .integer } ? .exact : nil
    }
    return kinds.contains(where: \.isReal) ? .mixed : nil
  }
}

extension TextLane {
  /// Returns the texts of the set rows from here, the others from another lane.
  fileprivate func chosen(_ rows: Bitmap, else other: TextLane) -> TextLane {
    if let few = fewChosen(rows, else: other) { return few }
    let (mine, others) = (ownForEach(rows.count), other.ownForEach(rows.count))
    let views = mine.chosen(rows, else: others) ?? mine.copied(rows, else: others)
    return TextLane(texts: views, places: .own)
  }
}

extension TextViews {
  /// Returns the concatenated bytes of both, with a range per row; nil if they are too many.
  fileprivate func chosen(_ rows: Bitmap, else others: TextViews) -> TextViews? {
    guard let shift = UInt32(exactly: others.bytes.count),
      others.bytes.count + bytes.count <= Int(UInt32.max)
    else { return nil }
    var (starts, ends) = (others.allStarts, others.ends)
    let mine = allStarts
    starts.withUnsafeMutableBufferPointer { starts in
      ends.withUnsafeMutableBufferPointer { ends in
        rows.eachRow { row in
          starts[row] = mine[row] &+ shift
          ends[row] = self.ends[row] &+ shift
        }
      }
    }
    return TextViews(bytes: others.bytes + bytes, starts: starts, ends: ends)
  }

  fileprivate func copied(_ rows: Bitmap, else others: TextViews) -> TextViews {
    var builder = TextBuilder(rows.count)
    withAccess { mine in
      others.withAccess { others in
        for row in 0..<rows.count { builder.append(rows.has(row) ? mine[row] : others[row]) }
      }
    }
    return builder.texts
  }
}

extension TextViews {
  /// The start of each text.
  fileprivate var allStarts: [UInt32] {
    starts ?? (ends.isEmpty ? [] : [0] + ends.dropLast())
  }
}

extension TextLane {
  /// The maximum number of texts for which numbering them saves time.
  static let few = 64

  /// Returns the chosen texts as numbered texts, if both lanes have few.
  private func fewChosen(_ rows: Bitmap, else other: TextLane) -> TextLane? {
    if case .own = places { return nil }
    if case .own = other.places { return nil }
    guard texts.count + other.texts.count <= Self.few else { return nil }
    var builder = TextBuilder(Self.few)
    texts.forEach { builder.append($1) }
    other.texts.forEach { builder.append($1) }
    let mine = numbers(rows.count, from: 0)
    var numbers = other.numbers(rows.count, from: UInt32(texts.count))
    numbers.withUnsafeMutableBufferPointer { numbers in
      mine.withUnsafeBufferPointer { mine in rows.eachRow { numbers[$0] = mine[$0] } }
    }
    return TextLane(texts: builder.texts, places: .numbered(numbers))
  }

  /// Returns the number of each row's text, counted from `first`.
  private func numbers(_ count: Int, from first: UInt32) -> [UInt32] {
    switch places {
    case .own: (0..<count).map { UInt32($0) &+ first }
    case .same: Array(repeating: first, count: count)
    case .numbered(let numbers): numbers.map { $0 &+ first }
    }
  }
}

extension Vector {
  /// Returns the values as values of a kind that contains them. An integer without an equal double is left to the
  /// reference evaluator.
  func like(_ kind: VectorKind, from own: VectorKind, _ count: Int) -> Vector {
    var result = self
    if kind.isMixed, !own.isMixed {
      result.integral = Bitmap(count: count, filledWith: own == .integer || own == .boolean)
    }
    guard kind.isReal, case .integers(let lane) = values else { return result }
    return result.with(.doubles(doubles)).leaving(lane.rows(count) { $0.magnitude > 1 << 53 })
  }

  /// Returns the values of some rows from here, the others from another vector.
  func chosen(_ rows: Bitmap, else next: Vector) -> Vector {
    let (mine, other) = Vector.aligned((self, rows.count), (next, rows.count))
    func together(_ mine: Bitmap?, _ others: Bitmap?) -> Bitmap? {
      (mine?.intersection(rows)).union(others?.subtracting(rows))
    }
    let numbers: Numbers
    switch (mine.values, other.values) {
    case (.integers(let x), .integers(let y)): numbers = .integers(x.chosen(rows, else: y))
    case (.decimals(let x, let places), .decimals(let y, _)):
      numbers = .decimals(x.chosen(rows, else: y), places: places)
    case (.longDecimals(let x, let places), .longDecimals(let y, _)):
      numbers = .longDecimals(x.chosen(rows, else: y), places: places)
    case (.texts(let x), .texts(let y)): numbers = .texts(x.chosen(rows, else: y))
    default: numbers = .doubles(mine.doubles.chosen(rows, else: other.doubles))
    }
    var result = Vector(
      numbers, nulls: together(mine.nulls, other.nulls),
      fallback: together(mine.fallback, other.fallback))
    if mine.integral != nil, other.integral != nil {
      result.integral = together(mine.integral, other.integral)
    }
    return result
  }
}

extension ComputedNode {
  /// `coalesce(cost, 0)`
  static func coalesced(_ parts: [any VectorNode]) -> ComputedNode? {
    let kinds = parts.map(\.kind)
    guard let kind = VectorKind.together(kinds) else { return nil }
    return ComputedNode(kind, parts, cost: Double(parts.count)) { vectors, rows in
      let values = zip(vectors, kinds).map { $0.like(kind, from: $1, rows.count) }
      return values.dropFirst().reduce(values[0]) { first, next in
        // An error in a part is an error of the whole, even if the part is not needed.
        var result = first.nulls.map { next.chosen($0, else: first) } ?? first
        result.fallback = result.fallback.union(first.fallback).union(next.fallback)
        return result
      }
    }
  }
}

/// `TERNARY(done == YES, 1, priority)`
struct TernaryNode: VectorNode {
  let condition: Filter
  let yes: any VectorNode
  let no: any VectorNode
  let kind: VectorKind

  init?(_ condition: Filter, _ yes: any VectorNode, _ no: any VectorNode) {
    guard condition.isOfKernels, let kind = VectorKind.together([yes.kind, no.kind]) else {
      return nil
    }
    (self.condition, self.yes, self.no, self.kind) = (condition, yes, no, kind)
  }

  var parts: [any VectorNode] { [yes, no] }

  func prepare() {
    condition.prepare()
    for part in parts { part.prepare() }
  }

  var cost: Double { condition.cost + yes.cost + no.cost + 2 }
  var neverFallsBack: Bool { condition.cannotFail && yes.neverFallsBack && no.neverFallsBack }

  func vector(_ rows: ChunkRows) -> Vector {
    let answer = condition.kernelAnswer(rows)
    let result = yes.vector(rows).like(kind, from: yes.kind, rows.count)
      .chosen(answer.passing, else: no.vector(rows).like(kind, from: no.kind, rows.count))
    guard let fallback = answer.fallback else { return result }
    var left = result
    left.fallback = result.fallback.union(fallback)
    left.nulls?.subtract(fallback)
    return left
  }
}
