import KuraBytes
package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

/// Why a tree does not fit the model, or could never say yes.
package enum CheckFacts: Sendable {
  case unknownEntity(String, known: [String])
  case unknownKey(String, entity: String, near: [String], subentities: [String])
  /// `category == Office`: what would be written for it
  case bareWord(String, entity: String, meant: String)
  /// `items.title` leads nowhere further.
  case keyOfAttribute(String, attribute: String, type: AttributeType)
  /// `tags.name == "x"`
  case collectionNeedsModifier(path: String, operation: String)
  /// `ANY title == "x"`
  case modifierNeedsCollection(String)
  /// `title > 3`; no key where a statement sets a value
  case literalMismatch(key: String?, type: AttributeType, found: String)
  /// `date == "soon"`
  case unreadable(ValueMismatch)
  /// `count LIKE "x"`
  case operatorNeedsText(operation: String, type: AttributeType)
  case unboundVariable(String, known: [String])
  /// `where $x` of a text
  case variableAsPredicate(String)
  /// `NO` where the entity has a key `NO`
  case ambiguousWord(String, entity: String)
  /// `limit -1`
  case badCount(clause: String)
  /// `items[0]`, of a to-many without an order
  case indexOfUnordered(String)
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
  /// `select sum(items.estimate)`; the path that gives each object's own sum, if there is one
  case aggregateNeedsValue(String, String, each: String?)
  /// `select sum(title)`
  case aggregateNeedsNumbers(String, String)
  /// `fetch Item having count(SELF) > 3`
  case havingWithoutGroups
  /// `fetch _` before any other fetch
  case noLastFetch
  /// `fetch $n` where `$n` is 3
  case noObjects(String)
  /// `fetch $none`, of which nobody knows what it is empty of
  case emptySource(String)
  /// `parentCategory == (fetch Category)` where there are several
  case notOne(String, count: Int)
  /// `date > 1950-01-01`: what is meant, if the numbers look like a date
  case arithmetic(path: String, type: AttributeType, found: String, date: String?)
  /// `today() - 30`: the date in it, and what may be meant
  case dateArithmetic(String, meant: String?)
  /// `author == "夏目漱石"`; a key of the author that holds text
  case noObject(path: String, entity: String, found: String, key: String?)
  /// `--arg n abc`, then `rating > $n`
  case notANumber(variable: String, text: String)
  /// `year(date) == "1970"`
  case textAgainstNumber(path: String, text: String)
  /// `rating == MAX(rating)`
  case aggregateOfOne(name: String, argument: String, entity: String)
}

/// A fetch in an expression: its value, which only data has, is read by the rest of the check.
///
/// As deep as fetches stand in each other, so it looks for a stack before it frees those in it.
package final class NestedFetch: Sendable {
  package let tree: FetchTree
  /// What its value is, as far as the model says.
  package let type: CheckedType
  /// Whether it reads a variable of a subquery around it, and so has a value for each element.
  package let isOfElement: Bool
  /// Those in it. Written once more, at its end, when nobody else can see them; what is freed then
  /// is written too, inside this, and Swift's check of that would go through all levels at each.
  @exclusivity(unchecked) nonisolated(unsafe) private var inner: InnerFetches

  init(_ tree: FetchTree, _ type: CheckedType, isOfElement: Bool, _ inner: InnerFetches) {
    self.tree = tree
    self.type = type
    self.isOfElement = isOfElement
    self.inner = inner
  }

  deinit { DeepStack.run { inner = InnerFetches() } }
}

/// The fetches in a fetch, in the order of the check.
struct InnerFetches: Sendable {
  /// Those that stand in what it is made from.
  var inSource: [NestedFetch] = []
  var inClauses: [NestedFetch] = []
}

extension NestedFetch {
  /// Those that stand in what it is made from, in the order of the check.
  package var inSource: [NestedFetch] { inner.inSource }
  /// Those that stand in its clauses, in the order of the check.
  package var inClauses: [NestedFetch] { inner.inClauses }
}

/// What a nested fetch has given.
package struct KnownFetch: Sendable {
  /// Nil where it is another for each element.
  let value: Value?
  let type: CheckedType

  package init(_ value: Value?, _ type: CheckedType) {
    self.value = value
    self.type = type
  }
}

/// Why a comparison is true of nothing.
package enum NeverTrueFacts: Sendable, Hashable {
  /// `items.title IN {"x"}`
  case manyInList(String)
  /// `items.title CONTAINS "x"`
  case wholeOfMany(String, String)
  /// `items.title == title`
  case manyAreNotOne(String, String)
  /// `title IN "父"`
  case partOfText(String, String)
  /// `title == rank`, `author == SELF`: each side and what it is
  case neverAlike(String, String, String, String)
  /// `tags == "novel"`, where the values are lists
  case listsAreNotOne(String, operation: String)
}

extension NeverTrueFacts: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .manyInList(let path):
      localized("\"\(path)\" is a collection, which is never one value of a list")
    case .wholeOfMany(let path, let text):
      localized("CONTAINS asks here whether \(text) is the whole of one of \"\(path)\"")
    case .manyAreNotOne(let many, let one):
      localized("\"\(many)\" is a collection, which never equals the one value \"\(one)\"")
    case .partOfText(let path, let text):
      localized("IN asks here whether \"\(path)\" is a part of the text \(text)")
    case .neverAlike(let left, let kind, let right, let other):
      localized("\"\(left)\" is \(kind) and \"\(right)\" \(other): they are never the same value")
    case .listsAreNotOne(let path, let operation):
      localized("the values of \"\(path)\" are lists, and \(operation) compares one value")
    }
  }

  package var help: String? {
    switch self {
    case .manyInList(let path): localized("ask for ANY \(path) IN …")
    case .wholeOfMany(let path, let text):
      localized(
        "for a part of one: ANY \(path) CONTAINS \(text); for the whole: ANY \(path) == \(text)")
    case .manyAreNotOne(let many, let one): localized("ask for \(one) IN \(many)")
    case .partOfText(let path, let text):
      localized(
        "for a part of \"\(path)\": \(path) CONTAINS \(text); for one of several: \(path) IN {\(text)}"
      )
    case .neverAlike: nil
    case .listsAreNotOne(let path, let operation): localized("ask for ANY \(path) \(operation) …")
    }
  }
}
