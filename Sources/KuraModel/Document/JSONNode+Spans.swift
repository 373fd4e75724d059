import KuraBytes
import KuraDiagnostics

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
