package import KuraModel
import KuraPredicates
import KuraValues

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
