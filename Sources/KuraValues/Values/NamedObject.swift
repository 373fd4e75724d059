/// An object by its name alone, of which nobody has looked whether it is there.
package struct NamedObject: KeyReadable {
  package let objectID: ObjectID?

  package init(objectID: ObjectID?) { self.objectID = objectID }

  package func value(forKey key: String) -> Value { .null }
}
