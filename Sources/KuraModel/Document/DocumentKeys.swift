/// The keys of `"model"` in a document.
enum ModelKey: String, CaseIterable {
  case entities, requests, userInfo
}

/// The keys of an entity in a document, in the order in which they are written.
enum EntityKey: String, CaseIterable {
  case parent, abstract, attributes, relationships, unique, userInfo
}

/// The keys of an attribute, in the order in which they are written.
enum AttributeKey: String, CaseIterable {
  case type, optional
  case defaultValue = "default"
  case min, max, matches, check, derived, transient, userInfo
}

/// The keys of a relationship, in the order in which they are written.
enum RelationshipKey: String, CaseIterable {
  case destination, toMany, optional, ordered, inverse, deleteRule, minCount, maxCount, userInfo
}
