import Foundation
import KuraFetch
public import KuraValues

/// A section of an answer: its heading, and which rows stand under it.
///
///     let items = try context.results(
///       of: FetchRequest("Item").sorted(by: "parentCategory.name, title").sectioned(by: "parentCategory.name"))
///     for section in items.sections { print(section.name, items.objects(in: section)) }
public struct FetchedResultsSection: Sendable, Hashable {
  /// What its rows have in common: the value of what follows `section by`; null where an answer has
  /// no sections.
  public let heading: Value
  /// The heading as a text; empty where it is null.
  public let name: String
  /// Which rows of the whole answer are in it.
  public let rows: Range<Int>

  init(_ heading: Value, _ rows: Range<Int>, _ zone: ZoneRules) {
    (self.heading, self.rows) = (heading, rows)
    name = heading.headingText(in: zone)
  }

  /// How many rows are in it.
  public var count: Int { rows.count }

  /// The first character of the name, as an index of sections has it; nil without a name.
  public var indexTitle: String? { name.first.map { $0.uppercased() } }
}

extension FetchedResultsController {
  /// The sections in their order. A request without `sectioned(by:)` has one, of all rows, without a
  /// name; where groups of rows come, it is the same. Linear in them.
  public var sections: [FetchedResultsSection] {
    let (runs, count) = results.read { ($0.sections, $0.count) }
    let rules = storage.environment.rules
    guard let runs else { return [FetchedResultsSection(.null, 0..<count, rules)] }
    var start = 0
    return runs.map { run in
      defer { start += run.count }
      return FetchedResultsSection(run.heading, start..<start + run.count, rules)
    }
  }

  /// The objects of a section, as one of `sections` says it now. Linear in all objects of the
  /// answer.
  public func objects(in section: FetchedResultsSection) -> [ManagedObject] {
    Array(objects.dropFirst(section.rows.lowerBound).prefix(section.count))
  }
}

extension Value {
  /// A heading as people read it.
  fileprivate func headingText(in zone: ZoneRules) -> String {
    switch self {
    case .null: ""
    case .string(let x), .uri(let x): x
    case .boolean(let x): x ? "YES" : "NO"
    case .integer(let x): "\(x)"
    case .double(let x): NumberText.text(x)
    case .decimal(let x): NumberText.text(x)
    case .date(let x): x.documentText(in: zone)
    case .uuid(let x): x.uuidString
    case .object(let x): x.id?.description ?? ""
    case .list(let x): x.map { $0.headingText(in: zone) }.joined(separator: ", ")
    case .set(let x): x.elements.map { $0.headingText(in: zone) }.joined(separator: ", ")
    case .dictionary, .binary: ""
    }
  }
}
