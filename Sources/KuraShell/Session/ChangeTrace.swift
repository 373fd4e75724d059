import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraValues

/// The statements of scripts that have changed objects since the last save, for a save that finds
/// what they have broken.
///
/// The changes are those that the history keeps too, so they cost nothing more; of an object that was
/// inserted alone, as many scripts do it, its number is enough.
struct ChangeTrace {
  private var steps: [Step] = []
  private var places = StatementPlaces()

  private struct Step {
    var place: Place
    var change: Change
  }

  private enum Place {
    case statement(StatementPlaces.Kept)
    /// The same place in each of some lines.
    case lines(RepeatedLines, SourceSpan)
  }

  fileprivate enum Change {
    case inserted(Int64, of: String)
    /// By lines, the first of which inserted the first.
    case insertedEach(Range<Int64>, of: String)
    case any(ChangeSet)
  }
}

/// Where a statement stands.
struct StatementPlace {
  var span: SourceSpan
  var source: SourceText

  init(_ span: SourceSpan, in source: SourceText) {
    self.span = span
    self.source = source
  }
}

/// Places of many statements, with the lines that they stand on.
struct StatementPlaces {
  /// The lines of all, one behind the other.
  private var bytes: [UInt8] = []
  private var names: [String?] = []
  private var last: SourceText?

  /// A place; numbers of four bytes are enough for what fits into memory twice.
  struct Kept {
    fileprivate var text: Range<Int>
    fileprivate var name: Int32
    fileprivate var line: Int32
    fileprivate var column: Int32
    fileprivate var start: Int32
    fileprivate var end: Int32
  }

  /// Statements of one line share it.
  mutating func keep(_ place: StatementPlace) -> Kept {
    let source = place.source
    if names.last != source.name { names.append(source.name) }
    if last.map({ !$0.bytes.isSameMemory(as: source.bytes) }) ?? true {
      bytes += source.bytes
      last = source
    }
    return Kept(
      text: bytes.count - source.bytes.count..<bytes.count,
      name: Int32(truncatingIfNeeded: names.count - 1), line: Int32(clamping: source.firstLine),
      column: Int32(clamping: source.firstColumn), start: Int32(clamping: place.span.start),
      end: Int32(clamping: place.span.end))
  }

  /// Gives back the lines behind that of the last place which is still wanted.
  mutating func forget(behind kept: Kept?) {
    let end = kept?.text.upperBound ?? 0
    if end < bytes.count {
      bytes.removeLast(bytes.count - end)
      last = nil
    }
  }

  subscript(kept: Kept) -> StatementPlace {
    StatementPlace(
      SourceSpan(Int(kept.start), Int(kept.end)),
      in: SourceText(
        bytes: Array(bytes[kept.text]), name: names[Int(kept.name)], firstLine: Int(kept.line),
        firstColumn: Int(kept.column)))
  }
}

extension [UInt8] {
  /// Whether two are copies of one, of which none has changed.
  fileprivate func isSameMemory(as other: [UInt8]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { mine in
        other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
      }
  }
}

extension ChangeTrace {
  var count: Int { steps.count }

  /// Nobody looks up what was typed by its line: only texts with a name are kept.
  mutating func add(_ change: ChangeSet, at place: StatementPlace) {
    guard place.source.name != nil else { return }
    steps.append(Step(place: .statement(places.keep(place)), change: Change(change)))
  }

  /// The same of objects that lines have inserted, one each.
  mutating func add(
    _ numbers: Range<Int64>, of entity: String, at span: SourceSpan, in lines: RepeatedLines
  ) {
    guard lines.text.name != nil else { return }
    steps.append(Step(place: .lines(lines, span), change: .insertedEach(numbers, of: entity)))
  }

  mutating func keepFirst(_ count: Int) {
    steps.removeLast(max(0, steps.count - count))
    let kept = steps.lazy.reversed().compactMap { step in
      if case .statement(let kept) = step.place { kept } else { nil }
    }
    places.forget(behind: kept.first)
  }

  mutating func removeAll() { self = ChangeTrace() }
}

extension ChangeTrace.Change {
  fileprivate init(_ change: ChangeSet) {
    self = .any(change)
    guard change.updated.isEmpty, change.deleted.isEmpty, change.inserted.count == 1,
      change.inserted[0].numbers.count == 1
    else { return }
    self = .inserted(change.inserted[0].numbers[0], of: change.inserted[0].entity)
  }

  /// The objects, each batch with the keys; nil of those that came or went.
  fileprivate var objects: [(entity: String, numbers: [Int64], keys: Set<String>?)] {
    switch self {
    case .inserted(let number, let entity): [(entity, [number], nil)]
    case .insertedEach(let numbers, let entity): [(entity, Array(numbers), nil)]
    case .any(let change):
      (change.inserted + change.deleted).map { ($0.entity, $0.numbers, nil) }
        + change.updated.map { ($0.entity, $0.numbers, Set($0.columns.map(\.key))) }
    }
  }
}

extension ChangeTrace {
  /// The failures, each at the statement that gave its object's key the value that it has; where
  /// none did, at the last one that changed the object. Linear in the changes.
  func placed(_ failures: [ValidationFailure], in graph: Graph) -> [Diagnostic] {
    if failures.isEmpty { return [] }
    let touching = places(of: Set(failures.map(\.object)), in: graph)
    return failures.map { failure in
      let steps = touching[failure.object] ?? []
      let step = steps.last { $0.keys?.isDisjoint(with: failure.keys) != true } ?? steps.last
      let place = step.map { self.place(of: failure.object.number, $0.step) }
      var diagnostic = Diagnostic(ChangeFacts.invalid(failure), at: place?.span)
      diagnostic.source = place?.source
      diagnostic.isBrief = true
      return diagnostic
    }
  }

  /// Where the statement stands that changed an object in a step.
  private func place(of number: Int64, _ step: Step) -> StatementPlace {
    switch (step.place, step.change) {
    case (.statement(let kept), _): places[kept]
    case (.lines(let lines, let span), .insertedEach(let numbers, _)):
      StatementPlace(span, in: lines.line(Int(number - numbers.lowerBound)))
    case (.lines(let lines, let span), _): StatementPlace(span, in: lines.text)
    }
  }

  /// By object the steps that changed it, each with the keys; nil of those where it came or went.
  private func places(
    of objects: Set<ObjectID>, in graph: Graph
  ) -> [ObjectID: [(step: Step, keys: Set<String>?)]] {
    var result: [ObjectID: [(step: Step, keys: Set<String>?)]] = [:]
    for step in steps {
      for (entity, numbers, keys) in step.change.objects {
        let root = graph.model.root(of: entity)
        for number in numbers {
          let id = ObjectID(entity: entity, root: root, number: number)
          if objects.contains(id) { result[id, default: []].append((step, keys)) }
        }
      }
    }
    return result
  }
}

extension ValidationFailure {
  /// `title` and `parentCategory`, where they are unique together.
  fileprivate var keys: [String] { key.components(separatedBy: ", ") }
}
