/// Steps in their order, of which many that only inserted objects are kept as one.
struct StepList<Step: RunStep>: Sendable {
  private var parts: [Part] = []
  private(set) var count = 0
  /// How many steps have come since it was looked what can be kept as one.
  private var unseen = 0
  /// From this count on it is looked whether the first steps come to less.
  private var mostUncondensed = StepList.leastCondensed

  enum Part: Sendable {
    case step(Step)
    /// Some of a run's steps.
    case run(InsertedRun, Range<Int>)
  }

  /// Fewer steps are not worth the work.
  private static var leastCondensed: Int { 1024 }
}

/// A step that a list may keep as one with others.
protocol RunStep: Sendable {
  init(_ run: InsertedRun, _ place: Int)
  /// The step as one that inserted an object; nil of any other.
  var insertion: InsertSteps? { get }
}

extension StepList {
  var isEmpty: Bool { count == 0 }

  var first: Step? { parts.first.map { $0[0] } }

  var last: Step? { parts.last.map { $0[$0.count - 1] } }

  /// Adds a step that led to a graph.
  mutating func append(_ step: Step, in graph: Graph) {
    parts.append(.step(step))
    count += 1
    unseen += 1
    if unseen >= InsertedRun.most { pack(in: graph) }
  }

  /// Adds the steps of insertions that led to a graph.
  mutating func append(_ run: InsertedRun, in graph: Graph) {
    parts.append(.run(run, 0..<run.count))
    count += run.count
    unseen += run.count
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

  /// Steps that stand at the end as far as they are insertions become one.
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
}

extension StepList {
  /// Puts fewer steps into the place of the first parts, as far as all steps of these are old.
  ///
  /// `condense` gives them with the number of objects that they name, or nil if the parts stay. It is
  /// called when there are twice as many steps and objects as it left the last time, so that the work
  /// for each step is constant.
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

  /// The parts after the first ones.
  func parts(behind first: Int) -> ArraySlice<Part> { parts[first...] }

  /// Each step is another one now.
  mutating func mapAll(_ transform: (Step) -> Step) {
    parts = all.map { .step(transform($0)) }
  }

  /// All steps, the first of them first. Linear.
  var all: [Step] { parts.flatMap { part in (0..<part.count).map { part[$0] } } }

  /// What is said of each step, and of some steps of a run together; the first of them first.
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

  /// Insertions that are not kept as cells of the table yet.
  fileprivate var insertions: InsertSteps? {
    switch self {
    case .step(let step): step.insertion
    case .run(let run, let places): run.steps(places)
    }
  }
}
