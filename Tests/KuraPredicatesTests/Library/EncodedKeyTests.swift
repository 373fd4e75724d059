import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

private struct Post: Codable {
  var title: String
  var createdAt: Date
  var note: String?
  var author: Author?
  var counts: [String: Int] = [:]
  enum CodingKeys: String, CodingKey {
    case title, note, author, counts
    case createdAt = "created_at"
  }
}
private struct Author: Codable { var name: String; var age: Int?; var tags: [String] = [] }
private class Base: Encodable { var id = 7 }
private final class Derived: Base {
  var name = "x"
  enum Keys: String, CodingKey { case name }
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var keys = encoder.container(keyedBy: Keys.self)
    try keys.encode(name, forKey: .name)
  }
}

@Suite("The keys of encoded values are known")
struct EncodedKeyTests {
  private let post = Post(
    title: "父の誕生日", createdAt: Date(timeIntervalSince1970: 0),
    author: Author(name: "Ann", tags: ["a", "b"]), counts: ["x": 3])

  @Test(
    "an existing key is found",
    arguments: [
      "title == '父の誕生日'", "created_at < '1980-01-01'", "note == nil", "author.name == 'Ann'",
      "author.age == nil", "counts.x == 3", "counts.y == nil", "note.length == nil",
      "ANY author.tags == 'b'",
      "SELF.title.length == 5", "title == '父の誕生日' OR creatd == 1", "counts.@allKeys == {'x'}",
      "SELF.title == title AND SELF != nil", "counts.@allValues.@sum.self == 3",
    ])
  func known(text: String) throws {
    let tree = try text.predicate()
    #expect(try tree.evaluate(encoding: post))
    #expect(try tree.prepared().evaluate(encoding: post))
    #expect(try [post, post].filter(by: text).count == 2)
  }

  @Test(
    "an impossible key is an error with near names",
    arguments: [
      ("createdAt > '1980-01-01'", "Post has no key \"createdAt\"", "created_at"),
      ("title == 'x' OR titel == 'x'", "Post has no key \"titel\"", "title"),
      ("author.nmae == 'x'", "Author has no key \"nmae\"", "name"),
      ("notes == nil AND title != nil", "Post has no key \"notes\"", "note"),
    ])
  func unknown(text: String, sentence: String, near: String) throws {
    for ask in [
      { try text.predicate().evaluate(encoding: post) }, { try [post].contains(by: text) },
      { try [post].sorted(by: text.prefix { $0 != " " } + " desc").isEmpty },
    ].prefix(text.hasPrefix("title") ? 2 : 3) {
      #expect { try ask() } throws: { error in
        guard let found = error as? Diagnostic else { return false }
        return found.facts.sentence == sentence && found.facts.help?.contains(near) == true
          && found.span != nil
      }
    }
  }

  @Test func classes() throws {
    #expect(try [Derived()].contains(by: "id == 7 AND name == 'x'"))
    #expect(throws: Diagnostic.self) { try [Derived()].contains(by: "nam == 'x'") }
    #expect(try [Derived(), Derived()].count(by: "name BEGINSWITH 'x'") == 2)
  }

  @Test("a value that is encoded without keys is unchanged")
  func plain() throws {
    enum Form: String, Codable { case paper, ebook }
    #expect(try [Form.paper, .ebook].filter(by: "SELF == 'ebook'") == [.ebook])
    #expect(try [[Author(name: "a")]].contains(by: "SELF.name CONTAINS 'a'"))
    #expect(try [["a": 1], ["b": 2]].count(by: "a == 1") == 1)
  }

  @Test("keys in another order are distinguished")
  func orders() throws {
    struct Moody: Encodable {
      var isOdd: Bool
      enum CodingKeys: String, CodingKey { case a, b }
      func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        if isOdd { try keys.encode(1, forKey: .b) }
        try keys.encode(2, forKey: .a)
        if !isOdd { try keys.encode(3, forKey: .b) }
      }
    }
    let moods = [true, false, true, false].map(Moody.init)
    #expect(try moods.filter(by: "b == 1 AND a == 2").count == 2)
    #expect(try moods.filter(by: "b == 3 AND a == 2").count == 2)
  }

  @Test("values are decoded as they were")
  func decoding() throws {
    let value = try ValueEncoder().encode(post)
    let again = try value.decoded(as: Post.self)
    #expect(again.title == post.title && again.createdAt == post.createdAt && again.note == nil)
    #expect(again.author?.tags == ["a", "b"] && again.counts == ["x": 3])
  }
}
