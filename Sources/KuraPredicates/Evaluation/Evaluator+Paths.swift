import KuraDiagnostics
import KuraValues

extension Evaluator {
  /// Returns the value of a path such as `title`, `items.@sum.estimate` or `$i.done`.
  func value(of path: KeyPathTree, _ span: SourceSpan) throws(Diagnostic) -> Value {
    if var found = path.base.flatMap(found) {
      var rest = path.components[...]
      while let key = rest.first, key.kind == .key, !key.asksSize,
        let next = found.objects(at: key.name)
      {
        found = next
        rest.removeFirst()
      }
      if let value = try value(of: rest, in: found, span) { return value }
      return try follow(rest, from: found.value, span)
    }
    var value = root
    if let base = path.base { value = try self.value(of: base) }
    return try follow(path.components[...], from: value, span)
  }

  /// Returns the objects of a fetch, or of a set operation of fetches, which have not been read yet; nil for other
  /// expressions.
  private func found(_ expression: ExpressionTree) -> (any FoundObjects)? {
    switch expression.kind {
    case .constant(let constant): constant.objects
    case .setOperation(let operation, let left, let right):
      if let left = found(left), let right = found(right) {
        left.combined(operation, with: right)
      } else {
        nil
      }
    default: nil
    }
  }

  /// Returns the value of `@count`, of an attribute or of its aggregate; nil if the objects must be read.
  private func value(
    of path: ArraySlice<KeyComponent>, in found: any FoundObjects, _ span: SourceSpan
  ) throws(Diagnostic) -> Value? {
    guard let first = path.first else { return nil }
    let here = first.span == .none ? span : first.span
    switch first.kind {
    case .key where first.asksSize:
      return try follow(path.dropFirst(), from: .integer(Int64(found.count)), span)
    case .key:
      guard let values = found.values(ofAttribute: first.name) else { return nil }
      return try follow(path.dropFirst(), from: .list(values), span)
    case .collectionOperator where first.name == CollectionOperator.count.rawValue:
      return .integer(Int64(found.count))
    case .collectionOperator:
      guard path.count == 2, let key = path.last, key.kind == .key,
        let operation = CollectionOperator(rawValue: first.name),
        let values = found.values(ofAttribute: key.name)
      else { return nil }
      return try aggregate(operation, of: values, here)
    case .variable: return nil
    }
  }

  /// Returns the value of a path that starts at a value.
  func follow(
    _ components: ArraySlice<KeyComponent>, from start: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    var value = start
    for (place, component) in zip(components.indices, components) {
      let here = component.span == .none ? span : component.span
      switch component.kind {
      case .key: value = try read(component.name, from: value, here)
      case .variable: value = try readVariable(component.name, from: value, here)
      case .collectionOperator:
        if let listed = value.listed(component.name) {
          value = listed
          continue
        }
        let rest = components[components.index(after: place)...]
        return try aggregate(component.name, over: value, rest, here)
      }
    }
    return value
  }

  /// Reads the `$b` of `$a.$b`, whose value is a key or a path of keys.
  private func readVariable(
    _ name: String, from value: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    guard let key = context.variables[name] else {
      throw Diagnostic(EvaluationError.unboundVariable(name), at: span)
    }
    guard case .string(let text) = key else {
      throw Diagnostic(EvaluationError.noKey(name, key.kind), at: span)
    }
    var result = value
    for key in text.split(separator: ".") { result = try read(String(key), from: result, span) }
    return result
  }

  /// Reads one key of a value. For a collection, returns the list of its elements' values.
  func read(_ key: String, from value: Value, _ span: SourceSpan) throws(Diagnostic) -> Value {
    switch value {
    case .null: return .null
    case .object(let object): return try read(key, from: object, span)
    case .dictionary(let dictionary):
      if let found = dictionary[key] { return found }
      if key == "self" { return value }
      try dictionary.checkMayHave(key, span)
      return .null
    case .list, .set: return try readEach(key, of: value, span)
    default:
      if key == "self" { return value }
      guard let meaning = Message.of(key), meaning.isKey(of: value.kind) else {
        if context.lenientOrdering { return .null }
        throw Diagnostic(EvaluationError.keyOfScalar(key, value.kind), at: span)
      }
      return try taking(span, otherwise: .null) { () throws(EvaluationError) in
        try meaning.send(value, [], context)
      }
    }
  }

