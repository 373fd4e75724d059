/// Looks for a part of a LIKE pattern that stands between two stars.
struct LikeSearch: Sendable {
  /// Question marks at both ends, which are only skipped.
  private let before: Int
  private let behind: Int
  private let core: Core

  enum Core: Sendable {
    case nothing
    case literal(LiteralSearch)
    case mixed(ScalarSearch)
  }

  init(_ segment: LikeSegment) {
    let steps = segment.steps
    before = steps.prefix(while: \.isOne).count
    let rest = steps.dropFirst(before)
    behind = rest.reversed().prefix(while: \.isOne).count
    core = Core(Array(rest.dropLast(behind)))
  }
}

extension LikeSearch.Core {
  fileprivate init(_ steps: [LikeSegment.Step]) {
    if steps.isEmpty {
      self = .nothing
    } else if steps.count == 1, case .literal(let bytes) = steps[0] {
      self = .literal(LiteralSearch(bytes))
    } else {
      self = .mixed(ScalarSearch(steps))
    }
  }
}

extension LikeSegment.Step {
  fileprivate var isOne: Bool { if case .one = self { true } else { false } }
}

extension LikeSearch {
  /// Where the first one ends that begins at a place or behind it.
  func end(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
    guard let start = skip(before, text, place, &count) else { return nil }
    let end =
      switch core {
      case .nothing: start as Int?
      case .literal(let search): search.end(in: text, from: start, &count)
      case .mixed(let search): search.end(in: text, from: start, &count)
      }
    return end.flatMap { skip(behind, text, $0, &count) }
  }

  private func skip(
    _ scalars: Int, _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ count: inout Int
  ) -> Int? {
    var place = place
    for _ in 0..<scalars {
      guard place < text.count else { return nil }
      place = UTF8Scalar.end(in: text, from: place)
      count += 1
    }
    return place
  }
}
