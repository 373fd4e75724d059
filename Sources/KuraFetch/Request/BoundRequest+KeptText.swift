import Foundation
import KuraChecking
import KuraPredicates

// What tells a request from another
extension BoundRequest {
  /// Where its order may be kept.
  var orderKeeping: OrderKeeping {
    if selection?.hidesObjects == true { return .nowhere(.rowsWithoutObjects) }
    if rows != nil { return .nowhere(.namedObjects) }
    if case .at = environment.orders, isChanging { return .nowhere(.changing) }
    return environment.orders
  }

  /// Everything that the order depends on besides the state of the store.
  var requestText: String {
    let parts = [
      entity, includesSubentities ? "" : "own", "\(offset)", "\(limit ?? -1)",
      environment.rules.identifier, environment.locale.identifier,
      environment.writtenLocale?.identifier ?? "", environment.calendar.map { "\($0)" } ?? "",
    ]
    return Self.text(parts) + text(of: orderTrees)
  }

  /// By what there are headings: who wants none takes an order that is kept with some.
  var sectionText: String { text(of: sectionTrees) }

  /// Trees with the values of their variables.
  private func text(of trees: [OrderTree]) -> String {
    let names = Set(trees.flatMap(\.variables)).sorted()
    return Self.text(
      trees.map(\.text)
        + names.flatMap { name in
          [
            name + "=" + (environment.variables[name].map(written) ?? ""),
            environment.predicates[name]?.tree.predicateFormat ?? "",
          ]
        })
  }

  private static func text(_ parts: [String]) -> String {
    parts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  /// What is asked of objects, with what is the same for all of them computed: the moment too.
  private var orderTrees: [OrderTree] {
    var folding = ConstantFolding(environment)
    let tests = predicate.map { [OrderTree.predicate(folding.folded($0))] } ?? []
    // Without a sort the sections are the order.
    return sort.isEmpty
      ? tests + sectionTrees
      : tests
        + sort.map { key in
          var key = key
          key.expression = folding.folded(key.expression)
          return .sort(key)
        }
  }

  private var sectionTrees: [OrderTree] {
    var folding = ConstantFolding(environment)
    return section.map { [.section(folding.folded($0.tree))] } ?? []
  }

  /// Whether the same question may have another answer though nothing was changed.
  private var isChanging: Bool { (orderTrees + sectionTrees).contains(where: \.isChanging) }

  private func written(_ value: Value) -> String {
    ExpressionTree(.constant(Constant(value))).expressionFormat
  }
}

/// A part of a request on which the order depends.
private enum OrderTree {
  case predicate(PredicateTree)
  case sort(SortTree)
  case section(ExpressionTree)

  var text: String {
    switch self {
    case .predicate(let tree): "where " + tree.predicateFormat
    case .sort(let key): "sort " + key.description
    case .section(let tree): "section " + tree.expressionFormat
    }
  }

  private var node: TreeNode {
    switch self {
    case .predicate(let tree): .predicate(tree)
    case .sort(let key): .expression(key.expression)
    case .section(let tree): .expression(tree)
    }
  }

  var variables: [String] {
    var names: [String] = []
    walk { if case .variable(let name) = $0.kind { names.append(name) } }
    return names
  }

  var isChanging: Bool {
    var isSo = false
    walk { tree in
      switch tree.kind {
      case .function(let call): isSo = isSo || call.depends(on: [.chance, .clock])
      case .constant(let constant): isSo = isSo || constant.value.holdsNameless
      default: break
      }
    }
    return isSo
  }

  private func walk(_ body: (ExpressionTree) -> Void) {
    node.walk { node, _ in
      if case .expression(let tree) = node { body(tree) }
      return .into
    }
  }
}

extension Value {
  /// Whether it has an object that no number tells: a block, an object of a program.
  fileprivate var holdsNameless: Bool {
    var found = false
    _ = mapObjects { reference in
      if reference.id == nil { found = true }
      return .object(reference)
    }
    return found
  }
}
