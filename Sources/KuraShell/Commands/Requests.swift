import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// `request Overdue($today) = fetch …`: replaces a request of the same name.
extension RequestStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    var model = session.context.graph.model
    let saved = SavedRequest(name: name.text, text: text)
    if let place = model.requests.firstIndex(where: { $0.name == saved.name }) {
      model.requests[place] = saved
    } else {
      model.requests.append(saved)
    }
    session.context.setModel(model, "request \(saved.name)")
    session.report(localized("request defined: \(saved.name)"))
  }
}

/// `run Overdue(today())`: evaluated with the current model and arguments.
extension RunStatement: QueryCommand {
  var effect: Effect { .reads }

  func problems(in context: CheckContext) -> [Diagnostic] {
    let known = context.model.requests.map(\.name)
    guard !known.contains(name.text) else { return [] }
    var problem = Diagnostic(RequestProblem.unknownRequest(name.text, known: known), at: name.span)
    problem.fixIts = nearNames(to: name.text, among: known).map { FixIt(name.span, $0.writtenName) }
    return [problem]
  }

  func perform(in session: Session, _ source: SourceText) throws {
    try withRequest(in: session, source) { fetch, text in try fetch.perform(in: session, text) }
  }

  func outcome(in session: Session, _ source: SourceText) throws -> Outcome {
    var outcome = Outcome.values([])
    try withRequest(in: session, source) { fetch, text in
      outcome = try fetch.outcome(in: session, text)
    }
    return outcome
  }

  /// Calls the body with a saved request and its text, while its parameters have values.
  ///
  /// Errors in the request have places in its own text.
  func withRequest(
    in session: Session, _ source: SourceText, _ body: (FetchTree, SourceText) throws -> Void
  ) throws {
    let text = SourceText(try session.savedRequest(name).statement)
    guard let request = try RequestStatement.reading(text) else { return }
    try check(request)
    let outside = session.variables
    defer { session.variables.restore(outside, names: request.parameters) }
    for (parameter, argument) in zip(request.parameters, try values(in: session, source)) {
      argument.set(parameter, in: &session.variables)
    }
    do {
      try body(request.fetch, text)
    } catch var diagnostic as Diagnostic {
      diagnostic.source = diagnostic.source ?? text
      throw diagnostic
    }
  }

  private func values(in session: Session, _ source: SourceText) throws -> [ArgumentValue] {
    let live = session.variables.live
    return try session.read(source) { snapshot, environment in
      try arguments.map { argument in
        switch argument {
        case .predicate(let part):
          return .predicate(try session.named(part, "argument", at: part.tree.span))
        case .expression(let tree):
          if let part = session.variables.predicate(tree) { return .predicate(part) }
          return .value(live.detached(try tree.value(in: snapshot, environment)))
        }
      }
    }
  }

  private func check(_ request: RequestStatement) throws(Failure) {
    guard request.parameters.count != arguments.count else { return }
    throw Failure(
      RequestProblem.requestArguments(
        name.text, wanted: request.parameters.map { "$" + $0.text }, given: arguments.count),
      at: name.span)
  }
}

/// The value of a request's parameter.
private enum ArgumentValue {
  case value(Value)
  case predicate(NamedPredicate)

  func set(_ parameter: Name, in variables: inout Variables) {
    switch self {
    case .value(let value): variables.set(parameter, to: value)
    case .predicate(let predicate): variables.set(parameter.text, to: predicate)
    }
  }
}

extension Session {
  /// Performs `drop request Overdue`.
  func dropRequest(_ name: Name) throws {
    var model = context.graph.model
    _ = try savedRequest(name)
    model.requests.removeAll { $0.name == name.text }
    context.setModel(model, "drop request \(name.text)")
    report(Report.requestDropped(name.text))
  }

  fileprivate func savedRequest(_ name: Name) throws -> SavedRequest {
    let requests = context.graph.model.requests
    if let request = requests.first(where: { $0.name == name.text }) { return request }
    throw Failure(
      RequestProblem.unknownRequest(name.text, known: requests.map(\.name)), at: name.span)
  }
}

/// The reasons why a saved request cannot be run or dropped.
enum RequestProblem: DiagnosticFacts {
  /// `run Overdu`, `drop request Overdu`
  case unknownRequest(String, known: [String])
  /// `run Overdue` without its argument
  case requestArguments(String, wanted: [String], given: Int)

  var sentence: String {
    switch self {
    case .unknownRequest(let name, _): localized("there is no request \"\(name)\"")
    case .requestArguments(let name, let wanted, let given):
      localized("\(name) takes \(Report.arguments(wanted.count)), not \(given)")
    }
  }

  var help: String? {
    switch self {
    case .unknownRequest(let name, let known):
      didYouMean(nearNames(to: name, among: known))
        ?? (known.isEmpty
          ? localized("define it: request \(name) = fetch ENTITY …")
          : localized("available: \(known.list)"))
    case .requestArguments(let name, let wanted, _):
      localized("write run \(name)\(wanted.isEmpty ? "" : "(\(wanted.joined(separator: ", ")))")")
    }
  }
}

extension Report {
  static func requestDropped(_ name: String) -> String { localized("request dropped: \(name)") }

  fileprivate static func arguments(_ count: Int) -> String {
    count == 0
      ? localized("no arguments")
      : count == 1 ? localized("one argument") : localized("\(count) arguments")
  }
}
