import KuraPredicates
import KuraValues

/// The loops that compute a function for whole chunks. The reference evaluator computes everything else.
struct FunctionLoop {
  /// The loop over the values of each row.
  var row: RowLoop?
  /// The loop over the rows of all groups, for numbers.
  var column: ColumnAggregate.Loop?
  /// The loop over the gathered values of each group.
  var gathered: GatheredAggregate.Loop?
}

/// A loop that computes a function for each row.
enum RowLoop {
  /// A node of the operands' nodes.
  case node((LoopOperands) -> (any VectorNode)?)
  case arithmetic(ArithmeticNode.Operation)
  /// A part of a date; another calendar has other parts.
  case part(DatePart)
  /// An aggregate of a list of expressions.
  case list(ColumnAggregate.Loop)
  /// A function of a text and literals that calls the function itself.
  case textAndLiterals
  case cast

  static func number(_ function: NumberNode.Function) -> RowLoop {
    .node { NumberNode(function, $0[0]) }
  }

  static func text(_ change: TextChange) -> RowLoop { .node { change.node(of: $0[0]) } }
}

/// The operands of a call, whose number is valid.
struct LoopOperands {
  let call: FunctionCall
  let nodes: [any VectorNode]
  let environment: FetchEnvironment

  subscript(place: Int) -> any VectorNode { nodes[place] }

  func literal(_ place: Int) -> Value? { call.arguments[place].literal }

  fileprivate var rounded: (any VectorNode)? {
    if nodes.count == 1 { return NumberNode(.round, self[0]) }
    return ComputedNode.rounded(self[0], places: literal(1))
  }
}

extension BuiltInFunction {
  /// The loops of the function.
  var loop: FunctionLoop {
    switch self {
    case .sum: FunctionLoop(row: .list(.sum), column: .sum)
    case .average: FunctionLoop(row: .list(.average), column: .average)
    case .min: FunctionLoop(row: .list(.min), column: .min, gathered: .least)
    case .max: FunctionLoop(row: .list(.max), column: .max, gathered: .greatest)
    case .count: FunctionLoop(column: .count)
    case .median: FunctionLoop(gathered: .median)
    case .percentile: FunctionLoop(gathered: .percentile)
    case .stddev: FunctionLoop(gathered: .deviation)
    case .joined: FunctionLoop(gathered: .joined)
    case .add: FunctionLoop(row: .arithmetic(.add))
    case .subtract: FunctionLoop(row: .arithmetic(.subtract))
    case .multiply: FunctionLoop(row: .arithmetic(.multiply))
    case .divide: FunctionLoop(row: .arithmetic(.divide))
    case .remainder: FunctionLoop(row: .arithmetic(.remainder))
    case .raise: FunctionLoop(row: .arithmetic(.power))
    case .bitwiseAnd: FunctionLoop(row: .arithmetic(.and))
    case .bitwiseOr: FunctionLoop(row: .arithmetic(.or))
    case .bitwiseXor: FunctionLoop(row: .arithmetic(.exclusiveOr))
    case .leftShift: FunctionLoop(row: .arithmetic(.leftShift))
    case .rightShift: FunctionLoop(row: .arithmetic(.rightShift))
    case .onesComplement: FunctionLoop(row: .number(.complement))
    case .negate: FunctionLoop(row: .number(.negate))
    case .abs: FunctionLoop(row: .number(.abs))
    case .ceiling: FunctionLoop(row: .number(.ceiling))
    case .floor: FunctionLoop(row: .number(.floor))
    case .trunc: FunctionLoop(row: .number(.trunc))
    case .sqrt: FunctionLoop(row: .number(.sqrt))
    case .log: FunctionLoop(row: .number(.log))
    case .ln: FunctionLoop(row: .number(.ln))
    case .exp: FunctionLoop(row: .number(.exp))
    case .round: FunctionLoop(row: .node { $0.rounded })
    case .uppercase: FunctionLoop(row: .text(.uppercase))
    case .lowercase: FunctionLoop(row: .text(.lowercase))
    case .trim: FunctionLoop(row: .text(.trim))
    case .canonical: FunctionLoop(row: .text(.canonical))
    case .length: FunctionLoop(row: .node { LengthNode($0[0]) })
    case .substring: FunctionLoop(row: .node { ComputedNode.substring($0.nodes) })
    case .concat:
      FunctionLoop(
        row: .node { ComputedNode.concatenated($0.nodes, $0.environment.rules) })
    case .replace, .firstMatch: FunctionLoop(row: .textAndLiterals)
    case .year: FunctionLoop(row: .part(.year))
    case .month: FunctionLoop(row: .part(.month))
    case .day: FunctionLoop(row: .part(.day))
    case .hour: FunctionLoop(row: .part(.hour))
    case .minute: FunctionLoop(row: .part(.minute))
    case .second: FunctionLoop(row: .part(.second))
    case .weekday: FunctionLoop(row: .part(.weekday))
    case .startOfDay: FunctionLoop(row: .part(.startOfDay))
    case .daysBetween:
      FunctionLoop(row: .node { ComputedNode.daysBetween($0.nodes, $0.environment.rules) })
    case .timeBetween:
      FunctionLoop(
        row: .node {
          ComputedNode.timeBetween(
            Array($0.nodes.prefix(2)), $0.literal(2), $0.environment.rules)
        })
    case .dateByAdding:
      FunctionLoop(
        row: .node {
          ComputedNode.dateByAdding(
            Array($0.nodes.prefix(2)), $0.literal(2), $0.environment.rules)
        })
    case .format: FunctionLoop(row: .node { DatePeriodNode($0.call, $0.nodes, $0.environment) })
    case .coalesce: FunctionLoop(row: .node { ComputedNode.coalesced($0.nodes) })
    case .cast: FunctionLoop(row: .cast)
    // `DistinctValues` and `WindowedRows` count and rank; an element of `split` is an index; constants are folded.
    case .countDistinct, .mode, .rank, .runningSum, .share, .split, .characterCount,
      .random, .randomn, .uuid, .now, .today, .yesterday, .tomorrow, .date, .objectAtIndex,
      .noindex:
      FunctionLoop()
    }
  }
}
