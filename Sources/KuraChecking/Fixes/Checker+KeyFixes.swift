import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// What a key that nobody knows may mean.
extension Checker {
  /// A problem of a path's step with the fixes that the rest of the path and the model suggest.
  func offeringKeys(
    _ problem: Diagnostic, _ path: KeyPathTree, at step: Int, of type: CheckedType
  ) -> Diagnostic {
    var problem = problem
    switch problem.facts as? CheckFacts {
    case .unknownKey(let name, let entity, _, _)? where !entity.isEmpty:
      let component = path.components[step]
      guard component.span != .none else { break }
      var fixes = habits(name).map { FixIt(component.span, $0) } + problem.fixIts
      if step == 0, path.base == nil {
        fixes = elementFixes(path) + prefixFixes(path, entity) + fixes + pathFixes(path, entity)
        if path.components.count == 1 { fixes += partFixes(name, of: entity, component.span) }
      }
      problem.fixIts = fixes
    case .unknownKey(let name, _, _, _)? where path.base == nil && step == 0:
      problem.fixIts = wordFixes(name, path)
    case .keyOfAttribute(let name, _, let type)?:
      problem.fixIts = functionFixes(name, of: type, path, step)
    default: break
    }
    return problem
  }

  /// `"x"`, or `$x` where a variable is called so.
  private func wordFixes(_ name: String, _ path: KeyPathTree) -> [FixIt] {
    guard path.components.count == 1, let span = path.components.first?.span, span != .none else {
      return variableFix(name, path.components[0].span)
    }
    // An entity has been forgotten its fetch, and is no text.
    return variableFix(name, span) + (model[name] == nil ? [FixIt(span, name.writtenText)] : [])
  }

  private func variableFix(_ name: String, _ span: SourceSpan) -> [FixIt] {
    let isKnown =
      context.evaluation.variables[name] != nil || context.types[name] != nil || scope[name] != nil
    return isKnown ? [FixIt(SourceSpan(span.start, span.start), "$")] : []
  }

  /// `year(date)` for `year`, of an entity that has a date; `length(title)` for `length`.
  private func partFixes(_ name: String, of entity: String, _ span: SourceSpan) -> [FixIt] {
    guard let function = PredicateFunction.called(name), function.operands.accept(1),
      let called = function.names.first
    else { return [] }
    // Beside a text it is the date itself that is meant.
    let behind = context.source.map { $0.text(SourceSpan(span.end, $0.bytes.count)).prefix(8) }
    if behind?.contains(where: { "\"'".contains($0) }) == true { return [] }
    let kind = function.operands.kind(at: 0)
    guard kind == .date || kind == .text else { return [] }
    let wanted: AttributeType = kind == .date ? .date : .string
    let keys = model.allAttributes(of: entity).filter { $0.type == wanted }.map(\.name)
    // What the words before are about is likelier than what stands first in the model.
    let before = context.source.map { $0.text(SourceSpan(0, span.start)) } ?? ""
    let likely = keys.filter(before.contains) + keys.filter { !before.contains($0) }
    return likely.prefix(2).map { FixIt(span, "\(called)(\($0.writtenName))") }
  }

  /// What other stores call the identity of an object.
  private func habits(_ name: String) -> [String] {
    ["id", "_id", "pk", "rowid", "z_pk", "identifier"].contains(name.lowercased())
      ? ["objectID"] : []
  }
}

