import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A predicate as a format with arguments: `title CONTAINS[cd] %@ AND done == NO`.
struct PredicateFormat {
  let text: String
  let arguments: [Argument]

  enum Argument {
    case value(Value)
    /// `$day`
    case variable(String)
  }

  /// Creates the format. Numbers, Booleans and nil are part of the text; values that a user may
  /// have typed become arguments.
  init(_ predicate: PredicateTree) {
    var arguments: [Argument] = []
    var words: [String] = []
    func marked(_ argument: Argument) -> ExpressionTree {
      arguments.append(argument)
      return ExpressionTree(.variable("\u{1}a\(arguments.count - 1)\u{1}"))
    }
    func word(_ text: String) -> ExpressionTree {
      words.append(text)
      return ExpressionTree(.variable("\u{1}w\(words.count - 1)\u{1}"))
    }
    var bound: Set<String> = []
    predicate.walk { node, names in
      bound.formUnion(names)
      return .into
    }
    let tree = predicate.replacing { node in
      switch node.kind {
      case .constant(let constant):
        switch constant.value {
        case .null: return nil
        case .integer, .double: return nil
        case .boolean(let flag): return word(flag ? "YES" : "NO")
        default: return marked(.value(constant.value))
        }
      case .variable(let name) where !bound.contains(name): return marked(.variable(name))
      default: return nil
      }
    }
    let pieces = tree.predicateFormat.replacing("%", with: "%%").split(
      separator: "\u{1}", omittingEmptySubsequences: false)
    var text = ""
    for (place, piece) in pieces.enumerated() {
      // A marker is between two signs, after the variable's own `$`.
      if place % 2 == 0 {
        text += place + 1 < pieces.count && piece.hasSuffix("$") ? piece.dropLast() : piece
      } else if piece.first == "w", let number = Int(piece.dropFirst()) {
        text += words[number]
      } else {
        text += "%@"
      }
    }
    self.text = text
    self.arguments = pieces.enumerated().compactMap { place, piece in
      place % 2 == 1 && piece.first == "a" ? Int(piece.dropFirst()).map { arguments[$0] } : nil
    }
  }
}
