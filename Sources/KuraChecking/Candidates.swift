import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraValues

/// A completion candidate at a cursor.
package struct Candidate: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case entity, key, collectionOperator, comparison, variable, function, word, request, type
    /// A literal; its text is an example.
    case literal
  }

  package let kind: Kind
  /// The text, such as `title`, `CONTAINS`, `$home`, `year(` or `"2026-03-01"`.
  package let text: String
  /// The type of its value, if known.
  package let type: CheckedType?

  init(_ kind: Kind, _ text: String, _ type: CheckedType? = nil) {
    self.kind = kind
    self.text = text
    self.type = type
  }
}

extension CheckContext {
  /// Returns the distinct candidates at the end of a text, the most likely kinds first.
  ///
  ///     fetch Item where title ⌷          // ==, CONTAINS, LIKE …: the operators for a text
  ///     fetch Item where done == ⌷        // YES, NO, the boolean keys
  package func candidates(for expectations: [Expectation]) -> [Candidate] {
    var seen: Set<Candidate> = []
    return expectations.flatMap { candidates(for: $0) }.filter { seen.insert($0).inserted }
  }

  /// Returns the entity of the objects that are evaluated at the end of a text.
  package func entity(at expectations: [Expectation]) -> String? {
    expectations.lazy.compactMap { checker(inside: $0.open).entity }.first
  }

  private func candidates(for expectation: Expectation) -> [Candidate] {
    let checker = checker(inside: expectation.open)
    switch expectation.wanted {
    case .operand where expectation.isCount: return checker.counts
    case .operand:
      return checker.operands(checker.wanted(by: expectation.open))
        .filter { expectation.isNew($0) && expectation.allows($0) }
        .map { expectation.isOfBounds ? $0.asBounds : $0 }
    case .infix(let tree, let mayCompare):
      guard mayCompare, !expectation.isOfValue else { return [] }
      return checker.comparisons(of: checker.checked(tree).type, expectation.isQuantified)
    case .connective: return ["AND", "OR"].map { Candidate(.word, $0) }
    case .key(let base): return checker.keys(of: checker.checked(base).type)
    case .source: return checker.sources
    case .elements(let entity, let keys):
      return checker.elementKeys(ElementPath(entity: entity, keys: keys.map { KeyComponent($0) }))
    case .words(let words): return words.map { Candidate(.word, $0) }
    case .name(let kind): return checker.names(kind).filter(expectation.isNew)
    case .statement: return []
    }
  }

  /// Returns a checker with the bindings of the open constructs: an entity, and elements of subqueries.
  private func checker(inside open: [OpenPart]) -> Checker {
    var checker = Checker(CheckState(self), .none)
    for part in open {
      switch part {
      case .fetch(let fetch, _):
        checker.root = checker.root(of: fetch)
        if let name = fetch.objectName { checker.scope[name] = checker.root.type }
      case .element(let variable, let collection):
        let element = checker.checked(collection).type.element
        if variable.isElementItself {
          checker.root = element.entity.map { .object(entity: $0, mayBeNarrower: true) } ?? .unknown
        } else {
          checker.scope[variable] = element
        }
      case .right, .quantified, .argument, .list: break
      }
    }
    return checker
  }
}

extension Candidate {
  /// The candidate as both bounds of a range, if it is a literal.
  fileprivate var asBounds: Candidate {
    kind == .literal ? Candidate(kind, "{\(text), \(text)}", type) : self
  }
}

extension Expectation {
  /// Whether only a value is allowed: in an argument, and after a comparison.
  fileprivate var isOfValue: Bool {
    switch open.last {
    case .argument, .right: true
    case .fetch, .quantified, .element, .list, nil: isCount
    }
  }

  /// Returns whether the list at the cursor lacks the key.
  fileprivate func isNew(_ candidate: Candidate) -> Bool {
    guard candidate.kind == .key, case .list(let given)? = open.last else { return true }
    return !given.contains { $0.writtenName == candidate.text }
  }

  /// Returns whether a column is expected, or the candidate is not a window function.
  fileprivate func allows(_ candidate: Candidate) -> Bool {
    guard candidate.kind == .function,
      PredicateFunction.called(String(candidate.text.dropLast()))?.isWindow == true
    else { return true }
    for part in open.reversed() {
      if case .fetch(_, let clause) = part { return clause == "select" }
    }
    return false
  }

  /// Whether a number is expected after `limit`, `offset` or `batch`
  fileprivate var isCount: Bool {
    guard case .fetch(_, let clause?)? = open.last else { return false }
    return FetchCount(rawValue: clause) != nil
  }

  /// Whether bounds are expected after BETWEEN
  package var isOfBounds: Bool {
    if case .right(_, .between, _)? = open.last { true } else { false }
  }

  fileprivate var isQuantified: Bool { if case .quantified? = open.last { true } else { false } }
}

/// The kind of operand that is expected.
private enum WantedOperand {
  /// The left side of a comparison, a column, or a sort key
  case any
  /// A to-many relationship, after ANY
  case collection
  /// A value to compare with
  case like(CheckedType)
  case argument(PredicateFunction.OperandKind)

  func takes(_ type: CheckedType) -> Bool {
    switch self {
    case .any: true
    case .collection: type.isCollection || type == .attribute(.json) || type.entity != nil
    case .like(let wanted): type.isLike(wanted)
    case .argument(let kind): type.isLike(kind)
    }
  }
}

