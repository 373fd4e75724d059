package import KuraBytes
package import KuraDiagnostics
package import KuraJSON
package import KuraValues

/// The model in a document, read from `"model"`, with all problems in it.
///
///     let read = ModelDocument(node, in: source, zone: .utc)
///     if let problem = read.problems.first { throw problem }
///     read.model["MemoDate"]
package struct ModelDocument: Sendable {
  /// The part that could be read; complete if there are no problems.
  package private(set) var model: Model
  /// The problems with their places, in the order of the document.
  package private(set) var problems: [Diagnostic]

  /// Reads a model from its JSON.
  ///
  /// The spans of the node and of all diagnostics refer to the source. Dates without a time zone are read in the
  /// document's. Linear in the document. If the flag is raised, the model is incomplete.
  package init(
    _ node: JSONNode, in source: SourceText, zone: ZoneRules, _ cancel: CancelFlag = CancelFlag()
  ) {
    var reader = ModelReader(source: source, zone: zone, cancel)
    model = reader.model(node)
    problems = reader.problems
    if problems.isEmpty { problems = check(node, source, cancel) }
    problems.sort { ($0.span?.start ?? 0) < ($1.span?.start ?? 0) }
  }

  /// Returns the findings of `ModelCheck`, at their places in the document.
  ///
  /// It is called only for a completely read model: an incomplete one breaks rules that the complete one meets.
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

/// The keys of an entity in a document, in the order of writing.
enum EntityKey: String, CaseIterable {
  case parent, abstract, attributes, relationships, unique, indexes, userInfo
}

/// The key for a descending element of an index.
enum IndexKey: String, CaseIterable { case desc }

/// The keys of an attribute, in the order of writing.
enum AttributeKey: String, CaseIterable {
  case type, optional
  case defaultValue = "default"
  case defaultExpression, min, max, matches, check, derived, transient, userInfo
}

/// The keys of a relationship, in the order of writing.
enum RelationshipKey: String, CaseIterable {
  case destination, toMany, optional, ordered, inverse, deleteRule, minCount, maxCount, userInfo
}

extension JSONNode {
  /// Returns the span in the document for a span in a string's text; the whole node if it cannot be determined.
  func span(ofText span: SourceSpan, in source: SourceText) -> SourceSpan {
    guard let start = place(ofTextByte: span.start, in: source.bytes),
      let end = place(ofTextByte: span.end, in: source.bytes)
    else { return SourceSpan(self.span.lowerBound, self.span.upperBound) }
    return SourceSpan(start, end)
  }

  /// Returns the span of a problem: the name of a part, the value of a rule, or a key in it.
  func span(of problem: ModelProblem, in source: SourceText) -> SourceSpan {
    let path = problem.place.path
    guard let member = member(at: path[...]) else {
      return SourceSpan(span.lowerBound, span.upperBound)
    }
    if let inText = problem.ruleSpan { return member.value.span(ofText: inText, in: source) }
    let place = problem.place.isName ? member.keySpan : member.value.span
    return SourceSpan(place.lowerBound, place.upperBound)
  }

  /// Returns the member at a path of keys, or the last existing member on that path.
  private func member(at path: ArraySlice<String>) -> JSONMember? {
    guard let key = path.first, case .object(let members) = kind,
      let member = members.first(where: { $0.key.utf8.elementsEqual(key.utf8) })
    else { return nil }
    return member.value.member(at: path.dropFirst()) ?? member
  }
}
