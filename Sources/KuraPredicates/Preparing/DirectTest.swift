import KuraDiagnostics
import KuraValues

/// A predicate that reads keys of an element without converting the element to a value.
typealias DirectTest<Element> = (Element) throws(Diagnostic) -> Bool

/// Most predicates of collections are AND, OR and NOT over comparisons of a single key with a known
/// value. All others convert the element to a value.
extension PredicatePreparation {
  /// Returns the test; nil if a part of the predicate needs the whole element.
  func direct<Element: KeyReadable>(
    _ tree: PredicateTree, _ type: Element.Type
  ) -> DirectTest<Element>? {
    guard context.time == nil, tree.height <= Self.tallest else { return nil }
    switch tree.kind {
    case .comparison(let comparison): return direct(comparison, tree.span, type)
    case .not(let inside):
      guard let inside = direct(inside, type) else { return nil }
      return { element throws(Diagnostic) in try !inside(element) }
    case .and(let parts): return directChain(parts, untilIs: false, type)
    case .or(let parts): return directChain(parts, untilIs: true, type)
    case .constant(let answer): return { _ throws(Diagnostic) in answer }
    case .truth: return nil
    }
  }

  private func directChain<Element: KeyReadable>(
    _ parts: [PredicateTree], untilIs end: Bool, _ type: Element.Type
  ) -> DirectTest<Element>? {
    let tests = parts.compactMap { direct($0, type) }
    guard tests.count == parts.count else { return nil }
    guard tests.count == 2 else {
      return { element throws(Diagnostic) in
        for test in tests where try test(element) == end { return end }
        return !end
      }
    }
    let (first, second) = (tests[0], tests[1])
    return { element throws(Diagnostic) in
      if try first(element) == end { return end }
      return try second(element)
    }
  }

  private func direct<Element: KeyReadable>(
    _ comparison: Comparison, _ span: SourceSpan, _ type: Element.Type
  ) -> DirectTest<Element>? {
    guard comparison.modifier == .direct, let right = fixed(comparison.right),
      case .keyPath(let path) = comparison.left.kind, startsAtElement(path),
      path.components.count == 1, path.components[0].kind == .key,
      path.components[0].name != "self"
    else { return nil }
    let (key, keySpan) = (path.components[0].name, path.components[0].span)
    let here = keySpan == .none ? comparison.left.span : keySpan
    let check = PreparedComparison(comparison, right, context).check(at: span)
    return { element throws(Diagnostic) in try check(element.read(key, here)) }
  }
}

extension PredicatePreparation {
  /// Returns whether a path reads a key of the tested element: `$p.name` in a SUBQUERY, otherwise
  /// `name`.
  private func startsAtElement(_ path: KeyPathTree) -> Bool {
    guard let element else { return path.base == nil }
    if case .variable(element)? = path.base?.kind { return true }
    return false
  }

  /// Returns the test of a SUBQUERY's elements that are objects; nil if its predicate reads
  /// anything else than their keys.
  func direct(_ tree: PredicateTree, ofEach variable: String) -> DirectTest<SubqueryElement>? {
    var preparation = self
    preparation.bound.insert(variable)
    preparation.element = variable
    return preparation.direct(tree, SubqueryElement.self)
  }
}

/// An object in a collection of a program.
struct SubqueryElement: KeyReadable {
  let object: ObjectReference

  func value(forKey key: String) throws -> Value { try object.reader.value(forKey: key) }
}

extension KeyReadable {
  /// Returns the value of a key; errors get the span.
  fileprivate func read(_ key: String, _ span: SourceSpan) throws(Diagnostic) -> Value {
    do { return try value(forKey: key) } catch {
      throw Diagnostic(unreadable: key, error, at: span)
    }
  }
}

extension Diagnostic {
  /// Creates a diagnostic for a key that a reader rejected.
  init(unreadable key: String, _ error: any Error, at span: SourceSpan) {
    if var known = error as? Diagnostic {
      known.span = known.span ?? span
      self = known
    } else {
      self.init(EvaluationError.unreadableKey(key, "\(error)"), at: span)
    }
  }
}
