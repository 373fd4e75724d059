import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  /// `request Overdue($today) = fetch …`: takes the place of a request of the same name.
  mutating func define(_ request: RequestStatement) throws {
    var model = state.context.graph.model
    let saved = SavedRequest(name: request.name.text, text: request.text)
    if let place = model.requests.firstIndex(where: { $0.name == saved.name }) {
      model.requests[place] = saved
    } else {
      model.requests.append(saved)
    }
    state.context.setModel(model, "request \(saved.name)")
    report(Report.requestDefined(saved.name))
  }

  /// `drop request Overdue`
  mutating func dropRequest(_ name: Name) throws {
    var model = state.context.graph.model
    _ = try savedRequest(name)
    model.requests.removeAll { $0.name == name.text }
    state.context.setModel(model, "drop request \(name.text)")
    report(Report.requestDropped(name.text))
  }

  /// `run Overdue(today())`: bound now, to the model and the arguments as they are.
  mutating func run(_ run: RunStatement, in source: SourceText) throws {
    try withRequest(run, in: source) { session, fetch, text in
      try session.show(fetch, in: text)
    }
  }

  /// Calls the body with a saved request and its text, while its parameters have values.
  ///
  /// What is wrong with the request lies in its own text.
  mutating func withRequest(
    _ run: RunStatement, in source: SourceText,
    _ body: (inout Session, FetchTree, SourceText) throws -> Void
  ) throws {
    let saved = try savedRequest(run.name)
    let text = SourceText(saved.statement)
    guard let request = try RequestStatement.reading(text) else { return }
    try check(run, request)
    let outside = state.variables
    defer { state.variables = outside }
    for (parameter, value) in zip(request.parameters, try values(of: run, in: source)) {
      state.variables[parameter.text] = value
    }
    do {
      try body(&self, request.fetch, text)
    } catch var diagnostic as Diagnostic {
      diagnostic.source = diagnostic.source ?? text
      throw diagnostic
    }
  }

  private func values(of run: RunStatement, in source: SourceText) throws -> [Value] {
    try read(source) { snapshot, environment in
      try run.arguments.map { live.detached(try $0.value(in: snapshot, environment)) }
    }
  }

  private func check(_ run: RunStatement, _ request: RequestStatement) throws(Failure) {
    guard request.parameters.count != run.arguments.count else { return }
    throw Failure(
      ShellFacts.requestArguments(
        run.name.text, wanted: request.parameters.map { "$" + $0.text },
        given: run.arguments.count), at: run.name.span)
  }

  private func savedRequest(_ name: Name) throws -> SavedRequest {
    let requests = state.context.graph.model.requests
    if let request = requests.first(where: { $0.name == name.text }) { return request }
    throw Failure(
      ShellFacts.unknownRequest(name.text, known: requests.map(\.name)), at: name.span)
  }
}
