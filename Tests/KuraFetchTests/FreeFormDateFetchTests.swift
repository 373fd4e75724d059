import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

@Suite("A date as people write it")
struct FreeFormDateFetchTests {
  private static let patterns = ["yyyy年M月d日", "Gy年M月d日(E)", "yyyyMMdd", "yyyy.M.d", "MMMM d, yyyy"]
  private static let questions = [
    "day == X", "day < X", "X <= day", "day != X", "day IN {X, \"2011-01-13\"}",
    "day BETWEEN {X, \"2030-01-01\"}", "coalesce(day, X) >= X", "ANY {X} == day",
    "daysBetween(day, X) > 30",
  ]

  @Test("finds the same objects as the day in ISO 8601", arguments: questions)
  func sameObjects(question: String) throws {
    let world = try World(items: 200)
    let locale = try LocaleName.locale("ja_JP@calendar=japanese")
    var random = SeededNumbers(seed: 19)
    for _ in 0..<12 {
      let civil = CivilTime(CivilDate(daysSince1970: random.below(20_000)))
      let day = try #require(ZoneRules.utc.moment(civil))
      let plain = question.replacing("X", with: "\"\(day.text(.day, in: .utc))\"")
      let expected = try world.fetch("Item", where: plain)
      for pattern in Self.patterns {
        let text = try day.text(
          format: pattern, pattern.contains("G") ? locale : nil, in: .utc)
        let found = try world.fetch("Item", where: question.replacing("X", with: "\"\(text)\""))
        #expect(found == expected, "\(text), seed 19")
      }
    }
  }

  @Test("with a relative day means it at the time of the fetch")
  func words() throws {
    let world = try World(items: 200)
    for (word, function) in [("今日", "today()"), ("yesterday", "yesterday()"), ("明日", "tomorrow()")]
    {
      let expected = try world.fetch("Item", where: "day < \(function)")
      #expect(try world.fetch("Item", where: "day < \"\(word)\"") == expected)
      #expect(try world.fetch("Item", where: "day < \(word)") == expected)
    }
  }
}
