import Foundation
import KuraFoundation
import KuraPredicates
import KuraValues
import Testing

// A typical file of an app, ported: `import KuraFoundation`, KU instead of NS, and `try`.

private final class Contact: NSObject, KeyTableReadable {
  let name: String
  let age: Int
  let email: String?
  let tags: Set<String>
  let birthday: Date

  init(_ name: String, _ age: Int, email: String? = nil, tags: Set<String> = []) {
    (self.name, self.age, self.email, self.tags) = (name, age, email, tags)
    birthday = Date(timeIntervalSince1970: Double(2026 - 1970 - age) * 31_557_600)
  }

  // Instead of @objc dynamic.
  static let readableKeys: KeyTable<Contact> = [
    "name": \.name, "age": \.age, "email": \.email, "tags": \.tags, "birthday": \.birthday,
  ]
}

private final class ContactSearch {
  var searchText = ""
  var minimumAge: Int?
  var selectedTags: [String] = []
  let contacts: [Contact]

  init(_ contacts: [Contact]) { self.contacts = contacts }

  func makePredicate() throws -> KUPredicate {
    var predicates = [KUPredicate]()
    if !searchText.isEmpty {
      predicates.append(
        try KUPredicate(
          format: "name CONTAINS[cd] %@ OR email CONTAINS[c] %@", searchText, searchText))
    }
    if let minimumAge {
      predicates.append(try KUPredicate(format: "%K >= %d", "age", minimumAge))
      predicates.append(try KUPredicate(format: "%K <= %ld", argumentArray: ["age", 120]))
    }
    if !selectedTags.isEmpty {
      predicates.append(try KUPredicate(format: "ANY tags IN %@", selectedTags))
    }
    predicates.append(
      KUCompoundPredicate(
        notPredicateWithSubpredicate: try KUPredicate(format: "email == nil AND age < 18")))
    predicates.append(
      KUPredicate { object, _ in
        guard let contact = object as? Contact else { return false }
        return contact.tags.count < 10
      })
    predicates.append(try KUPredicate(format: "birthday < %@", Date() as NSDate))
    predicates.append(
      try KUPredicate(format: "age BETWEEN {%@, %@}", NSNumber(value: 1), 99 as NSNumber))
    predicates.append(KUPredicate(value: true))
    return KUCompoundPredicate(type: .and, subpredicates: predicates)
  }

  func search() throws -> [Contact] {
    let found = try (contacts as NSArray).filtered(using: try makePredicate())
    let sorts = [
      KUSortDescriptor(key: "age", ascending: false),
      KUSortDescriptor(key: "name", ascending: true, comparison: .localizedCaseInsensitive),
    ]
    return try (found as NSArray).sortedArray(using: sorts) as? [Contact] ?? []
  }

  func describe(_ predicate: KUPredicate) -> String {
    if let compound = KUCompoundPredicate(predicate) {
      let parts = compound.subpredicates.map(describe)
      return "\(compound.compoundPredicateType)(\(parts.joined(separator: ", ")))"
    }
    guard let comparison = KUComparisonPredicate(predicate) else {
      return predicate.predicateFormat
    }
    let (left, right) = (comparison.leftExpression, comparison.rightExpression)
    guard left.expressionType == .keyPath, right.expressionType == .constantValue else {
      return "?"
    }
    return
      "\(left.keyPath ?? "") \(comparison.predicateOperatorType) \(right.constantValue ?? "nil")"
  }
}

@Suite("A file of an app, ported")
struct PortedFileTests {
  private let search = ContactSearch([
    Contact("Ann", 42, email: "ann@example.org", tags: ["work"]),
    Contact("Bo", 7), Contact("andré", 42, email: "x@ANN.example", tags: ["work", "golf"]),
    Contact("Cy", 60, tags: ["golf"]),
  ])

  @Test("fetches, sorts and analyzes")
  func ports() throws {
    #expect(try search.search().map(\.name) == ["Cy", "andré", "Ann"])
    search.searchText = "ann"
    #expect(try search.search().map(\.name) == ["andré", "Ann"])
    (search.searchText, search.minimumAge, search.selectedTags) = ("", 50, ["golf", "x"])
    #expect(try search.search().map(\.name) == ["Cy"])
    let predicate = try KUPredicate(format: "age >= 18 AND NOT name == 'Bo'")
    #expect(
      search.describe(predicate) == "and(age greaterThanOrEqualTo 18, not(name equalTo Bo))")
    #expect(predicate.copy() as? KUPredicate == predicate)
  }

  @Test("filters and sorts Foundation's collections")
  func collections() throws {
    let adults = try KUPredicate(format: "age >= 18")
    let byName = [KUSortDescriptor(key: "name", ascending: false)]
    let array = NSMutableArray(array: search.contacts)
    try array.filter(using: adults)
    try array.sort(using: byName)
    func names(_ objects: [Any]) -> [String] { objects.compactMap { ($0 as? Contact)?.name } }
    #expect(names(Array(array)) == ["andré", "Cy", "Ann"])
    let ordered = try NSOrderedSet(array: search.contacts).filtered(using: adults)
    #expect(names(ordered.array) == ["Ann", "andré", "Cy"])
    #expect(names(try ordered.sortedArray(using: byName)) == ["andré", "Cy", "Ann"])
    #expect(try NSSet(array: search.contacts).filtered(using: adults).count == 3)
    #expect(try NSSet(array: search.contacts).sortedArray(using: byName).count == 4)
    let request = KUFetchRequest<Contact>(entityName: "Contact")
    (request.predicate, request.sortDescriptors) = (adults, byName)
    (request.fetchLimit, request.fetchBatchSize, request.returnsObjectsAsFaults) = (2, 20, false)
    #expect(try request.execute(in: search.contacts).map(\.name) == ["andré", "Cy"])
  }

  @Test("uses the parts of an expression by Cocoa's names")
  func parts() throws {
    func type(_ text: String) throws -> KUExpression.ExpressionType {
      try KUExpression(format: text).expressionType
    }
    #expect(try type("3") == .constantValue && type("SELF") == .evaluatedObject)
    #expect(try type("$x") == .variable && type("a.b") == .keyPath && type("a + 1") == .function)
    #expect(try type("a UNION b") == .unionSet && type("a INTERSECT b") == .intersectSet)
    #expect(try type("a MINUS b") == .minusSet && type("{a, 1}") == .aggregate)
    let subquery = try KUExpression(format: "SUBQUERY(items, $i, $i.done == NO)")
    #expect(subquery.expressionType == .subquery && subquery.predicate?.predicateFormat != nil)
    #expect((subquery.collection as? KUExpression)?.keyPath == "items")
    let either = try KUExpression(format: "TERNARY(a == 1, b, c)")
    #expect(either.expressionType == .conditional && either.predicate?.predicateFormat == "a == 1")
    #expect(either.true?.keyPath == "b" && either.false?.keyPath == "c" && either.left == nil)
    let union = try KUExpression(format: "a UNION b")
    #expect(union.left?.keyPath == "a" && union.right?.keyPath == "b" && union.true == nil)
    #expect((try KUExpression(format: "{a, 1}").collection as? [KUExpression])?.count == 2)
  }
}
