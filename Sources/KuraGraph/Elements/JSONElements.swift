/// The elements at a path in the JSON of some rows, as one JSON array.
package struct JSONElements: Sendable {
  /// The array without its brackets.
  package private(set) var json: [UInt8] = []
  /// The place of each element's row among the rows.
  package private(set) var rows: [UInt32] = []
  /// The key of each element, if it was in an object and not in a list.
  package private(set) var keys: [String?] = []
  /// The keys of the values that `@allValues` passed before each element.
  package private(set) var outerKeys: [[String]] = []

  /// The keys of the path; nil for each value of an object.
  private let path: [[UInt8]?]
  /// The keys of the values that are being passed.
  private var passed: [String] = []

  init(_ path: [String?]) { self.path = path.map { $0.map { Array($0.utf8) } } }
}

extension JSONElements {
  mutating func add(_ json: UnsafeBufferPointer<UInt8>, row: UInt32) {
    var reader = JSONSkipper(json)
    add(&reader, row, path[...])
  }

  /// Adds the elements at the rest of the path. Values that are neither a list nor an object have none.
  private mutating func add(
    _ reader: inout JSONSkipper, _ row: UInt32, _ rest: ArraySlice<[UInt8]?>
  ) {
    if reader.isAtList {
      while reader.stepsToElement() {
        var element = reader
        if rest.isEmpty {
          append(&element, row, nil)
        } else {
          add(&element, row, rest)
        }
        reader.skipValue()
      }
    } else if case let key?? = rest.first {
      guard reader.findInAnyForm(key) else { return }
      add(&reader, row, rest.dropFirst())
    } else if reader.entersObject() {
      // The elements of an object are its values, with and without a last `@allValues`.
      let isEnd = rest.count <= 1
      while let (place, isPlain) = reader.stepsToKey() {
        var element = reader
        let key = reader.text(place, isPlain: isPlain)
        if isEnd {
          append(&element, row, key)
        } else {
          passed.append(key)
          add(&element, row, rest.dropFirst())
          passed.removeLast()
        }
        reader.stepsOver(read: isEnd ? element : reader)
      }
    }
  }

  private mutating func append(_ reader: inout JSONSkipper, _ row: UInt32, _ key: String?) {
    if !json.isEmpty { json.append(UInt8(ascii: ",")) }
    json += reader.json[reader.passesValue()]
    rows.append(row)
    keys.append(key)
    outerKeys.append(passed)
  }

  /// Adds the elements of later rows.
  mutating func append(_ other: JSONElements) {
    if !json.isEmpty, !other.json.isEmpty { json.append(UInt8(ascii: ",")) }
    json += other.json
    rows += other.rows
    keys += other.keys
    outerKeys += other.outerKeys
  }

  package var array: [UInt8] { [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")] }
}
