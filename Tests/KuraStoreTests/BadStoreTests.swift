import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
import KuraValues
import Testing

private let links =
  #""next": {"destination": "Item", "inverse": "before"}, "#
  + #""before": {"destination": "Item", "toMany": true, "inverse": "next"}, "#
  + #""all": {"destination": "Item", "toMany": true}"#

@Suite struct BadStoreTests {
  @Test(arguments: [
    (#"{"titel": "x"}"#, #"3:23: error: Item has no key "titel" (in row 1 of Item)"#),
    (
      #"{"titel": "x", "title": 1, "n": 2}"#,
      #"3:23: error: Item has no key "titel" (in row 1 of Item)"#
    ),
    (#"{"objectID": 4, "title": 3}"#, #"3:47: error: Item/4: "title" must be a string, not 3"#),
    (#"{"objectID": 4, "n": 3.5}"#, #"3:43: error: Item/4: "n" must be an integer, not 3.5"#),
    (
      #"{"objectID": 0}"#,
      #"3:35: error: row 1 of Item: "objectID" must be a positive integer, not 0"#
    ),
    (#"{"objectID": 1}, {"objectID": 1}"#, "3:52: error: the objectID of Item/1 is used twice"),
    ("7", "3:22: error: row 1 of Item is not an object"),
    (
      #"{"objectID": 1, "next": 9}"#,
      #"3:46: error: Item/1: "next" refers to Item/9, which does not exist"#
    ),
    (
      #"{"objectID": 7}, {"title": "x", "all": [7, 9]}"#,
      #"3:65: error: Item/8: "all" refers to Item/9, which does not exist"#
    ),
    (
      #"{"objectID": 9, "all": [2]}, {"objectID": 2, "all": [2, 5]}"#,
      #"3:78: error: Item/2: "all" refers to Item/5, which does not exist"#
    ),
    (
      #"{"objectID": 1, "all": [1, "x"]}"#,
      #"3:45: error: Item/1: "all" must be a list of objectIDs, not [1, "x"]"#
    ),
    (
      #"{"objectID": 1, "all": [1, ]}"#,
      #"3:47: error: a comma before the end of a list or an object is not JSON"#
    ),
    (#"{"objectID": 1, "all": [1, 1]}"#, #"3:49: error: Item/1: "all" contains Item/1 twice"#),
    (
      #"{"objectID": 1, "next": 2}, {"objectID": 2, "before": []}"#,
      #"3:76: error: Item/2: "before" contradicts Item/1 next, its inverse"#
    ),
    (
      #"{"objectID": 1, "next": null}, {"objectID": 2, "before": [1]}"#,
      #"3:79: error: Item/2: "before" contradicts Item/1 next, its inverse"#
    ),
  ]) func aRowThatBreaksTheModel(_ row: String, _ headline: String) throws {
    let attributes =
      #""title": {"type": "string", "optional": true}, "n": {"type": "integer", "optional": true}"#
    let reading = try Reading(store(attributes, row, relationships: links))
    #expect(reading.first == headline)
    let pieces = try Reading(store(attributes, row, relationships: links), step: 3)
    #expect(pieces.headlines == reading.headlines)
  }

  @Test func aMandatoryValueThatIsMissing() throws {
    let reading = try Reading(store(#""t": {"type": "string"}"#, #"{"objectID": 3}"#))
    #expect(
      reading.headlines == [#"3:22: error: Item/3 has no value for "t", which is not optional"#])
  }

  @Test(arguments: [
    (
      #"{"format": "kura/2"}"#,
      #"1:12: error: the format is "kura/2", but this Kura reads "kura/1""#
    ),
    (#"{"format": "kura/1"}"#, #"error: the store has no "model""#),
    (#"{"format": "kura/1", "modle": {}}"#, #"1:22: error: a store has no key "modle""#),
    (
      #"{"format": "kura/1", "timezone": "Asia/Kura"}"#,
      #"1:34: error: "Asia/Kura" is not a time zone"#
    ),
    (
      #"{"format": "kura/1", "format": "kura/1"}"#, #"1:22: error: the key "format" occurs twice"#
    ),
    (
      #"{"format": "kura/1", "model": {"entities": {}, "entities": {}}}"#,
      #"1:48: error: the key "entities" occurs twice"#
    ),
    (
      #"{"format": "kura/1", "model": {"entities": {}}, "objects": {"Item": []}}"#,
      #"1:61: error: the model has no entity "Item""#
    ),
    (
      #"{"format": "kura/1", "model": {"entities": {}}, "objects": []}"#,
      #"1:60: error: the value of "objects" has the wrong type"#
    ),
    (
      #"{"format": "kura/1", "model": {"entities": {}}, "nextObjectID": {"A": 0}}"#,
      #"1:71: error: the next objectID of "A" is not a positive integer"#
    ),
    (
      #"{"format": "kura/1", "model": {"entities": {}}, "nextObjectID": {"A": 2}}"#,
      #"1:66: error: the model has no entity "A""#
    ),
    (
      #"{"format": "kura/1", "model": {"entities": {"A": {"abstract": true}}}, "objects": {"A": [{}]}}"#,
      "1:84: error: A is abstract and has no objects of its own"
    ),
  ]) func aDocumentThatBreaksItsForm(_ text: String, _ headline: String) throws {
    #expect(try Reading(text).headlines == [headline])
  }

  @Test(arguments: [
    (#""a": {"type": "strng"}"#, "2:62:"), (#""a": {"type": "string", "mni": 1}"#, "2:72:"),
  ]) func anUnknownWordInTheModelHasItsPlace(_ attribute: String, _ place: String) throws {
    let reading = try Reading(store(attribute, ""))
    #expect(reading.first.hasPrefix(place), "\(reading.first)")
  }

  @Test func twoOwnersOfOneToOneAreRefused() throws {
    let reading = try Reading(
      store(
        "", #"{"objectID": 1, "a": 3}, {"objectID": 2, "a": 3}, {"objectID": 3}"#,
        relationships:
          #""a": {"destination": "Item", "inverse": "b"}, "b": {"destination": "Item", "inverse": "a"}"#
      ))
    #expect(
      reading.first == #"3:68: error: Item/2: "a" contradicts Item/1 a, its inverse"#)
  }

  @Test func problemsBeyondTheLimitAreCounted() throws {
    let rows = Array(repeating: #"{"x": 1}"#, count: 30).joined(separator: ",\n")
    for step in [5, 1 << 20] {
      let reading = try Reading(store("", rows), step: step)
      #expect(reading.problems.count == 21)
      #expect(reading.headlines.last == "error: and 10 more like these")
    }
  }
}
