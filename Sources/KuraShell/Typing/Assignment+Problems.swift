import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

extension Assignment {
  /// A text, or a word, where a relationship wants an object: one of that name may be meant.
  func linkProblem(in entity: String, _ context: CheckContext) -> Diagnostic? {
    guard
      case .relationship(let relationship)? = context.model.property(named: key.text, of: entity),
      let text = textOfValue(of: entity, in: context.model)
    else { return nil }
    var problem = Diagnostic(
      ChangeFacts.notObjects(
        key: key.text, destination: relationship.destination, isToMany: relationship.isToMany),
      at: value.span)
    let name = context.model.allAttributes(of: relationship.destination).first {
      $0.type == .string
    }
    problem.fixIts =
      name.map {
        let fetch = "fetch \(relationship.destination.writtenName) where \($0.name.writtenName)"
        return [FixIt(value.span, "(\(fetch) == \(text.writtenText))")]
      } ?? []
    return problem
  }

  /// What a literal or a word that is no key of the entity says.
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
