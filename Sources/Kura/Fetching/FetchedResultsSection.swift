import Foundation
import KuraFetch
public import KuraValues

/// A section of a result: its heading and the range of its rows.
///
///     let items = try context.results(
///       of: FetchRequest("Item").sorted(by: "parentCategory.name, title").sectioned(by: "parentCategory.name"))
///     for section in items.sections { print(section.name, items.objects(in: section)) }
public struct FetchedResultsSection: Sendable, Hashable {
  /// The common value of its rows for the expression after `section by`; null if the request has no
  /// sections.
  public let heading: Value
  /// The heading as a text; empty if it is null.
  public let name: String
  /// The range of its rows in the whole result.
  public let rows: Range<Int>

  init(_ heading: Value, _ rows: Range<Int>, _ zone: ZoneRules) {
    (self.heading, self.rows) = (heading, rows)
    name = heading.headingText(in: zone)
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// The first character of the name, in uppercase, for a section index; nil if the name is empty.
  public var indexTitle: String? { name.first.map { $0.uppercased() } }
}

extension FetchedResultsController {
  /// The sections in order. A request without `sectioned(by:)`, or one that groups rows, has one
  /// unnamed section with all rows. Linear in the sections.
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

  /// Returns the objects of a section, which must be an element of the current `sections`. Linear
  /// in all objects of the result.
  public func objects(in section: FetchedResultsSection) -> [ManagedObject] {
    Array(objects.dropFirst(section.rows.lowerBound).prefix(section.count))
  }
}

extension Value {
  /// Returns a heading as a text for people.
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
