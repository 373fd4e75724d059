import KuraBytes
package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
import KuraSentences
import KuraValues

/// A reason why a tree does not fit the model, or can never be true.
package enum CheckProblem: Sendable {
  case unknownEntity(String, known: [String])
  case unknownKey(String, entity: String, near: [String], subentities: [String])
  /// `category == Office`, and the fix that is suggested
  case bareWord(String, entity: String, meant: String)
  /// `title.name`: a key of an attribute, which has no keys
  case keyOfAttribute(String, attribute: String, type: AttributeType)
  /// `tags.name == "x"`
  case collectionNeedsModifier(path: String, operation: String)
  /// `ANY title == "x"`
  case modifierNeedsCollection(String)
  /// `author.@count`, whose author is one object
  case operatorNeedsCollection(String, path: String, isObject: Bool)
  /// `items.@distinctUnionOfObjects.title.@count`
  case operatorOfElements(String, list: String)
  /// `fetch Item.title`
  case pathNeedsCollection(String, entity: String)
  /// `title.(length * 2)`
  case elementsNeedCollection(String)
  /// `title > 3`; the key is nil if a statement sets a value
  case literalMismatch(key: String?, type: AttributeType, found: String)
  /// `date == "soon"`
  case unreadable(ValueMismatch)
  /// `count LIKE "x"`
  case operatorNeedsText(operation: String, type: AttributeType)
  case unboundVariable(String, known: [String])
  /// `where $x` when `$x` is a text
  case variableAsPredicate(String)
  /// `NO` when the entity has a key `NO`
  case ambiguousWord(String, entity: String)
  /// `limit -1`
  case badCount(clause: String)
  /// `items[0]` on an unordered to-many relationship
  case indexOfUnordered(String)
  /// `(fetch Item select max(cost))[FIRST]`
  case indexOfOneValue
  /// `sort items`
  case sortNeedsValue(String)
  /// `sort -date`
  case sortSign(String)
  /// `section by items`
  case sectionNeedsValue(String)
  /// `group by items`
  case groupNeedsValue(String)
  /// `group by max(date)`
  case aggregateAsKey(String)
  /// `select title, title`
  case repeatedColumn(String)
  /// `select distinct category sort title`
  case notSelected(String)
  /// `select title, count(SELF) group by category`
  case notGrouped(String, keys: [String])
  /// `select sum(items.estimate)`, and the path to the sum of each object, if there is one
  case aggregateNeedsValue(String, String, each: String?)
  /// `select sum(title)`
  case aggregateNeedsNumbers(String, String)
  /// `fetch Item having count(SELF) > 3`, or without an aggregate: `fetch Item having done == NO`
  case havingWithoutGroups(isOfObjects: Bool)
  /// `fetch _` before any other fetch
  case noLastFetch
  /// `fetch $n` when `$n` is 3, or a path: `fetch Order/1.lines`
  case noObjects(String, isPath: Bool)
  /// `fetch $none`, which is empty so that its entity is unknown
  case emptySource(String)
  /// `parentCategory == (fetch Category)` when it finds several
  case notOne(String, count: Int)
  /// `date > 1950-01-01`, and the probable date
  case arithmetic(path: String, type: AttributeType, found: String, date: String?)
  /// `today() - 30`: the date in it, and the probable expression
  case dateArithmetic(String, meant: String?)
  /// `title + ": "`
  case textArithmetic(String)
  /// `author == "夏目漱石"`, and a text key of the author
  case noObject(path: String, entity: String, found: String, key: String?, isMany: Bool)
  /// `--arg n abc`, then `rating > $n`
  case notANumber(variable: String, text: String)
  /// `year(date) == "1970"`
  case textAgainstNumber(path: String, text: String)
  /// `rating == MAX(rating)`
  case aggregateOfOne(name: String, argument: String, entity: String)
  /// `where rank() < 4`
  case windowOutsideSelect(String)
  /// `select rank() as place sort place`, and the entity if it has a key of that name
  case windowAsKey(String, hidesKeyOf: String?)
  /// `runningSum(rank())`
  case windowInWindow(String)
  /// `select distinct rank()`
  case distinctWindows
}