extension Checker {
  fileprivate func wanted(by open: [OpenPart]) -> WantedOperand {
    switch open.last {
    case .right(let left, let operation, let modifier):
      let type = checked(left).type
      return .like(type.asked(by: operation, modifier))
    case .argument(let function, let place):
      return function.operands.kind(at: place).map { .argument($0) } ?? .any
    case .quantified: return .collection
    case .fetch, .element, .list, nil: return .any
    }
  }

  fileprivate func operands(_ wanted: WantedOperand) -> [Candidate] {
    var result: [Candidate] = []
    if case .like(let type) = wanted { result += literals(of: type) }
    result += keys(of: root.type).filter { candidate in
      candidate.type.map { wanted.takes($0) || $0.entity != nil } ?? true
    }
    result += variables.filter { wanted.takes($0.type ?? .any) }
    // Aggregates come last, because a single object has few lists.
    let functions = FunctionCatalogue.all
    let inOrder = functions.filter { !$0.summarizes } + functions.filter(\.summarizes)
    result += inOrder.compactMap { function in
      let type = CheckedType(function.result)
      let name = function.names.first { !$0.contains(":") }
      return wanted.takes(type) ? name.map { Candidate(.function, $0 + "(", type) } : nil
    }
    if case .any = wanted {
      result += ["NOT", "ANY", "ALL", "NONE", "SUBQUERY(", "SELF"].map { Candidate(.word, $0) }
    }
    return result
  }

  /// Numbers of rows, and variables with a number.
  fileprivate var counts: [Candidate] {
    ["10", "20", "100"].map { Candidate(.literal, $0, .number) }
      + variables.filter { WantedOperand.like(.number).takes($0.type ?? .any) }
  }

  fileprivate func names(_ kind: Expectation.NameKind) -> [Candidate] {
    switch kind {
    case .entity: return entities
    case .request: return model.requests.map { Candidate(.request, $0.name.writtenName) }
    case .type: return AttributeType.allCases.map { Candidate(.type, $0.rawValue) } + entities
    case .key:
      guard let entity else { return [] }
      return keys(of: .object(entity: entity)).filter { $0.text != "objectID" }
    }
  }

  private var entities: [Candidate] {
    model.entities.map { Candidate(.entity, $0.name.writtenName, .object(entity: $0.name)) }
  }

  private func literals(of type: CheckedType) -> [Candidate] {
    switch type.element {
    case .attribute(.boolean), .boolean: return ["YES", "NO"].map { Candidate(.literal, $0, type) }
    case .attribute(let attribute): return [Candidate(.literal, attribute.literalText, type)]
    case .date: return [Candidate(.literal, AttributeType.date.literalText, type)]
    case .number: return [Candidate(.literal, AttributeType.integer.literalText, type)]
    case .string: return [Candidate(.literal, AttributeType.string.literalText, type)]
    case .object(let entity), .objectID(let entity):
      return [Candidate(.literal, entity.writtenName + "/1", type)]
    case .collection, .entity, .literal, .any: return []
    }
  }

  fileprivate var variables: [Candidate] {
    let known = Set(scope.keys).union(context.types.keys).union(context.evaluation.variables.keys)
    return known.sorted().map { name in
      let tree = ExpressionTree(.variable(name))
      return Candidate(.variable, "$" + name, checked(tree).type)
    }
  }

  fileprivate var sources: [Candidate] {
    let last = context.lastEntity.map { Candidate(.entity, "_", .object(entity: $0)) }
    return entities + (last.map { [$0] } ?? [])
      + variables.filter { $0.type?.entity != nil || $0.type == .literal }
  }

  fileprivate func elementKeys(_ path: ElementPath) -> [Candidate] {
    guard let steps = try? path.prefix(in: model), steps.json == nil else { return [] }
    let keys = keys(of: .object(entity: steps.destination))
    let isOfJSON = keys.contains { $0.type == .attribute(.json) }
    return (isOfJSON ? [Candidate(.collectionOperator, "@allValues")] : [])
      + keys.filter { candidate in
        switch candidate.type {
        case .attribute(let type)?: type == .json
        case .object?, .collection?: candidate.text != "objectID"
        default: false
        }
      }
  }

  /// Returns the keys of an object, or of the objects of a collection.
  fileprivate func keys(of type: CheckedType) -> [Candidate] {
    var result: [Candidate] = []
    if let entity = type.entity {
      result = model.keys(of: entity).compactMap { key in
        model.property(named: key, of: entity)
          .map { Candidate(.key, key.writtenName, CheckedType($0)) }
      }
      result.append(Candidate(.key, "objectID", .objectID(entity: entity)))
    }
    if case .attribute(.string) = type { result.append(Candidate(.key, "length", .number)) }
    guard type.isCollection else { return result }
    let numbers = ["@count", "@sum", "@avg"].map { Candidate(.collectionOperator, $0, .number) }
    return result + numbers + ["@min", "@max"].map { Candidate(.collectionOperator, $0) }
  }

  fileprivate func comparisons(of type: CheckedType, _ isQuantified: Bool) -> [Candidate] {
    let asked = isQuantified ? type.element : type
    return asked.comparisons.map { Candidate(.comparison, $0.text) }
  }
}
