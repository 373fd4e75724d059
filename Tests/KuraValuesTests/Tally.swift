import Foundation
import Testing

@testable import KuraValues

/// The result of comparing texts in two ways.
struct Tally {
  var found = 0
  var disagreements: [String: [String]] = [:]

  mutating func check(_ text: String, _ needle: String, _ options: TextOptions) {
    let prepared = TextNeedle(needle, options)
    func finds(_ place: String.CompareOptions) -> Bool {
      Reference.finds(needle, in: text, options, place)
    }
    func note(_ name: String, _ answer: Bool, _ foundation: Bool) {
      guard answer != foundation else { return }
      let pair = "\(text) [\(hex(text))], \(needle) [\(hex(needle))]"
      disagreements[name, default: []].append("\(pair), options \(options.rawValue): \(answer)")
    }
    let isFound = finds([])
    if isFound { found += 1 }
    note("CONTAINS", prepared.isContained(in: text), isFound)
    note("BEGINSWITH", prepared.begins(text), finds(.anchored))
    note("ENDSWITH", prepared.ends(text), finds([.anchored, .backwards]))
    guard options.folds else { return }
    let order = Reference.order(text, needle, options)
    note("==", prepared.equals(text), order == 0)
    note("<, ==, >", prepared.order(of: text).rawValue == order, true)
  }

  /// Records the disagreements, up to a maximum of each kind.
  func report(_ of: String) {
    for (name, pairs) in disagreements {
      let examples = pairs.prefix(10).joined(separator: "\n")
      Issue.record("\(name) on \(pairs.count) pairs, \(of):\n\(examples)")
    }
  }

  private func hex(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }
}
