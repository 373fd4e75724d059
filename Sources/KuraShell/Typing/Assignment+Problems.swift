import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

extension Assignment {
  /// Returns the problem of a text or word instead of a relationship's object; it may be the
  /// object's name.
  func linkProblem(
    _ property: Property, in entity: String, _ context: CheckContext
  ) -> Diagnostic? {
    guard let relationship = property.relationship,
      value.isLinkless || value.isTruth || textOfValue(of: entity, in: context.model) != nil
    else { return nil }
    var problem = Diagnostic(
      ChangeProblem.notObjects(
        key: key.text, destination: relationship.destination, isToMany: relationship.isToMany),
      at: value.span)
    if value.isTruth { return problem }
    if let objects = value.objects(of: relationship.destination.writtenName) {
      problem.fixIts = [FixIt(value.span, objects)]
      return problem
    }
    let name = context.model.allAttributes(of: relationship.destination).first {
      $0.type == .string
    }
    problem.fixIts =
      name.map {
        let fetch = "fetch \(relationship.destination.writtenName) where \($0.name.writtenName)"
        if let list = value.listOfTexts { return [FixIt(value.span, "(\(fetch) IN \(list))")] }
        let text = textOfValue(of: entity, in: context.model) ?? ""
        return [FixIt(value.span, "(\(fetch) == \(text.writtenText))")]
      } ?? []
    return problem
  }

  /// Returns the text of a literal, or of a word that is not a key of the entity.
  private func textOfValue(of entity: String, in model: Model) -> String? {
    switch value.kind {
    case .constant(let constant):
      if case .string(let text) = constant.value { return text.contains("/") ? nil : text }
      return nil
    case .keyPath(let path):
      guard path.base == nil, path.components.count == 1, let word = path.components.first?.name,
        model.property(named: word, of: entity) == nil, word != "self", word != "objectID"
      else { return nil }
      return word
    default: return nil
    }
  }
}

extension ExpressionTree {
  /// Whether it is YES, NO or a predicate.
  fileprivate var isTruth: Bool {
    switch kind {
    case .predicate: true
    case .constant(let constant): if case .boolean = constant.value { true } else { false }
    default: false
    }
  }

  /// Whether it is a number, or a list of numbers or texts, instead of objects.
  fileprivate var isLinkless: Bool { objects(of: "") != nil || listOfTexts != nil }

  /// Returns `{Tag/2, Tag/4}` for `{2, 4}`, `Tag/2` for `2`.
  fileprivate func objects(of entity: String) -> String? {
    switch kind {
    case .constant(let constant):
      guard case .integer(let number) = constant.value, number > 0 else { return nil }
      return "\(entity)/\(number)"
    case .aggregate(let parts):
      let objects = parts.compactMap { part -> String? in
        if case .constant = part.kind { part.objects(of: entity) } else { nil }
      }
      guard !parts.isEmpty, objects.count == parts.count else { return nil }
      return "{\(objects.joined(separator: ", "))}"
    default: return nil
    }
  }

  /// The text of a list of texts, `{"荷造り", "掃除"}`.
  fileprivate var listOfTexts: String? {
    guard case .aggregate(let parts) = kind, !parts.isEmpty else { return nil }
    let texts = parts.compactMap { part -> String? in
      if case .constant(let constant) = part.kind, case .string(let text) = constant.value,
        !text.contains("/")
      {
        text.writtenText
      } else {
        nil
      }
    }
    return texts.count == parts.count ? "{\(texts.joined(separator: ", "))}" : nil
  }
}
