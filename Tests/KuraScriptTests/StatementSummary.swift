import KuraDiagnostics
import KuraPredicates

@testable import KuraScript

extension StatementReader.Event {
  /// The event in one line, as in the tables.
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
  /// Returns `error 1:7 "tex": the problem; the next step`.
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
    return summary(of: tree, in: source) + warnings
  }

  /// Returns the tree in the syntax of the language; one without names or values as written.
  private func summary(of tree: any StatementTree, in source: SourceText) -> String {
    switch tree {
    case let insert as InsertStatement: "insert" + insert.summary(in: source)
    case let set as LetStatement: "let \(set.name.text) = " + set.value.summary(in: source)
    case let tree as any Summarized: tree.summary
    default: source.text(span).lowercased()
    }
  }
}

/// A tree that the tables show part by part.
private protocol Summarized: StatementTree {
  var summary: String { get }
}

extension FetchTree: Summarized {
  fileprivate var summary: String { description }
}

extension RequestStatement: Summarized {
  fileprivate var summary: String {
    "request \(name.text)(\(parameters.map(\.text).joined(separator: ", "))) = \(fetch)"
  }
}

extension RunStatement: Summarized {
  fileprivate var summary: String {
    "run \(name.text)(\(arguments.map(\.summary).joined(separator: ", ")))"
  }
}

extension RunStatement.Argument {
  fileprivate var summary: String {
    switch self {
    case .expression(let tree): tree.description
    case .predicate(let part): "predicate <\(part.text)>"
    }
  }
}

extension ExplainStatement: Summarized {
  fileprivate var summary: String {
    "explain\(isAnalysis ? " analyze" : "")\(isOfWatch ? " watch" : "") \(subject.summary)"
  }
}

extension WatchStatement: Summarized {
  fileprivate var summary: String {
    guard let subject else { return "watch" }
    return "watch \(subject.summary) as \(name?.text ?? "it")"
      + (isFinal ? " final" : "") + (follows ? " follow" : "")
  }
}

extension UnwatchStatement: Summarized {
  fileprivate var summary: String {
    if case .one(let name) = self { "unwatch \(name.text)" } else { "unwatch all" }
  }
}

extension TraceStatement: Summarized {
  fileprivate var summary: String { "trace " + subject.summary }
}

extension StepsStatement: Summarized {
  fileprivate var summary: String { "steps " + subject.summary }
}

extension CompareStatement: Summarized {
  fileprivate var summary: String {
    let other =
      switch second {
      case .predicate(let predicate): predicate.description
      case .fetch(let fetch): fetch.summary
      }
    return "compare \(first.summary) with \(other)\(seed.map { " seed \($0)" } ?? "")"
  }
}

extension ShowStatement: Summarized {
  fileprivate var summary: String { "show \(subject.summary) as \(form.text)" }
}

extension AnalyzedFetch {
  fileprivate var summary: String {
    switch self {
    case .fetch(let fetch): fetch.description
    case .run(let run): run.summary
    }
  }
}

extension DropStatement: Summarized {
  fileprivate var summary: String {
    switch self {
    case .request(let name): "drop request \(name.text)"
    case .entity(let name, let all): "drop entity \(name.text)" + (all ? " all" : "")
    }
  }
}

extension PrintStatement: Summarized {
  fileprivate var summary: String {
    "print " + expressions.map(\.description).joined(separator: ", ")
  }
}

extension LetStatement.Source {
  fileprivate func summary(in source: SourceText) -> String {
    switch self {
    case .expression(let tree): tree.description
    case .fetch(let fetch): fetch.description
    case .insert(let insert): "insert" + insert.summary(in: source)
    case .predicate(let part): "predicate \(part.tree)"
    }
  }
}

extension ModelStatement: Summarized {
  fileprivate var summary: String { "model" + (format.map { " as " + $0.text } ?? "") }
}

extension DescribeStatement: Summarized {
  fileprivate var summary: String { "describe " + entity.text }
}

extension DeleteStatement: Summarized {
  fileprivate var summary: String {
    "delete "
      + ([target.source.written] + [target.limits].compactMap(\.self)).joined(separator: " ")
  }
}

