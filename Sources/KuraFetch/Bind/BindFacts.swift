package import KuraModel
import KuraPredicates
import KuraValues

/// Why a request does not fit the model.
package enum BindFacts: Sendable {
  case unknownEntity(String, known: [String])
  case unknownKey(String, entity: String, near: [String], subentities: [String])
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
  /// `NO` where the entity has a key `NO`
  case ambiguousWord(String, entity: String)
  /// `limit -1`
  case badCount(clause: String)
  /// `sort items`
  case sortNeedsValue(String)
}
