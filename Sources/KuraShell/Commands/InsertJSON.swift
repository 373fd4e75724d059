import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraModel
import KuraPredicates
import KuraStore
import KuraValues

/// Reads the objects of `insert Item {"title": "x", "tags": [1, 2]}`.
///
/// An object has the document's form: the number of its objectID, its `entity` if that is a
/// subentity, and relationships as objectIDs or as new objects.
struct JSONInsertion {
  let entity: String
  let model: Model
  let zone: ZoneRules
  let now: Timestamp
  let live: LiveGraph
  let cancel: CancelFlag
}

extension JSONInsertion {
  /// Returns the objects in a span of a statement.
  func objects(in source: SourceText, _ span: SourceSpan) throws(Diagnostic) -> [NewObject] {
    let node: JSONNode
    do throws(JSONSyntaxError) {
      node = try JSONNode(reading: Array(source.bytes[span.start..<span.end]))
    } catch {
      let place = span.start + error.offset
      throw Diagnostic(
        StoreProblem.syntax(error), at: SourceSpan(place, place + 1),
        fixIt: JSONInsertion.correction(source, span))
    }
    var objects: [NewObject] = []
    for element in elements(node) {
      if cancel.isRequested { throw Diagnostic(StopReason.stopped) }
      objects.append(try object(element, of: entity, offset: span.start))
    }
    return objects
  }

  private func elements(_ node: JSONNode) -> [JSONNode] {
    if case .array(let elements) = node.kind { elements } else { [node] }
  }

  private func object(
    _ node: JSONNode, of entity: String, offset: Int
  ) throws(Diagnostic) -> NewObject {
    guard case .object(let members) = node.kind else {
      throw Diagnostic(InsertProblem.notAnObject, at: SourceSpan(node.span, offset))
    }
    var object = NewObject(entity: entity)
    if let own = try subentity(members, of: entity, offset: offset) { object.entity = own }
    for member in members {
      let property = model.property(named: member.key, of: object.entity)
      switch (member.key, property) {
      case ("objectID", nil):
        object.number = try number(member.value, offset: offset)
        object.numberSpan = SourceSpan(member.value.span, offset)
      case ("entity", nil): continue
      case (_, let property?):
        object.values.append(try value(of: member, as: property, offset: offset))
      case (_, nil): throw unknownKey(member, of: object.entity, offset: offset)
      }
    }
    return object
  }

  /// Returns the subentity that an object names as in the result of a fetch, `"entity": "Task"`.
  private func subentity(
    _ members: [JSONMember], of entity: String, offset: Int
  ) throws(Diagnostic) -> String? {
    guard model.property(named: "entity", of: entity) == nil,
      let member = members.first(where: { $0.key == "entity" })
    else { return nil }
    guard case .string(let name) = member.value.kind, model[name] != nil,
      model.entity(name, isKindOf: entity)
    else {
      throw Diagnostic(
        InsertProblem.notASubentity(member.value.text, of: entity),
        at: SourceSpan(member.value.span, offset))
    }
    return name
  }

  private func number(_ node: JSONNode, offset: Int) throws(Diagnostic) -> Int64? {
    if case .null = node.kind { return nil }
    if let number = node.integer { return number }
    throw Diagnostic(
      InsertProblem.notANumberOfAnObject(key: "objectID"), at: SourceSpan(node.span, offset))
  }

  private func unknownKey(_ member: JSONMember, of entity: String, offset: Int) -> Diagnostic {
    let keys = model.keys(of: entity)
    let facts = ChangeProblem.unknownKey(member.key, entity: entity, known: keys)
    let span = SourceSpan(member.keySpan, offset)
    var problem = Diagnostic(facts, at: span)
    problem.fixIts =
      (keys.filter { $0.isLoosely(member.key) } + nearNames(to: member.key, among: keys))
      .map { FixIt(span, $0.writtenText) }
    return problem
  }

  /// Returns the fix that turns nearly valid JSON into JSON; nil if there is none.
  private static func correction(_ source: SourceText, _ span: SourceSpan) -> FixIt? {
    let edits = JSONRepair.edits(of: source.text(span)).map { edit in
      TextEdit(SourceSpan(edit.place, span.start), String(decoding: edit.text, as: UTF8.self))
    }
    return edits.isEmpty ? nil : FixIt(edits: edits)
  }

  private func value(
    of member: JSONMember, as property: Property, offset: Int
  ) throws(Diagnostic) -> NewValue {
    let span = SourceSpan(member.value.span, offset)
    var new = NewValue(member.key, .null, span: span)
    switch property {
    case .attribute(let attribute):
      do {
        new.value = try attribute.type.value(of: member.value, in: zone, from: .person(now: now))
      } catch {
        var problem = Diagnostic(error, at: span)
        problem.fixIts = literals(of: member.value, as: attribute.type).map { FixIt(span, $0) }
        throw problem
      }
    case .relationship(let relationship):
      guard let objects = try objects(member.value, relationship, offset: offset) else {
        throw Diagnostic(InsertProblem.notANumberOfAnObject(key: member.key), at: span)
      }
      (new.value, new.created) = objects
    }
    return new
  }

  /// Returns how a value of another type may be written in JSON.
  private func literals(of node: JSONNode, as type: AttributeType) -> [String] {
    let text: String
    switch node.kind {
    case .string(let string): text = string
    case .number(let digits): text = digits
    case .boolean(let value): text = value ? "true" : "false"
    case .null, .array, .object: return []
    }
    let evaluation = EvaluationContext(now: now, zone: zone)
    let words = ["YES": "true", "NO": "false"]
    return type.literals(meantBy: text, in: evaluation).filter { !$0.hasSuffix(")") }
      .map { words[$0] ?? $0 }
  }

  /// Returns `3`, `[1, 2]` or `null` as objects by identity, and `{"title": "x"}` as a new object;
  /// nil for anything else.
  private func objects(
    _ node: JSONNode, _ relationship: Relationship, offset: Int
  ) throws(Diagnostic) -> (Value, created: [(place: Int, object: NewObject)])? {
    switch node.kind {
    case .null: return (.null, [])
    case .number(let digits): return object(digits, relationship).map { ($0, []) }
    case .object: return (.null, [(0, try new(node, relationship, offset: offset))])
    case .array(let elements):
      var (values, created): ([Value], [(place: Int, object: NewObject)]) = ([], [])
      for element in elements {
        switch element.kind {
        case .number(let digits):
          guard let value = object(digits, relationship) else { return nil }
          values.append(value)
        case .object:
          created.append((values.count, try new(element, relationship, offset: offset)))
          values.append(.null)
        case .null, .boolean, .string, .array: return nil
        }
      }
      return (.list(values), created)
    case .boolean, .string: return nil
    }
  }

  private func new(
    _ node: JSONNode, _ relationship: Relationship, offset: Int
  ) throws(Diagnostic) -> NewObject {
    var object = try object(node, of: relationship.destination, offset: offset)
    object.span = SourceSpan(node.span, offset)
    return object
  }

  private func object(_ digits: String, _ relationship: Relationship) -> Value? {
    guard let number = Int64(digits) else { return nil }
    let root = model.root(of: relationship.destination)
    let id = ObjectID(entity: relationship.destination, root: root, number: number)
    return live.object(id)
  }
}

extension SourceSpan {
  /// Creates the span of JSON, given an offset in the statement's text.
  fileprivate init(_ range: Range<Int>, _ offset: Int) {
    self.init(range.lowerBound + offset, range.upperBound + offset)
  }
}
