// Filters dictionaries in memory with the given predicates. For each, prints the number of hits and
// the seconds of the fastest round. filter.m does the same.
import Kura

let words = [
  "父の誕生日", "meeting", "Café", "会社の創立記念日", "Résumé", "passport", "夏休みの宿題", "lunch",
]

func row(_ i: Int) -> [String: Value] {
  let title = "\(i): some \(words[i * 7 % 8]) and \(words[i / 8 % 8]) \(i * 31 % 1000)"
  return [
    "title": .string(title), "priority": .integer(Int64(i * 7919 % 10)), "id": .integer(Int64(i)),
    "done": .boolean(i % 3 == 0), "category": .string(words[i % 8]), "cost": .double(Double(i) / 4),
  ]
}

let count = Int(CommandLine.arguments[1]) ?? 0
let rounds = Int(CommandLine.arguments[2]) ?? 1
let rows = (0..<count).map(row)
for text in CommandLine.arguments.dropFirst(3) {
  var best = Duration.seconds(1_000_000)
  var hits = 0
  for _ in 0..<rounds {
    let taken = try ContinuousClock().measure {
      // From the text to the array of hits, as in a program that filters once.
      hits = try rows.filter(by: text).count
    }
    best = min(best, taken)
  }
  let seconds = Double(best.components.attoseconds) / 1e18 + Double(best.components.seconds)
  print(hits, seconds)
}
