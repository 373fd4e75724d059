import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A walk along the keys of a path, from table to table.
struct Walk {
  var question: LeafQuestion
  /// The keys that are still to go.
  var rest: ArraySlice<KeyComponent>
  /// Whether a to-many has been crossed: then an object that is missing is a nil among the values.
  var isInside = false
  /// Whether the last key's answer is turned round: ALL is not ANY not.
  var isTurned = false
  /// Whether no key has been followed yet.
  var isAtStart = true
  /// Whether a collection was asked for one of its elements: an element in it that is a collection
  /// is another value.
  private(set) var isOfElements = false

  init(_ question: LeafQuestion, _ path: ArraySlice<KeyComponent>) {
    self.question = question
    rest = path
  }

  var key: String { rest.first?.name ?? "" }

  /// The walk behind its first key.
  var next: Walk {
    var result = self
    result.rest = rest.dropFirst()
    result.isAtStart = false
    return result
  }

  /// The walk behind a to-many; nil where not each of its elements is asked the same.
  var crossing: Walk? {
    if isOfElements { return nil }
    return isInside || question.comparison.modifier != .direct ? next : membership
  }

  /// `tags.name CONTAINS "x"`, and so `"x" IN tags.name`, as `ANY tags.name == "x"`; nil where a
  /// collection is asked for something else.
  private var membership: Walk? {
    guard question.comparison.operation == .contains, !question.literal.isNull,
      question.literal.elements == nil
    else { return nil }
    var result = next
    result.isOfElements = true
    result.question.comparison.operation = .equal
    return result
  }
}

extension FilterCompiler {
  /// How many keys may follow each other that are no work for the evaluator: each is a join in a join.
  static let longestPath = 64

  /// The filter of a comparison whose left side is a path; nil if the reference must be asked.
  mutating func walk(_ walk: Walk, _ scope: FilterScope) -> Filter? {
    if walk.question.comparison.modifier == .all, !walk.isTurned {
      var turned = walk
      turned.isTurned = true
      return self.walk(turned, scope).map { node(walk.question.predicate, .not($0)) }
    }
    guard let first = walk.rest.first, first.kind == .key,
      walk.rest.count <= FilterCompiler.longestPath
    else { return nil }
    // Of a collection these are its size, also where its objects have such a key.
    if walk.isInside, ["count", "length"].contains(first.name) { return nil }
    guard let slot = graph.tables[scope.place.table].layout.slots[scope.place.code][first.name]
    else { return endOfWalk(walk, scope) }
    // Links of which some lead to deleted objects are read one by one.
    if graph.mayDangle, slot.attributeType == nil { return nil }
    switch slot {
    case .attribute(let column, let type):
      guard walk.rest.count == 1 else { return nil }
      return leaf(walk) { $0.attributeLeaf($1, column, type, scope) }
    case .toOne(let column, let table): return toOne(column, table, walk, scope)
    case .toMany(let column, _, _): return toMany(.lists(column: column), walk, scope)
    case .inverse(_, let column, let isToMany):
      return isToMany ? toMany(.inverse(column: column), walk, scope) : nil
    case .unresolved: return nil
    }
  }

  /// `objectID`, `self`, `entity.name`: what no column holds.
  private mutating func endOfWalk(_ walk: Walk, _ scope: FilterScope) -> Filter? {
    switch (walk.key, walk.rest.count) {
    case ("objectID", 1), ("self", 1): leaf(walk) { $0.selfLeaf($1, scope) }
    case (objectNumberKey, 1): leaf(walk) { $0.numberLeaf($1, scope) }
    case ("entity", 2):
      walk.rest.last?.name == "name" ? leaf(walk) { $0.entityLeaf($1, scope) } : nil
    default: nil
    }
  }

  /// The filter at the end of a walk: without ANY and ALL, and turned round if the walk is.
  private mutating func leaf(
    _ walk: Walk, _ make: (inout FilterCompiler, LeafQuestion) -> Filter?
  ) -> Filter? {
    guard walk.isInside || walk.question.comparison.modifier == .direct else { return nil }
    var question = walk.isAtStart ? walk.question : walk.question.asked(of: walk.rest)
    guard walk.isTurned else { return make(&self, question) }
    // It is asked of an element: what was written, with its ALL, is not.
    question.predicate.span = .none
    guard let filter = make(&self, question) else { return nil }
    return node(question.predicate.turned, .not(filter))
  }

  private mutating func toOne(
    _ column: Int, _ table: Int, _ walk: Walk, _ scope: FilterScope
  ) -> Filter? {
    if walk.rest.count == 1 {
      return leaf(walk) { $0.linkLeaf($1, column, table, walk.key, scope) }
    }
    guard let encoded = linkScope(walk.key, column, scope),
      let missing = answerWithoutObject(walk, encoded.scope),
      let filter = DeepStack.run({ self.walk(walk.next, encoded.scope) })
    else { return nil }
    let predicate = walk.question.asked(of: walk.rest).predicate
    return linkLeaf(walk.isTurned ? predicate.turned : predicate, encoded, filter, missing: missing)
  }

  /// The answer where a to-one leads to no object.
  private func answerWithoutObject(_ walk: Walk, _ there: FilterScope) -> Bool? {
    if !walk.isInside, walk.question.comparison.modifier != .direct {
      // ANY and ALL of nil: there is no element.
      return false
    }
    var question = walk.question
    question.comparison.modifier = .direct
    return answer(question, .null).map { $0 != walk.isTurned }
  }

  private mutating func toMany(
    _ link: ToManyLink, _ walk: Walk, _ scope: FilterScope
  ) -> Filter? {
    guard let there = destination(walk.key, scope), var next = walk.crossing,
      next.rest.first?.kind != .collectionOperator
    else { return nil }
    next.isInside = true
    let filter =
      next.rest.isEmpty
      ? leaf(next) { $0.selfLeaf($1, there) } : DeepStack.run { self.walk(next, there) }
    let predicate = walk.question.predicate
    return filter.flatMap {
      collectionLeaf(
        walk.isTurned ? predicate.turned : predicate, walk.key, link, $0, scope, there)
    }
  }

  /// The filter of a predicate that some object of a to-many relationship has to fulfill.
  mutating func collectionLeaf(
    _ predicate: PredicateTree, _ key: String, _ link: ToManyLink, _ filter: Filter,
    _ scope: FilterScope, _ there: FilterScope
  ) -> Filter? {
    guard filter.isOfKernels else { return nil }
    let kernel = CollectionKernel(
      key, link, filter, graph, here: scope.place.table, there: there.place.table,
      environment.cancel)
    return node(predicate, .kernel(kernel))
  }
}
