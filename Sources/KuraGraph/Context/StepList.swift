/// A list of steps in which runs of insertions are stored as one part.
struct StepList<Step: RunStep>: Sendable {
  private var parts: [Part] = []
  private(set) var count = 0
  /// The number of steps since the last attempt to merge steps.
  private var unseen = 0
  /// The count from which condensing the first steps is attempted.
  private var mostUncondensed = StepList.leastCondensed

  enum Part: Sendable {
    case step(Step)
    /// Some steps of a run.
    case run(InsertedRun, Range<Int>)
  }

  /// The minimum number of steps for which the list is condensed.
  private static var leastCondensed: Int { 1024 }
}

/// A step that a list can store as part of a run.
protocol RunStep: Sendable {
  init(_ run: InsertedRun, _ place: Int)
  /// The step as an insertion of one object; nil for any other step.
  var insertion: InsertedRun? { get }
}

extension StepList {
  var isEmpty: Bool { count == 0 }

  var first: Step? { parts.first.map { $0[0] } }

  var last: Step? { parts.last.map { $0[$0.count - 1] } }

  mutating func append(_ part: Part, in graph: Graph) {
    parts.append(part)
    count += part.count
    unseen += part.count
    if unseen >= InsertedRun.most { pack(in: graph) }
  }

  @discardableResult
  mutating func popLast() -> Step? {
    guard let part = parts.popLast() else { return nil }
    let step = part[part.count - 1]
    if case .run(let run, let places) = part, places.count > 1 {
      parts.append(.run(run, places.dropLast()))
    }
    count -= 1
    unseen = max(0, unseen - 1)
    return step
  }

  mutating func removeFirst(_ number: Int) {
    var rest = min(number, count)
    count -= rest
    while rest > 0, let part = parts.first {
      parts.removeFirst()
      if case .run(let run, let places) = part, places.count > rest {
        parts.insert(.run(run, places.dropFirst(rest)), at: 0)
      }
      rest -= part.count
    }
  }

  /// Merges the trailing insertions into a run.
  private mutating func pack(in graph: Graph) {
    let end = parts.count
    let found = InsertedRun.found(in: graph) { place in
      place < end ? parts[end - 1 - place].insertions : nil
    }
    unseen = 0
    guard let (fromEnd, run) = found else { return }
    parts.replaceSubrange(
      end - fromEnd.upperBound..<end - fromEnd.lowerBound, with: [.run(run, 0..<run.count)])
    unseen = parts.suffix(fromEnd.lowerBound).reduce(0) { $0 + $1.count }
  }

  /// Replaces the first parts, which contain only old steps, by fewer steps.
  ///
  /// `condense` returns them with the number of objects they contain, or nil to keep the parts. It
  /// is called when the numbers of steps and objects have doubled since the last time, so that the
  /// amortized cost per step is constant.
  mutating func condense(
    where isOld: (Step) -> Bool, _ condense: (ArraySlice<Part>) -> (steps: [Step], size: Int)?
  ) {
    guard count >= mostUncondensed else { return }
    let old = parts.prefix { isOld($0[$0.count - 1]) }
    var size = 0
    if let fewer = condense(old) {
      size = fewer.size
      count += fewer.steps.count - old.reduce(0) { $0 + $1.count }
      parts.replaceSubrange(old.indices, with: fewer.steps.map(Part.step))
      unseen = min(unseen, count)
    }
    mostUncondensed = count + max(Self.leastCondensed, count, size)
  }

  /// Returns the parts after the first ones.
  func parts(after first: Int) -> ArraySlice<Part> { parts[first...] }

  mutating func mapAll(_ transform: (Step) -> Step) {
    parts = all.map { .step(transform($0)) }
  }

  /// All steps in order. Linear.
  var all: [Step] { parts.flatMap { part in (0..<part.count).map { part[$0] } } }

  /// Returns the results of closures for each step, and for each run as a whole, in order.
  func mapParts<Answer>(
    step: (Step) -> Answer, run: (InsertedRun, Range<Int>) -> Answer
  ) -> [Answer] {
    parts.map { part in
      switch part {
      case .step(let one): step(one)
      case .run(let some, let places): run(some, places)
      }
    }
  }
}

extension StepList.Part {
  var count: Int {
    switch self {
    case .step: 1
    case .run(_, let places): places.count
    }
  }

  subscript(place: Int) -> Step {
    switch self {
    case .step(let step): step
    case .run(let run, let places): Step(run, places.lowerBound + place)
    }
  }

  /// Insertions that are not yet stored as cells of the table.
  fileprivate var insertions: InsertedRun? {
    switch self {
    case .step(let step): step.insertion
    case .run(let run, let places): run.listed(places)
    }
  }
}
