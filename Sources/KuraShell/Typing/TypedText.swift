import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

/// A text that is being typed, read and checked: what its words are, and what is wrong with it.
struct TypedText {
  let text: String
  private(set) var statements = TypedStatements("")
  /// What was found of the steps of paths.
  let nodes = CheckedNodes()
  private(set) var problems: [Diagnostic] = []
  /// What is missing at its end.
  private(set) var breakOff: Diagnostic?

  /// Nothing but the words of a longer text is looked at: what is typed is checked at each key.
  static let longestChecked = 20_000

  init(_ text: String, in context: CheckContext) {
    self.text = text
    guard text.utf8.count <= Self.longestChecked else { return }
    statements = TypedStatements(text)
    var context = context
    context.source = SourceText(text)
    for part in statements.all {
      switch part {
      case .statement(let statement):
        problems += statement.warnings
        problems += statement.tree.typedParts.flatMap { $0.problems(in: context, nodes) }
        let command = statement.tree as? any Command
        problems += command?.problems(in: context) ?? []
        if let name = command?.givenVariable, context.evaluation.variables[name] == nil {
          context.types[name] = .any
        }
      case .failure(let diagnostic):
        if diagnostic.facts.isIncomplete {
          breakOff = diagnostic
        } else {
          problems.append(diagnostic)
        }
      case .setting: break
      }
    }
  }
}

extension TypedText {
  /// What is wrong at a place that is not being typed: not the word that ends the text.
  func problem(at cursor: Int) -> Diagnostic? {
    settled(cursor: cursor).first { problem in
      problem.span.map { $0.start <= cursor && cursor <= max($0.end, $0.start + 1) } ?? false
    }
  }

  /// The problems, without one of a word that somebody may still be typing.
  func settled(cursor: Int) -> [Diagnostic] {
    let end = text.utf8.count
    return problems.filter { problem in
      guard let span = problem.span, span.start < end, span.end <= end else { return false }
      return span.end < end || cursor < end
    }
  }
}

extension TypedPart {
  fileprivate func problems(in context: CheckContext, _ nodes: CheckedNodes) -> [Diagnostic] {
    switch self {
    case .fetch(let fetch, let parameters):
      var context = context
      for parameter in parameters { context.types[parameter.text] = .literal }
      return fetch.checked(in: context, noting: nodes).problems
    case .expressions(let trees):
      return trees.flatMap { $0.checked(in: context, noting: nodes).problems }
    case .assignments(let assignments, let fetch):
      let checked = fetch.checked(in: context, noting: nodes)
      let isKnown = checked.tree.entity.map { context.model[$0] != nil } ?? true
      return checked.problems
        + (isKnown ? assignments : []).flatMap {
          $0.problems(of: checked.tree.entity, in: context, nodes)
        }
    }
  }
}

extension Assignment {
  private func type(in entity: String, _ model: Model) -> AttributeType? {
    guard case .attribute(let attribute)? = model.property(named: key.text, of: entity) else {
      return nil
    }
    return attribute.type
  }

  /// An unknown key, and what is wrong with the value.
  fileprivate func problems(
    of entity: String?, in context: CheckContext, _ nodes: CheckedNodes
  ) -> [Diagnostic] {
    let path = ExpressionTree(
      .keyPath(KeyPathTree([KeyComponent(key.text, span: key.span)])), span: key.span)
    let key = entity.map { path.checked(in: context, of: $0, noting: nodes).problems } ?? []
    if let entity, let problem = linkProblem(in: entity, context) { return key + [problem] }
    let type = operation == .set ? entity.flatMap { self.type(in: $0, context.model) } : nil
    return key + value.checked(in: context, of: entity, as: type, noting: nodes).problems
  }
}