  private func read(
    _ key: String, from object: ObjectReference, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    do {
      let value = try object.reader.value(forKey: key)
      return value.isNull && key == "self" ? .object(object) : value
    } catch {
      throw Diagnostic(unreadable: key, error, at: span)
    }
  }

  private func readEach(
    _ key: String, of collection: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let elements = collection.elements ?? []
    if KeyComponent.namesOfSize.contains(key) { return .integer(Int64(elements.count)) }
    if key == "self" { return collection }
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      try checkCancel(span)
      let value = try read(key, from: element, span)
      // Through to-many relationships the result is one flat list of objects.
      if case .object(let object) = element, let objects = value.objects,
        !objects.isEmpty || object.isLink(key)
      {
        values += objects
      } else {
        values.append(value)
      }
    }
    return .list(values)
  }
}

extension ValueDictionary {
  /// Throws for a key that the encoded type cannot have, because it is misspelt or encoded under
  /// another name.
  fileprivate func checkMayHave(_ key: String, _ span: SourceSpan) throws(Diagnostic) {
    guard let encodedKeys, !encodedKeys.accept(key) else { return }
    let facts = UnknownKey(key: key, type: encodedKeys.type, keys: encodedKeys.names)
    var diagnostic = Diagnostic(facts, at: span)
    diagnostic.fixIts = facts.near.map { FixIt(span, $0) }
    throw diagnostic
  }
}

extension ObjectReference {
  /// Returns whether a key is a relationship; true if unknown.
  fileprivate func isLink(_ key: String) -> Bool {
    (reader as? any RelationshipListing)?.isLink(key) ?? true
  }
}

extension Value {
  /// Returns `@allKeys` or `@allValues` of a dictionary; nil for anything else.
  fileprivate func listed(_ name: String) -> Value? {
    guard name == "allKeys" || name == "allValues" else { return nil }
    if isNull { return self }
    return dictionaryValue.map {
      .list(name == "allKeys" ? $0.keys.map(Value.string) : $0.values)
    }
  }

  /// The elements of a collection of objects; nil for any other value.
  fileprivate var objects: [Value]? {
    arrayValue.flatMap { $0.allSatisfy { $0.kind == .object } ? $0 : nil }
  }
}

extension Evaluator {
  /// Returns an indexed element such as `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]` or `a["key"]`.
  func element(
    of collection: ExpressionTree, _ place: IndexKind, _ span: SourceSpan
  ) throws(Diagnostic) -> Value {
    let value = try value(of: collection)
    switch place {
    case .first: return try elements(of: value, for: "[ ]", span).first ?? .null
    case .last: return try elements(of: value, for: "[ ]", span).last ?? .null
    case .size:
      if value.isNull { return .null }
      return .integer(Int64(try elements(of: value, for: "[ ]", span).count))
    case .at(let index):
      let index = try self.value(of: index)
      return try taking(span, otherwise: .null) { () throws(EvaluationError) in
        try value.element(at: index)
      }
    }
  }
}

extension Value {
  /// Returns the element at an index of a list, or at a key of a value with keys; nil for nil.
  func element(at index: Value) throws(EvaluationError) -> Value {
    switch (self, index) {
    case (_, .null): throw .badIndex(index.kind)
    case (.null, _): return .null
    case (.dictionary(let dictionary), .string(let key)): return dictionary[key] ?? .null
    case (.object(let object), .string(let key)):
      do { return try object.reader.value(forKey: key) } catch {
        throw .unreadableKey(key, "\(error)")
      }
    case (.list(let elements), _): return try elements.element(at: index)
    case (.set, _), (.dictionary, _), (.object, _): throw .badIndex(index.kind)
    default: throw .notACollection("[ ]", kind)
    }
  }
}

extension [Value] {
  fileprivate func element(at index: Value) throws(EvaluationError) -> Value {
    guard let place = try? index.wholeNumber() else { throw .badIndex(index.kind) }
    guard let place = Int(exactly: place), indices.contains(place) else {
      throw .indexOutOfRange(place, count: count)
    }
    return self[place]
  }
}
