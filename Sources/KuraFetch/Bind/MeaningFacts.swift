import KuraModel
import KuraValues

/// Why a comparison that could be asked would never say yes.
enum MeaningFacts: Sendable {
  /// `date > 1950-01-01`: what is meant, if the numbers look like a date
  case arithmetic(path: String, type: AttributeType, found: String, date: String?)
  /// `author == "夏目漱石"`; a key of the author that holds text
  case noObject(path: String, entity: String, found: String, key: String?)
  /// `--arg n abc`, then `rating > $n`
  case notANumber(variable: String, text: String)
  /// `year(date) == "1970"`
  case textAgainstNumber(path: String, text: String)
  /// `rating == MAX(rating)`
  case aggregateOfOne(name: String, argument: String, entity: String)
  /// `print MemoDate/99.title`
  case missingObject(ObjectID)
}
