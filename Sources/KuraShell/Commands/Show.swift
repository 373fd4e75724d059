import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraJSON
import KuraLearning
import KuraModel
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `show fetch Item where … as swift`: shows the fetch as its tree, in words, or in another
/// language.
extension ShowStatement: Command {
  var effect: Effect { .reads }

  func perform(in session: Session, _ source: SourceText) throws {
    try subject.look(in: session, source) { look in
      switch ShownForm(rawValue: form.text) {
      case .tree?: try look.showTree(in: session)
      case .json?: try look.showData(in: session)
      case .words?:
        let wrapped = WrappedText(width: session.resultWidth)
        try look.show(in: session) { wrapped.text($0.words + "\n") }
      case .language(let language)?: try look.show(in: session, language)
      case nil: break
      }
    }
  }
}

/// The forms that `as` can name.
private enum ShownForm {
  case tree
  case json
  case words
  case language((AnnotatedFetch) throws(Untranslatable) -> String)

  init?(rawValue: String) {
    switch rawValue {
    case "tree": self = .tree
    case "json": self = .json
    case "words": self = .words
    case "swift": self = .language { typed throws(Untranslatable) in try typed.swift() }
    case "objc": self = .language { typed throws(Untranslatable) in try typed.objectiveC() }
    case "predicate":
      self = .language { typed throws(Untranslatable) in try typed.swiftPredicate() }
    case "kura": self = .language { typed throws(Untranslatable) in try typed.library() }
    case "sql": self = .language { typed throws(Untranslatable) in try typed.sql() + ";\n" }
    default: return nil
    }
  }
}

extension FetchTree {
  /// The variables that its source needs, and those of nested fetches.
  fileprivate var variablesOfSources: [String] {
    (source.objects?.variables ?? [])
      + clauses.flatMap(\.allNodes).expressions.flatMap { tree in
        if case .fetch(let nested) = tree.kind { nested.variablesOfSources } else { [String]() }
      }
  }
}

extension AnalysisContext {
  /// The same fetch, with nil for variables without a value: they become parameters of the result. A source requires a
  /// value.
  private var parametrized: AnalysisContext {
    let sources = fetch.variablesOfSources
    let names = fetch.variables.filter { !sources.contains($0) }
    var environment = environment
    environment.variables.merge(names.map { ($0, .null) }) { known, _ in known }
    if environment.variables.count > self.environment.variables.count { environment.warnings = nil }
    return AnalysisContext(fetch: fetch, snapshot: snapshot, environment: environment, texts: texts)
  }

  /// Shows the tree as it was written, with the types of the open model.
  fileprivate func showTree(in session: Session) throws {
    let nodes = CheckedNodes()
    var context = session.checkContext
    context.source = environment.source
    _ = fetch.checked(in: context, recording: nodes)
    let outline = session.format.language.speaks {
      TreeOutliner(texts, nodes).outline(of: fetch)
    }
    try session.write(FittingTree(outline), nested: outline.dictionary)
  }

  fileprivate func showData(in session: Session) throws {
    let value = Value.dictionary(TreeEncoder().data(of: fetch))
    try session.write(JSONNode(value, in: session.zone).text + "\n")
  }

  fileprivate func show(
    in session: Session, _ language: (AnnotatedFetch) throws(Untranslatable) -> String
  ) throws {
    let typed = AnnotatedFetch(fetch, try parametrized.bound(), texts)
    do { try session.write(try language(typed)) } catch let untranslatable as Untranslatable {
      throw Failure(
        untranslatable.problems.map { problem in
          var problem = problem
          problem.source = environment.source
          return problem
        })
    }
  }
}

extension FittingTree {
  /// Creates a row for each node, with a drawn tree.
  fileprivate init(_ outline: TreeOutline) {
    self.init(
      columns: [localized("node"), localized("kind")].map { GridColumn($0, isOwnText: true) },
      rows: outline.rows(.root))
  }
}

extension TreeOutline {
  fileprivate func rows(_ branch: TreeBranch) -> [FittingTree.Row] {
    let node = branch.text + text
    return [([.string(node), .string(kind)], "\(node) (\(kind))")]
      + parts.enumerated().flatMap { $1.rows(branch.part($0, of: parts.count)) }
  }

  fileprivate var dictionary: ValueDictionary {
    var value = ValueDictionary([("node", .string(text)), ("kind", .string(kind))])
    if !parts.isEmpty { value["parts"] = .list(parts.map { .dictionary($0.dictionary) }) }
    return value
  }
}

/// The environment of a statement that analyzes a fetch.
struct AnalysisContext {
  let fetch: FetchTree
  let snapshot: GraphSnapshot
  let environment: FetchEnvironment
  /// Prints parts of the fetch as they were written.
  let texts: PartTexts
}

extension AnalysisContext {
  func bound() throws(Diagnostic) -> BoundRequest { try fetch.bound(to: snapshot, environment) }
}

extension AnalyzedFetch {
  /// Calls the body with the fetch and the current graph. The parameters of a saved request have
  /// values during the call.
  func look(
    in session: Session, _ source: SourceText, _ body: (AnalysisContext) throws -> Void
  ) throws {
    switch self {
    case .fetch(let fetch): try session.look(into: fetch, source, body)
    case .run(let run):
      try run.withRequest(in: session, source) { fetch, text in
        try session.look(into: fetch, text, body)
      }
    }
  }
}

extension Session {
  fileprivate func look(
    into fetch: FetchTree, _ source: SourceText, _ body: (AnalysisContext) throws -> Void
  ) throws {
    if case .objects(let tree) = fetch.source.kind { try checkPresent([tree], in: source) }
    try read(source) { snapshot, environment in
      let look = AnalysisContext(
        fetch: fetch, snapshot: snapshot, environment: environment, texts: PartTexts(source, zone))
      try DeepStack.runOnItsOwn { try body(look) }
    }
  }
}
