import Foundation
import Testing

@testable import KuraValues

/// What came of comparing texts both ways.
struct Tally {
  var found = 0
  var disagreements: [String: [String]] = [:]

  mutating func check(_ text: String, _ needle: String, _ options: TextOptions) {
    let prepared = TextNeedle(needle, options)
    let all = NSString(string: text)
    let whole = NSRange(location: 0, length: all.length)
    let compare = options.foundation
    func finds(_ place: String.CompareOptions) -> Bool {
      let found = all.range(
        of: needle, options: String.CompareOptions(rawValue: compare.rawValue | place.rawValue),
        range: whole)
      return found.location != NSNotFound
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
    let order = all.compare(needle, options: compare).rawValue
    note("==", prepared.equals(text), order == 0)
    note("<, ==, >", prepared.order(of: text).rawValue == order, true)
  }

  /// Records the disagreements, some of each.
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
