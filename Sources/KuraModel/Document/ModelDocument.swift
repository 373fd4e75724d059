package import KuraBytes
package import KuraDiagnostics
package import KuraJSON
package import KuraValues

/// The model as a document says it under `"model"`, with everything that is wrong in it.
///
///     let read = ModelDocument(node, in: source, zone: .utc)
///     if let problem = read.problems.first { throw problem }
///     read.model["MemoDate"]
package struct ModelDocument: Sendable {
  /// What could be read; complete where there are no problems.
  package private(set) var model: Model
  /// Each with its place in the document, in the document's order.
  package private(set) var problems: [Diagnostic]

  /// Reads a model from its JSON.
  ///
  /// The spans of the node and of all diagnostics are places in the source. Dates without a zone
  /// are read in the document's. Linear in the document. If the flag is raised meanwhile the model is not
  /// complete.
  package init(
    _ node: JSONNode, in source: SourceText, zone: ZoneRules, _ cancel: CancelFlag = CancelFlag()
  ) {
    var reader = ModelReader(source: source, zone: zone, cancel)
    model = reader.model(node)
    problems = reader.problems
    if problems.isEmpty { problems = check(node, source, cancel) }
    problems.sort { ($0.span?.start ?? 0) < ($1.span?.start ?? 0) }
  }

  /// What `ModelCheck` finds, at the places where the document says it.
  ///
  /// Asked only of a model that was read whole: half of one breaks rules that the whole keeps.
  private func check(
    _ node: JSONNode, _ source: SourceText, _ cancel: CancelFlag
  ) -> [Diagnostic] {
    ModelCheck(model, cancel).problems.map { problem in
      Diagnostic(problem.facts, at: node.span(of: problem, in: source), in: source)
    }
  }
}

/// The keys of `"model"` in a document.
enum ModelKey: String, CaseIterable {
  case entities, requests, userInfo
}

/// The keys of an entity in a document, in the order in which they are written.
enum EntityKey: String, CaseIterable {
  case parent, abstract, attributes, relationships, unique, indexes, userInfo
}

/// The key of what an index has in descending order.
enum IndexKey: String, CaseIterable { case desc }

/// The keys of an attribute, in the order in which they are written.
enum AttributeKey: String, CaseIterable {
  case type, optional
  case defaultValue = "default"
  case defaultExpression, min, max, matches, check, derived, transient, userInfo
}

/// The keys of a relationship, in the order in which they are written.
enum RelationshipKey: String, CaseIterable {
  case destination, toMany, optional, ordered, inverse, deleteRule, minCount, maxCount, userInfo
}

extension JSONNode {
  /// Where a part of a string's text stands in the document; the whole node if that is not known.
  func span(ofText span: SourceSpan, in source: SourceText) -> SourceSpan {
    guard let start = place(ofTextByte: span.start, in: source.bytes),
      let end = place(ofTextByte: span.end, in: source.bytes)
    else { return SourceSpan(self.span.lowerBound, self.span.upperBound) }
    return SourceSpan(start, end)
  }

  /// Where a problem of the model stands: the name of a part, the value of a rule, a key in it.
  func span(of problem: ModelProblem, in source: SourceText) -> SourceSpan {
    let path = problem.place.path
    guard let member = member(at: path[...]) else {
      return SourceSpan(span.lowerBound, span.upperBound)
    }
    if let inText = problem.ruleSpan { return member.value.span(ofText: inText, in: source) }
    let place = problem.place.isName ? member.keySpan : member.value.span
    return SourceSpan(place.lowerBound, place.upperBound)
  }

  /// The member that keys lead to, or the last one of them that is there.
  private func member(at path: ArraySlice<String>) -> JSONMember? {
    guard let key = path.first, case .object(let members) = kind,
      let member = members.first(where: { $0.key.utf8.elementsEqual(key.utf8) })
    else { return nil }
    return member.value.member(at: path.dropFirst()) ?? member
  }
}