extension RedoStatement: Summarized {
  fileprivate var summary: String { "redo \(steps.count)" }
}

extension BeginStatement: Summarized {
  fileprivate var summary: String { "begin" + (name.map { " <\($0.text)>" } ?? "") }
}

extension AlterStatement: Summarized {
  fileprivate var summary: String { "alter entity \(entity.text) \(change.summary)" }
}

extension SaveStatement: Summarized {
  fileprivate var summary: String {
    "save" + (file.map { " <\($0.text)>" } ?? "") + (replaces ? " replacing" : "")
  }
}

extension SettingStatement: Summarized {
  fileprivate var summary: String {
    "." + ([name] + arguments).map { "<\($0.text)>" }.joined(separator: " ")
  }
}

extension InsertStatement {
  fileprivate func summary(in source: SourceText) -> String {
    switch values {
    case .assignments(let assignments):
      existingWords + " \(entity.text) " + assignments.map(\.summary).joined(separator: ", ")
    case .json(let span): existingWords + " \(entity.text) \(source.text(span))"
    }
  }

  private var existingWords: String { existing.map { " or \($0.rawValue)" } ?? "" }
}

extension Assignment {
  fileprivate var summary: String {
    let created = created.map { new in
      let words = ["insert", new.entity?.text].compactMap(\.self).joined(separator: " ")
      return " (\(new.place): \(words) \(new.assignments.map(\.summary).joined(separator: ", ")))"
    }
    return "\(key.text) = \(value)" + created.joined()
  }
}

extension UpdateStatement: Summarized {
  fileprivate var summary: String {
    let assignments = assignments.map { assignment in
      let target = assignment.path.isEmpty ? assignment.key.text : "\(assignment.targetTree)"
      return "\(target) \(assignment.operation.rawValue) \(assignment.value)"
    }
    let limits = target.limits.map { " " + $0 } ?? ""
    return "update \(target.source.written) set \(assignments.joined(separator: ", "))\(limits)"
  }
}

extension ChangeTarget {
  var limits: String? { all != nil ? "all" : predicate.map { "where \($0)" } }
}

extension UndoStatement: Summarized {
  fileprivate var summary: String {
    switch self {
    case .steps(let steps): "undo \(steps.count)"
    case .list: "undo list"
    }
  }
}

extension AlterStatement.Change {
  var summary: String {
    switch self {
    case .add(let property): "add " + property.summary
    case .addIndex(let index): "add " + index.summary
    case .drop(let key): "drop " + key.text
    case .dropIndex(let index): "drop " + index.summary
    case .rename(let key, let new): "rename \(key.text) to \(new.text)"
    case .renameEntity(let new): "rename to " + new.text
    case .change(let property): "change " + property.summary
    }
  }
}

extension EntityDeclaration: Summarized {
  fileprivate var summary: String {
    let head = (isAbstract ? "abstract " : "") + "entity " + name.text
    let lines =
      properties.map(\.summary)
      + uniquenessConstraints.map { "unique (\($0.map(\.text).joined(separator: ", ")))" }
      + indexes.map(\.summary)
    return head + (parent.map { ": " + $0.text } ?? "") + " { "
      + lines.joined(separator: "; ") + " }"
  }
}

extension IndexDeclaration {
  fileprivate var summary: String {
    let parts = elements.map { $0.key.text + ($0.isAscending ? "" : " desc") }
    return "index (\(parts.joined(separator: ", ")))"
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

extension LessonStatement: Summarized {
  fileprivate var summary: String {
    switch self {
    case .list: "lesson"
    case .number(let name): "lesson number \(name.text)"
    case .file(let name): "lesson file \(name.text)"
    case .end: "lesson end"
    }
  }
}

extension AnswerStatement: Summarized {
  fileprivate var summary: String { words.map { "answer <\($0.text)>" } ?? "answer" }
}

extension QuizStatement: Summarized {
  fileprivate var summary: String {
    isEnd ? "quiz end" : "quiz \(entity?.text ?? "any") seed \(seed.map { "\($0)" } ?? "any")"
  }
}
