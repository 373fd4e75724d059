import KuraDiagnostics
package import KuraValues

/// A problem of a model.
package enum ModelProblemKind: Sendable, Hashable, DiagnosticFacts {
  // Reading a document

  /// `"defualt": 1` in an attribute
  case unknownKey(String, in: ModelPart, near: [String])
  /// `"optional": "yes"`
  case wrongKind(String, wanted: JSONKind, found: JSONKind)
  /// An attribute without `"type"`, or a relationship without `"destination"`.
  case missingKey(String, in: ModelPart)
  /// `"type": "text"`
  case unknownType(String, near: [String])
  /// `"deleteRule": "delete"`
  case unknownDeleteRule(String, near: [String])
  /// `"default": "soon"` of a date
  case badValue(String, ValueMismatch)
  /// `"minCount": -1`
  case badCount(String)

  // Names

  /// `"": {"type": "string"}`
  case emptyName(ModelPart)
  /// `objectID: integer`
  case reservedKey(String)
  /// `entity Item { }` twice
  case duplicateEntity(String)
  /// `entity Item { title: string; title: string }`
  case duplicateKey(String, entity: String)
  /// `entity Task: Item { title: string }` if Item has a title
  case inheritedKey(String, entity: String, ancestor: String)
  /// Two saved requests with the same name.
  case duplicateRequest(String)
  /// With this entity, the model exceeds the maximum number of keys.
  case tooManyKeys(entity: String)

  // Inheritance

  /// `entity Task: Itme { }`
  case unknownParent(String, near: [String])
  /// `entity A: B { }` and `entity B: A { }`: the names of the cycle
  case inheritanceCycle([String])

  // Rules

  /// `done: boolean min 1`
  case ruleNotForType(ModelRule, AttributeType)
  /// `min 5 max 1`
  case minimumAboveMaximum(ModelRule, ModelRule)
  /// `priority: integer = 9 max 5`
  case defaultAgainstRule(ModelRule)
  /// `count: integer = 0 derived (items.@count)`
  case defaultOfDerived
  /// `title: string = trim(name)`
  case defaultOfObject(String)
  /// `created: date = random()`
  case badDefault(DefaultFailure)
  /// `a: integer derived (b + 1); b: integer derived (a)`: a, b
  case derivedFromItself([String])
  /// `check (titel != "")`
  case unknownRuleKey(String, entity: String, near: [String])
  /// `matches "("`
  case badPattern(String, ValueError)
  /// `unique ()`
  case emptyUnique
  /// `unique (titel)`
  case unknownUniqueKey(String, entity: String, near: [String])
  /// `unique (items)`
  case toManyUnique(String)
  /// `unique (title, title)`
  case repeatedUniqueKey(String)
  /// `index ()`
  case emptyIndex
  /// `index dat`
  case unknownIndexKey(String, entity: String, near: [String])
  /// `index items`
  case relationshipIndex(String)
  /// `index payload`, of JSON
  case indexNotForType(String, AttributeType)
  /// `index (date, date)`
  case repeatedIndexKey(String)
  /// The same index twice, in the entity or in an ancestor.
  case repeatedIndex(String)

  // Relationships

  /// `parent: Category? ordered`, `min`, `max`
  case ruleOfToOne(ModelRule)
  /// `[Item] max 0`
  case maximumCountOfZero
  /// `items: [Itme]`
  case unknownDestination(String, near: [String])
  /// `inverse parnt`
  case unknownInverse(String, destination: String, near: [String])
  /// `inverse title`
  case inverseIsAttribute(String, destination: String)
  /// `inverse parent`, if parent has no inverse or another one, or has another destination
  case inverseNotMutual(InversePair)
}

/// A relationship and an inverse that does not name it.
package struct InversePair: Sendable, Hashable {
  /// `Category.items`
  package var relationship: String
  /// `Item.parent`, named as its inverse
  package var inverse: String
  /// `Other.items`, the inverse of that one; nil if it has none
  package var leadsTo: String?
}

/// A part of a model, as messages name it.
package enum ModelPart: Sendable, Hashable {
  /// `{"entities": …}`
  case model
  /// `"Item": {"attributes": …}`
  case entity
  /// `"title": {"type": "string"}`
  case attribute
  /// `"items": {"destination": "Item"}`
  case relationship
  /// `"Birthdays": "() = fetch MemoDate"`
  case request
  /// `{"desc": "date"}` in an index
  case index
}

/// A rule, as a word in a statement.
package enum ModelRule: String, Sendable, Hashable {
  case min, max, matches, ordered
  /// The minimum count of a to-many relationship.
  case minCount
  /// The maximum count of a to-many relationship.
  case maxCount
}

/// The part of a model that a problem concerns.
package enum ModelPlace: Sendable, Hashable {
  /// The entity's name.
  case entity(String)
  /// `parent`, or the list of uniqueness constraints
  case entityRule(String, EntityAspect)
  /// The key of an attribute.
  case attribute(String, entity: String)
  /// `default`, `min`, …
  case attributeRule(String, entity: String, AttributeAspect)
  /// The key of a relationship.
  case relationship(String, entity: String)
  /// `inverse`, `destination`, …
  case relationshipRule(String, entity: String, RelationshipAspect)
  /// The name of a saved request.
  case request(String)

  package enum EntityAspect: String, Sendable { case parent, unique, indexes }

  package enum AttributeAspect: String, Sendable {
    case type
    case defaultValue = "default"
    case defaultExpression
    case min, max, matches, check, derived
  }

  package enum RelationshipAspect: String, Sendable {
    case destination, ordered, inverse, minCount, maxCount
  }
}

extension ModelPlace {
  /// The keys that lead to the part in a document's model.
  package var path: [String] {
    switch self {
    case .entity(let entity): ["entities", entity]
    case .entityRule(let entity, let aspect): ["entities", entity, aspect.rawValue]
    case .attribute(let key, let entity): ["entities", entity, "attributes", key]
    case .attributeRule(let key, let entity, let aspect):
      ["entities", entity, "attributes", key, aspect.rawValue]
    case .relationship(let key, let entity): ["entities", entity, "relationships", key]
    case .relationshipRule(let key, let entity, let aspect):
      ["entities", entity, "relationships", key, aspect.rawValue]
    case .request(let name): ["requests", name]
    }
  }

  /// Whether it is a name, instead of the value after it.
  package var isName: Bool {
    switch self {
    case .entity, .attribute, .relationship, .request: true
    case .entityRule, .attributeRule, .relationshipRule: false
    }
  }
}
