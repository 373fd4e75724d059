import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension FetchTree {
  /// Whether a column contains a window function.
  var hasWindows: Bool { (selection ?? []).contains { $0.expression.hasWindow } }
}

extension ExpressionTree {
  /// The call, if it is a window function's.
  fileprivate var window: (call: FunctionCall, function: PredicateFunction)? {
    guard case .function(let call) = kind, let function = call.function, function.isWindow else {
      return nil
    }
    return (call, function)
  }

  fileprivate var hasWindow: Bool { first { $0.window != nil } != nil }
}

extension Checker {
  /// Checks a fetch with window functions: as a fetch of the columns that they are computed from, and as columns of the
  /// results.
  func windowedShape(of fetch: FetchTree) -> FetchShape {
    let columns = columns(of: fetch)
    let names = SelectedNames(columns.filter { !$0.expression.hasWindow })
    var inner = fetch.replacing(names)
    noteWindowsOutsideColumns(of: &inner, columns)
    var split = WindowSplit(names: names)
    let outputs = columns.map { split.output($0.expression) }
    let sortKeys = inner.sort.map { split.input($0.expression) }
    let limitKeys = inner.limitKeys.map { split.input($0) }
    let section = inner.section.map { split.input($0) }
    for part in split.nested { note(.windowInWindow(text(part)), at: part.span) }
    var shape = shape(of: inner.selecting(split.inputs))
    guard var selection = shape.selection else { return shape }
    var windows = CheckedWindows(
      inputs: selection.columns, calls: split.calls, sortKeys: sortKeys, limitKeys: limitKeys)
    windows.section = section
    let checker = reading(windows)
    selection.columns = zip(columns, outputs).map { column, output in
      let checked = checker.checked(output)
      return CheckedColumn(name: column.name, tree: checked.tree, type: checked.type)
    }
    selection.windows = windows
    shape.selection = selection
    return shape
  }

  /// Returns a checker without an object, for columns that read inputs and window functions.
  private func reading(_ windows: CheckedWindows) -> Checker {
    var checker = self
    checker.root = .none
    for input in windows.inputs { checker.scope[input.name] = input.type }
    for call in windows.calls { checker.scope[call.name] = .number }
    return checker
  }

  /// Reports and removes keys, such as sort keys, that contain a window function or the name of its column, because its
  /// values exist only after sorting. Reports `distinct` as well.
  private func noteWindowsOutsideColumns(of fetch: inout FetchTree, _ columns: [NamedColumn]) {
    func isWindow(_ key: ExpressionTree) -> Bool {
      let column = columns.first {
        $0.isNamed && $0.expression.hasWindow && $0.name == key.soleName
      }
      guard key.hasWindow || column != nil else { return false }
      let hidden = column.flatMap { model.property(named: $0.name, of: entity ?? "") }
      note(
        .windowAsKey(text(key), hidesKeyOf: hidden == nil ? nil : entity), at: key.span,
        fixIt: hidden == nil ? nil : column.flatMap { renaming($0, among: columns) })
      return true
    }
    fetch.sort.removeAll { isWindow($0.expression) }
    fetch.limitKeys.removeAll(where: isWindow)
    if fetch.section.map(isWindow) == true { fetch.section = nil }
    if fetch.isDistinct { note(.distinctWindows, at: fetch.selection?.first?.span ?? fetch.span) }
  }

  /// Returns the fix `rank() per city as rank` for `rank() per city as city`; nil if the other name exists too.
  private func renaming(_ column: NamedColumn, among columns: [NamedColumn]) -> FixIt? {
    let end = column.span.end
    let written = SourceSpan(end - column.name.utf8.count, end)
    guard let name = column.expression.window?.function.names.first,
      model.property(named: name, of: entity ?? "") == nil,
      !columns.contains(where: { $0.name == name }), column.span != .none,
      context.source?.text(written) == column.name
    else { return nil }
    return FixIt(written, name)
  }
}

extension ExpressionTree {
  /// The name, if it is a single key.
  fileprivate var soleName: String? {
    guard case .keyPath(let path) = kind, path.base == nil, path.components.count == 1 else {
      return nil
    }
    return path.components[0].name
  }
}

/// Separates the columns with window functions from what they are computed from.
private struct WindowSplit {
  /// The names of columns, which keys after `per` can use.
  let names: SelectedNames
  private(set) var inputs: [ExpressionTree] = []
  private(set) var calls: [CheckedWindow] = []
  /// Arguments that contain window functions themselves.
  private(set) var nested: [ExpressionTree] = []

  /// Returns the name of the input for an expression without window functions.
  mutating func input(_ tree: ExpressionTree) -> String {
    if !inputs.contains(tree) { inputs.append(tree) }
    return WindowSplit.name(tree)
  }

  /// Returns a column in which inputs and window functions are variables.
  mutating func output(_ tree: ExpressionTree) -> ExpressionTree {
    if case .constant = tree.kind { return tree }
    guard tree.hasWindow else { return ExpressionTree(.variable(input(tree)), span: tree.span) }
    if let (call, function) = tree.window {
      let name = String.ofPart + tree.expressionFormat
      let parts = call.arguments.map { part in
        if part.hasWindow { nested.append(part) }
        return part.hasWindow ? ExpressionTree(.constant(Constant(.null)), span: part.span) : part
      }
      let argument = call.argumentsInParentheses.isEmpty ? nil : parts.first.map { input($0) }
      let key = call.windowKey == nil ? nil : parts.last.map { input(names.replaced($0)) }
      if !calls.contains(where: { $0.name == name }) {
        calls.append(
          CheckedWindow(
            name: name, function: function, argument: argument, key: key, span: tree.span))
      }
      return ExpressionTree(.variable(name), span: tree.span)
    }
    if tree.aggregate != nil, let part = tree.first(where: { $0.window != nil }) {
      nested.append(part)
      return ExpressionTree(.constant(Constant(.null)), span: tree.span)
    }
    return tree.mapParts(
      predicate: { part, _ in output(part) }, expression: { part, _ in output(part) })
  }

  private mutating func output(_ tree: PredicateTree) -> PredicateTree {
    tree.mapParts(predicate: { output($0) }, expression: { output($0) })
  }

  init(names: SelectedNames) { self.names = names }

  static func name(_ tree: ExpressionTree) -> String { String.ofPart + tree.expressionFormat }
}

extension FetchTree {
  /// Returns the fetch with the names of columns replaced in the other clauses.
  fileprivate func replacing(_ names: SelectedNames) -> FetchTree {
    var fetch = mapClauses(predicate: names.replaced, expression: names.replaced)
    (fetch.predicate, fetch.selection) = (predicate, selection)
    return fetch
  }

  /// Returns the fetch with other columns.
  fileprivate func selecting(_ columns: [ExpressionTree]) -> FetchTree {
    var fetch = self
    fetch.selection = columns.map { tree in
      SelectedColumn(tree, name: WindowSplit.name(tree), span: tree.span)
    }
    return fetch
  }
}