extension Checker {
  /// `year` for `books.year` of `fetch books`, `title` for `m.title`, `tags.name` for `Tag.name`
  private func prefixFixes(_ path: KeyPathTree, _ entity: String) -> [FixIt] {
    let first = path.components[0]
    var fixes: [FixIt] = variableFix(first.name, first.span)
    guard path.components.count > 1 else { return fixes }
    let next = path.components[1]
    // `Book4.pages` is meant of one book.
    let isNumbered = model.entities.contains {
      first.name.hasPrefix($0.name) && Int(first.name.dropFirst($0.name.count)) != nil
    }
    if isNumbered { return fixes }
    if model.property(named: next.name, of: entity) != nil || next.name == "objectID" {
      fixes.append(FixIt(SourceSpan(first.span.start, next.span.start), ""))
    }
    let named = model.entities.map(\.name).filter { $0.isLoosely(first.name) }
    for relationship in model.allRelationships(of: entity)
    where named.contains(where: { model.isRelated($0, relationship.destination) }) {
      fixes.append(FixIt(first.span, relationship.name.writtenName))
    }
    return named.contains(where: { $0 == entity }) ? fixes : fixes.reversed()
  }

  /// `$i.done` for `done` in a subquery.
  private func elementFixes(_ path: KeyPathTree) -> [FixIt] {
    let first = path.components[0]
    return scope.keys.sorted().compactMap { name in
      guard let entity = scope[name]?.entity, model.property(named: first.name, of: entity) != nil
      else { return nil }
      return FixIt(SourceSpan(first.span.start, first.span.start), "$\(name).")
    }
  }

  /// `parentCategory.name` for `name`: the key of an object that a relationship leads to.
  private func pathFixes(_ path: KeyPathTree, _ entity: String) -> [FixIt] {
    let first = path.components[0]
    let relationships = model.allRelationships(of: entity).filter {
      model.property(named: first.name, of: $0.destination) != nil
    }
    let ordered = relationships.filter { !$0.isToMany } + relationships.filter(\.isToMany)
    return ordered.map { relationship in
      FixIt(SourceSpan(first.span.start, first.span.start), relationship.name.writtenName + ".")
    }
  }

  /// `items.@count` for `@count` of an object.
  func collectionFixes(_ component: KeyComponent, _ path: KeyPathTree, _ type: CheckedType)
    -> [FixIt]
  {
    guard case .object(let entity) = type, path.base == nil, path.components.first == component
    else { return [] }
    let start = SourceSpan(component.span.start, component.span.start)
    return model.allRelationships(of: entity).filter(\.isToMany).map {
      FixIt(start, $0.name.writtenName + ".")
    }
  }

  /// `year(date)` for `date.year`, `title.length` for `title.count`
  private func functionFixes(
    _ name: String, of type: AttributeType, _ path: KeyPathTree, _ step: Int
  ) -> [FixIt] {
    let component = path.components[step]
    guard step > 0, step == path.components.count - 1, component.span != .none else { return [] }
    let start = path.base?.span.start ?? path.components[0].span.start
    let whole = SourceSpan(start, component.span.end)
    let before = SourceSpan(start, path.components[step - 1].span.end)
    if type == .string, ["count", "size", "len"].contains(name.lowercased()) {
      return [FixIt(component.span, "length")]
    }
    guard let text = context.source?.text(before),
      let function = PredicateFunction.called(name) ?? PredicateFunction.knownElsewhere(as: name),
      function.operands.accept(1), let called = function.names.first
    else { return [] }
    return [FixIt(whole, "\(called)(\(text))")]
  }
}

extension AttributeType {
  /// Whether a function of that name asks for values of the type: `year` of a date.
  func isAsked(by name: String) -> Bool {
    guard self == .date, let function = PredicateFunction.called(name) else { return false }
    return function.operands.kind(at: 0) == .date && function.operands.accept(1)
  }
}

extension String {
  /// Whether two names are one but for case, `_` and the plural.
  package func isLoosely(_ other: String) -> Bool { plainName == other.plainName }

  private var plainName: String {
    let letters = WrittenNumber.plain(self).lowercased().filter {
      $0 != "_" && $0 != "-" && $0 != " "
    }
    if letters.hasSuffix("ies"), letters.count > 4 { return letters.dropLast(3) + "y" }
    return letters.hasSuffix("s") && letters.count > 3 ? String(letters.dropLast()) : letters
  }
}
