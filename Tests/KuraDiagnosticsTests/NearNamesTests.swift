import KuraDiagnostics
import Testing

@Suite struct NearNamesTests {
  private let keys = ["objectID", "title", "category", "date", "notifiable", "誕生日", "が"]

  @Test(
    "A typing error finds the intended name",
    arguments: [
      ("titl", ["title"]), ("tilte", ["title"]), ("Title", ["title"]), ("catgory", ["category"]),
      ("cat", ["category"]), ("noti", ["notifiable"]), ("dates", ["date"]),
      ("objectid", ["objectID"]),
      ("誕生", ["誕生日"]), ("誕生目", ["誕生日"]), ("ntofiabel", ["notifiable"]), ("price", []), ("x", []),
      ("", []), ("か\u{3099}", []),
    ] as [(String, [String])])
  func near(name: String, expected: [String]) {
    #expect(nearNames(to: name, among: keys.filter { $0 != name }) == expected)
  }

  @Test("The best comes first, and there are at most three")
  func order() {
    let names = ["data", "dates", "date", "dare", "mate", "DATE"]
    #expect(nearNames(to: "date", among: names) == ["DATE", "dare", "data"])
    #expect(nearNames(to: "da", among: ["dates", "date", "day"]) == ["day", "date", "dates"])
  }

  @Test("A name of a megabyte is not similar to any, without delay")
  func long() {
    let name = String(repeating: "a", count: 1_000_000)
    #expect(nearNames(to: name, among: [name + "b", "a"]).isEmpty)
  }

  @Test("Names are offered in a question")
  func question() {
    #expect(didYouMean([]) == nil)
    #expect(didYouMean(["title"]) == #"did you mean "title"?"#)
    #expect(didYouMean(["a", "b"]) == #"did you mean "a" or "b"?"#)
    #expect(didYouMean(["a", "b", "c"]) == #"did you mean "a", "b" or "c"?"#)
  }
}
