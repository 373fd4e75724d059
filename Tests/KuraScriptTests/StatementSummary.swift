import KuraDiagnostics
import KuraPredicates

@testable import KuraScript

extension StatementReader.Event {
  /// The event in one line, as the tables have it.
  var summary: String {
    switch self {
    case .statement(let statement, let source): statement.summary(in: source)
    case .failure(let diagnostic, let source): diagnostic.summary(in: source)
    case .needsMore: "…"
    case .end: "end"
    }
  }
}

extension Diagnostic {
  /// `error 1:7 "tex": what is wrong; how to go on`
  func summary(in source: SourceText) -> String {
    let span = span ?? .none
    let before = source.bytes.prefix(span.start)
    let line = source.firstLine + before.count { $0 == UInt8(ascii: "\n") }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    let place = "\(severity.rawValue) \(line):\(column) \"\(source.text(span))\""
    let end = facts.isIncomplete ? " …" : ""
    return "\(place): \(facts.sentence)\(facts.help.map { "; " + $0 } ?? "")\(end)"
  }
}

extension Statement {
  func summary(in source: SourceText) -> String {
    let warnings = warnings.map { " ! " + $0.summary(in: source) }.joined()
    return summary + json(in: source) + warnings
  }

  private func json(in source: SourceText) -> String {
    switch kind {
    case .insert(let insert), .letInsert(_, let insert):
      if case .json(let span) = insert.values { " " + source.text(span) } else { "" }
    default: ""
    }
  }

  private var summary: String {
    switch kind {
    case .fetch(let fetch): fetch.description
    case .request(let request):
      "request \(request.name.text)(\(request.parameters.map(\.text).joined(separator: ", "))) = "
        + request.fetch.description
    case .run(let run):
      "run \(run.name.text)(\(run.arguments.map(\.description).joined(separator: ", ")))"
    case .explain(let explain):
      switch explain.subject {
      case .fetch(let fetch): "explain\(explain.isAnalysis ? " analyze" : "") \(fetch)"
      case .run(let run): "explain\(explain.isAnalysis ? " analyze" : "") run \(run.name.text)"
      }
    case .dropRequest(let name): "drop request \(name.text)"
    case .print(let trees): "print " + trees.map(\.description).joined(separator: ", ")
    case .letValue(let name, let tree): "let \(name.text) = \(tree)"
    case .letFetch(let name, let fetch): "let \(name.text) = \(fetch)"
    case .letInsert(let name, let insert): "let \(name.text) = insert\(insert.summary)"
    case .insert(let insert): "insert" + insert.summary
    case .entity(let entity): entity.summary
    case .model(let format): "model" + (format.map { " as " + $0.text } ?? "")
    case .describe(let name): "describe " + name.text
    case .update(let update): update.summary
    case .delete(let target): "delete " + target.summary
    case .undo(let undo): "undo " + undo.summary
    case .redo(let redo): "redo " + redo.summary
    case .begin(let name): "begin" + (name.map { " <\($0.text)>" } ?? "")
    case .commit: "commit"
    case .cancel: "cancel"
    case .changes: "changes"
    case .alter(let alter): "alter entity \(alter.entity.text) \(alter.change.summary)"
    case .dropEntity(let name, let all): "drop entity \(name.text)" + (all ? " all" : "")
    case .rollback: "rollback"
    case .save(let file, let replacing):
      "save" + (file.map { " <\($0.text)>" } ?? "") + (replacing ? " replacing" : "")
    case .setting(let setting):
      "." + ([setting.name] + setting.arguments).map { "<\($0.text)>" }.joined(separator: " ")
    }
  }
}

extension InsertStatement {
  var summary: String {
    switch values {
    case .assignments(let assignments):
      " \(entity.text) "
        + assignments.map { "\($0.key.text) = \($0.value)" }.joined(separator: ", ")
    case .json: " " + entity.text
    }
  }
}

extension UpdateStatement {
  var summary: String {
    let assignments = assignments.map { "\($0.key.text) \($0.operation.rawValue) \($0.value)" }
    let limits = target.limits.map { " " + $0 } ?? ""
    return "update \(target.source.text) set \(assignments.joined(separator: ", "))\(limits)"
  }
}

extension ChangeTarget {
  var limits: String? { all != nil ? "all" : predicate.map { "where \($0)" } }
  var summary: String { ([source.text] + [limits].compactMap(\.self)).joined(separator: " ") }
}

extension FetchSource {
  var text: String {
    switch kind {
    case .entity(let name): name
    case .objects(let tree): tree.description
    case .last: "_"
    }
  }
}

extension UndoStatement {
  var summary: String {
    switch self {
    case .steps(let count, _): "\(count)"
    case .list: "list"
    }
  }
}

extension AlterStatement.Change {
  var summary: String {
    switch self {
    case .add(let property): "add " + property.summary
    case .drop(let key): "drop " + key.text
    case .rename(let key, let new): "rename \(key.text) to \(new.text)"
    case .renameEntity(let new): "rename to " + new.text
    case .change(let property): "change " + property.summary
    }
  }
}

extension EntityDeclaration {
  var summary: String {
    let head = (isAbstract ? "abstract " : "") + "entity " + name.text
    let lines =
      properties.map(\.summary)
      + uniquenessConstraints.map { "unique (\($0.map(\.text).joined(separator: ", ")))" }
    return head + (parent.map { ": " + $0.text } ?? "") + " { "
      + lines.joined(separator: "; ") + " }"
  }
}

extension PropertyDeclaration {
  var summary: String {
    let type = (isToMany ? "[\(type.text)]" : type.text) + (isOptional ? "?" : "")
    return ([name.text + ": " + type] + clauses.map(\.summary)).joined(separator: " ")
  }
}

extension PropertyDeclaration.Clause {
  var summary: String {
    switch self {
    case .defaultValue(let tree): "= \(tree)"
    case .minimum(let tree): "min \(tree)"
    case .maximum(let tree): "max \(tree)"
    case .matches(let pattern): "matches <\(pattern.text)>"
    case .unique: "unique"
    case .check(let predicate): "check (\(predicate))"
    case .transient: "transient"
    case .derived(let tree): "derived (\(tree))"
    case .ordered: "ordered"
    case .inverse(let name): "inverse \(name.text)"
    case .delete(let name): "delete \(name.text)"
    }
  }
}
