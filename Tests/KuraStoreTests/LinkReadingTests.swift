import KuraGraph
import KuraStore
import KuraValues
import TestSupport
import Testing

/// Links in the order of their objects are read chunk by chunk, all others row by row.
@Suite("Links are read")
struct LinkReadingTests {
  private static let count = 40_000

  private static let model = #"""
    {"entities": {
      "Place": {"relationships": {
        "items": {"destination": "Item", "inverse": "home", "toMany": true}}},
      "Shop": {"parent": "Place"},
      "Item": {"relationships": {
        "home": {"destination": "Place", "inverse": "items"},
        "shop": {"destination": "Shop"},
        "near": {"destination": "Item", "toMany": true},
        "places": {"destination": "Place", "toMany": true}}}}}
    """#

  /// Returns an item as a row of the document.
  private static func item(_ id: Int, _ random: inout some RandomNumberGenerator) -> String {
    var members = [#""objectID": \#(id)"#]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: break
    case 1: members.append(#""home": null"#)
    default: members.append(#""home": \#(Int.random(in: 1...200, using: &random))"#)
    }
    if Bool.random(using: &random) {
      members.append(#""shop": \#(Int.random(in: 101...200, using: &random))"#)
    }
    if Bool.random(using: &random) {
      let near = Set((0..<3).map { _ in Int.random(in: 1...count, using: &random) }).sorted()
      members.append(#""near": \#(near)"#)
    }
    if Bool.random(using: &random) { members.append(#""places": []"#) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func document(_ items: [String]) -> String {
    let places = (1...100).map { #"{"objectID": \#($0)}"# }.joined(separator: ", ")
    let shops = (101...200).map { #"{"objectID": \#($0)}"# }.joined(separator: ", ")
    return #"{"format": "kura/1", "model": \#(model), "objects": {"Place": [\#(places)], "#
      + #""Shop": [\#(shops)], "Item": [\#(items.joined(separator: ",\n"))]}}"#
  }

  @Test("in the same way for any order of their objects")
  func anyOrder() throws {
    var random = SeededNumbers(seed: 7)
    let items = (1...Self.count).map { Self.item($0, &random) }
    let inOrder = try #require(try Reading(Self.document(items)).store)
    let reversed = try #require(try Reading(Self.document(items.reversed())).store)
    let text = try inOrder.document
    #expect(try reversed.document == text)
    #expect(text.contains(#""home""#) && text.contains(#""near""#) && text.contains(#""shop""#))
  }

  @Test(
    "with the same errors for any order of their objects",
    arguments: [
      (#""home": 201"#, "201"), (#""shop": 7"#, "7"), (#""near": [3, 3]"#, "twice"),
      (#""near": [40001]"#, "40001"), (#""places": [1, 900]"#, "900"),
    ])
  func mistakes(_ member: String, _ word: String) throws {
    var items = (1...Self.count).map { #"{"objectID": \#($0)}"# }
    items[Self.count - 2] = #"{"objectID": \#(Self.count - 1), \#(member)}"#
    let inOrder = try Reading(Self.document(items))
    let reversed = try Reading(Self.document(items.reversed()))
    let said = { (reading: Reading) in
      reading.headlines.map { $0.drop { $0 != "e" } }
    }
    #expect(said(inOrder) == said(reversed))
    #expect(inOrder.headlines.count == 1)
    #expect(
      inOrder.first.contains("Item/39999") && inOrder.first.contains(word), "\(inOrder.first)")
  }

  @Test("from both sides, which must agree")
  func bothSides() throws {
    let document = Self.document(
      [#"{"objectID": 1, "home": 1}"#, #"{"objectID": 2}"#, #"{"objectID": 3, "home": 2}"#])
    let agreeing = document.replacing(
      #"{"objectID": 1},"#, with: #"{"objectID": 1, "items": [1, 2]},"#)
    let oneSided = Self.document(
      [
        #"{"objectID": 1, "home": 1}"#, #"{"objectID": 2, "home": 1}"#,
        #"{"objectID": 3, "home": 2}"#,
      ])
    let store = try #require(try Reading(agreeing).store)
    #expect(try store.document == #require(try Reading(oneSided).store).document)
    let other = document.replacing(#"{"objectID": 1},"#, with: #"{"objectID": 1, "items": [3]},"#)
    #expect(try Reading(other).problems.isEmpty == false)
  }
}
