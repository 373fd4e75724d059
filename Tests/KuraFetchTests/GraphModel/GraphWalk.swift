import KuraModel
import KuraPredicates
import KuraValues

@testable import KuraFetch
@testable import KuraGraph

/// A random walk through the states of a graph, together with the plain model.
struct GraphWalk {
  let world: GeneratedModel
  var dice: Dice
  /// The context, and the scratch contexts in it; the innermost is last.
  var layers: [Layer]
  /// Earlier states: later changes must not affect them.
  var held: [(snapshot: GraphSnapshot, plain: PlainGraph)] = []
  /// The last actions.
  var log: [String] = []
  /// The number of edits.
  var steps = 0
  /// The number of moves between complete comparisons.
  var interval = 25
  /// The fault at which the walk ends.
  var fault: String?

  struct Layer {
    var context: GraphContext
    var plain: PlainContext
    var saved: Graph
    /// The graph that the context's change notifications describe.
    let told: ReceivedChanges
  }

  final class ReceivedChanges: @unchecked Sendable {
    fileprivate(set) var graph: Graph
    init(_ graph: Graph) { self.graph = graph }
  }

  init(seed: UInt64) throws {
    dice = Dice(seed)
    world = try GeneratedModel(&dice)
    var graph = Graph(model: world.model)
    if dice.chance(0.5) { graph.codeTexts() }
    layers = [Layer(GraphContext(graph), PlainContext(PlainGraph(world: world)))]
  }
}

extension GraphWalk.Layer {
  init(_ context: GraphContext, _ plain: PlainContext) {
    let told = GraphWalk.ReceivedChanges(context.graph)
    self.init(context: context, plain: plain, saved: context.graph, told: told)
    self.context.history.levels = PlainContext.levels
    self.context.observe { change, _ in told.graph.apply(change.change) }
  }
}

extension Graph {
  /// Adds dictionaries to columns of texts, as when a store is read.
  fileprivate mutating func codeTexts() {
    for table in tables.indices {
      for column in tables[table].columns.indices
      where tables[table].columns[column].kind == .attribute(.string) {
        tables[table].columns[column].dictionary = TextDictionary()
      }
    }
  }
}

extension GraphWalk {
  var layer: Layer {
    get { layers[layers.count - 1] }
    _modify { yield &layers[layers.count - 1] }
  }
  var context: GraphContext { layer.context }
  var plain: PlainContext { layer.plain }

  /// Continues until this number of edits or a fault.
  mutating func walk(steps wanted: Int) {
    var moves = 0
    while steps < wanted, fault == nil {
      do { try move() } catch { fail("an error: \(error)") }
      moves += 1
      if moves % interval == 0 { checkAll() }
    }
  }

  mutating func note(_ text: String) {
    log.append(text)
    if log.count > 15 { log.removeFirst() }
  }

  mutating func fail(_ text: String) { if fault == nil { fault = text } }

  private mutating func move() throws {
    switch dice.below(100) {
    case 0..<68: try change()
    case 68..<74: try failingChange()
    case 74..<82: try undo()
    case 82..<87: try redo()
    case 87..<89: rollback()
    case 89..<92: save()
    case 92..<94: begin()
    case 94..<96: commit()
    case 96: if layers.count > 1 { note("cancel"); layers.removeLast() }
    case 97: hold()
    default: try checkFetches(context.snapshot)
    }
    steps += 1
  }
}
