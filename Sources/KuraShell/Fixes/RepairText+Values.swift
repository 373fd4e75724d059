import KuraDiagnostics
import KuraPredicates

// Values in the syntax of other languages
extension RepairText {
  /// Matches a time to add to a date: `- 7d`, `+ 2 weeks`
  func duration(from place: Int) -> PartClass.Ends {
    guard place < parts.count, ["-", "+"].contains(parts[place].text),
      let match = tails[place].prefixMatch(
        of: #/(?<sign>[-+])\s*(?<count>[0-9]{1,9})\s*(?<unit>[a-z]{1,7}?)s?(?!\w)/#.ignoresCase()),
      let unit = Self.units.first(where: {
        $0 == match.output.unit.lowercased()
          // `5m` can be minutes or months.
          || $0.hasPrefix(match.output.unit.lowercased())
            && match.output.unit.count == 1 && match.output.unit.lowercased() != "m"
      })
    else { return [] }
    let end = parts[place].span.start + tails[place][match.range].utf8.count
    let next = parts.firstIndex { $0.span.start >= end } ?? parts.count
    let sign = match.output.sign == "-" ? "-" : ""
    return meaning(place..<next, "\(sign)\(match.output.count), \"\(unit)\"")
  }

  private static let units = ["day", "week", "month", "year", "hour", "minute", "second"]

  /// Matches values that `||` joins, or `&` with a text, as the arguments of `concat`.
  func joinedValues(from place: Int) -> PartClass.Ends {
    var (end, values) = (place, [String]())
    while end < parts.count, parts[end].kind == .string || parts[end].isWord {
      let next = path(from: end).first?.end ?? end + 1
      guard next > end + 1 || !parts[end].isWord || isKey(parts[end].text) else { return [] }
      values.append(text(end..<next))
      end = next
      guard end < parts.count, ["||", "&"].contains(parts[end].text) else { break }
      end += 1
    }
    let joinsKeys = parts[place..<end].contains { $0.text == "&" }
    if joinsKeys, !parts[place..<end].contains(where: { $0.kind == .string }) { return [] }
    return values.count > 1 ? meaning(place..<end, values.joined(separator: ", ")) : []
  }
}