/// A nested fetch. Its value, which requires data, is needed by the rest of the check.
///
/// Nested fetches can be arbitrarily deep, so `deinit` ensures that the stack is large enough to free them.
package final class NestedFetch: Sendable {
  package let tree: FetchTree
  /// The type of its value, as far as the model determines it.
  package let type: CheckedType
  /// Whether it reads a variable of an enclosing subquery, and therefore has a value per element.
  package let isOfElement: Bool
  /// The collection operator that is applied to its objects, and the keys after it: `@sum.cost`.
  package let aggregate: KeyPathTree?
  /// The fetches inside it. Written once more in `deinit`, when no other code can access them. This
  /// write frees the inner fetches, which write their own; the runtime exclusivity check would
  /// visit all of them at each level.
  @exclusivity(unchecked) nonisolated(unsafe) private var inner: InnerFetches

  init(
    _ tree: FetchTree, _ type: CheckedType, isOfElement: Bool, aggregate: KeyPathTree?,
    _ inner: InnerFetches
  ) {
    self.tree = tree
    self.type = type
    self.isOfElement = isOfElement
    self.aggregate = aggregate
    self.inner = inner
  }

  deinit { DeepStack.run { inner = InnerFetches() } }
}

/// The fetches inside a fetch, in the order of the check.
struct InnerFetches: Sendable {
  /// The fetches in its source.
  var inSource: [NestedFetch] = []
  var inClauses: [NestedFetch] = []
}

extension NestedFetch {
  /// The fetches in its source, in the order of the check.
  package var inSource: [NestedFetch] { inner.inSource }
  /// The fetches in its clauses, in the order of the check.
  package var inClauses: [NestedFetch] { inner.inClauses }
}

/// The result of a nested fetch.
package struct KnownFetch: Sendable {
  /// The value; nil if it differs per element.
  let value: Constant?
  let type: CheckedType
  /// Whether the value is the result of the aggregate, not the objects.
  let isAggregate: Bool

  package init(_ value: Constant?, _ type: CheckedType, isAggregate: Bool = false) {
    self.value = value
    self.type = type
    self.isAggregate = isAggregate
  }
}

/// A reason why a comparison can never be true.
package enum NeverTrueReason: Sendable, Hashable {
  /// `items.title IN {"x"}`
  case manyInList(String)
  /// `items.title CONTAINS "x"`
  case wholeOfMany(String, String)
  /// `items.title == title`
  case manyAreNotOne(String, String)
  /// `title IN "父"`
  case partOfText(String, String)
  /// `title == rank`, `author == SELF`: each side and its kind
  case neverAlike(String, String, String, String)
  /// `title < rank`
  case neverOrdered(String, String, String, String)
  /// `tags == "novel"` when the values are lists
  case listsAreNotOne(String, operation: String)
}

extension NeverTrueReason: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .manyInList(let path):
      localized("\"\(path)\" is a collection, so it never equals a value in the list")
    case .wholeOfMany(let path, let text):
      localized("this CONTAINS tests whether \(text) equals one value of \"\(path)\"")
    case .manyAreNotOne(let many, let one):
      localized("\"\(many)\" is a collection, so it never equals the single value \"\(one)\"")
    case .partOfText(let path, let text):
      localized("this IN tests whether \"\(path)\" is part of the string \(text)")
    case .neverAlike(let left, let kind, let right, let other):
      localized("\"\(left)\" is \(kind) and \"\(right)\" is \(other), so they are never equal")
    case .neverOrdered(let left, let kind, let right, let other):
      localized(
        "\"\(left)\" is \(kind) and \"\(right)\" is \(other), so this comparison is never true")
    case .listsAreNotOne(let path, let operation):
      localized("the values of \"\(path)\" are lists, but \(operation) compares single values")
    }
  }

  package var help: String? {
    switch self {
    case .manyInList(let path): localized("write ANY \(path) IN …")
    case .wholeOfMany(let path, let text):
      localized(
        "to match part of a value: ANY \(path) CONTAINS \(text); a whole value: ANY \(path) == \(text)"
      )
    case .manyAreNotOne(let many, let one): localized("write \(one) IN \(many)")
    case .partOfText(let path, let text):
      localized(
        "to match part of \"\(path)\": \(path) CONTAINS \(text); one of several values: \(path) IN {\(text)}"
      )
    case .neverAlike, .neverOrdered: nil
    case .listsAreNotOne(let path, let operation): localized("write ANY \(path) \(operation) …")
    }
  }
}

extension Diagnostic {
  /// Creates the diagnostic of a problem that a check found.
  init(
    _ problem: CheckProblem, at span: SourceSpan? = nil, fixIt: FixIt? = nil,
    severity: Severity = .error
  ) {
    self.init(problem as any DiagnosticFacts, at: span, fixIt: fixIt, severity: severity)
  }
}
