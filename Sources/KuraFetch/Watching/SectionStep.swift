import KuraValues

/// The sections of a list before and after a step.
struct SectionStep {
  let old: SectionPlaces
  let new: SectionPlaces
  /// Where each old section is now; nil: it went, or others have changed places with it.
  let staying: [Int?]

  init(_ old: [ResultsRun]?, _ new: [ResultsRun]?) {
    self.old = SectionPlaces(old)
    self.new = SectionPlaces(new)
    staying = SectionStep.staying(self.old.runs, self.new.runs)
  }

  /// Where old sections that do not stay begin and end.
  var borders: [Int] {
    staying.indices.filter { staying[$0] == nil }.flatMap { [old.starts[$0], old.starts[$0 + 1]] }
  }

  var deletions: [ResultsEvent] {
    staying.indices.reversed().filter { staying[$0] == nil }
      .map { .sectionDelete(heading: old.runs[$0].heading, at: $0) }
  }

  var insertions: [ResultsEvent] {
    let stayed = Set(staying.compactMap(\.self))
    return new.runs.indices.filter { !stayed.contains($0) }
      .map { .sectionInsert(heading: new.runs[$0].heading, at: $0) }
  }

  private static func staying(_ old: [ResultsRun], _ new: [ResultsRun]) -> [Int?] {
    let first = zip(old, new).prefix { $0.heading == $1.heading }.count
    let last = zip(old[first...].reversed(), new[first...].reversed())
      .prefix { $0.heading == $1.heading }.count
    var staying: [Int?] = old.indices.map { i in
      i < first ? i : i >= old.count - last ? i + new.count - old.count : nil
    }
    let places = Dictionary(
      (first..<old.count - last).map { (old[$0].heading, $0) },
      uniquingKeysWith: { first, _ in first })
    let common = (first..<new.count - last).compactMap { i in
      places[new[i].heading].map { (old: $0, new: i) }
    }
    let stays = heaviestRun(
      common.map { WeighedPlace(old: $0.old, weight: min(old[$0.old].count, new[$0.new].count)) })
    for (section, stays) in zip(common, stays) where stays { staying[section.old] = section.new }
    return staying
  }
}

/// Sections with the places where they begin; of a list without any it knows nothing.
struct SectionPlaces {
  let runs: [ResultsRun]
  /// One more than there are sections.
  let starts: [Int]
  private let hasSections: Bool

  init(_ runs: [ResultsRun]?) {
    self.runs = runs ?? []
    hasSections = runs != nil
    var starts = [0]
    for run in self.runs { starts.append((starts.last ?? 0) + run.count) }
    self.starts = starts
  }

  func place(of index: Int) -> ResultsPlace? {
    guard hasSections else { return nil }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle + 1] <= index { low = middle + 1 } else { high = middle }
    }
    return ResultsPlace(section: low, row: index - starts[low])
  }
}
