import TestSupport

/// Documents of many rows, determined by a seed, with difficulties for several threads: false
/// borders, values that change a column's type, and errors anywhere.
struct GeneratedDocument {
  var numbers: SeededNumbers
  private(set) var summary = ""
  private var keys: [Key] = []
  private var rowCount = 0
  /// The row with an irregularity, and its kind.
  private var oddRow = 0
  private var oddity = Oddity.none

  private enum Key: CaseIterable {
    case integer, double, boolean, text, distinct, repeated, date, nested, list, null
  }

  private enum Oddity: CaseIterable {
    case none, newKey, wide, string, badWord, control, badUTF8, duplicate, missingComma, element
    case cutOff, unknownEscape, manyTexts, longText
  }

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  mutating func next() -> [UInt8] {
    keys = Key.allCases.filter { _ in numbers.flip() }
    rowCount = 1 + numbers.below(numbers.flip() ? 400 : 12)
    oddRow = numbers.below(rowCount)
    oddity = Oddity.allCases[numbers.below(Oddity.allCases.count)]
    let isStore = numbers.flip()
    summary = "\(rowCount) rows of \(keys), \(oddity) at \(oddRow), store: \(isStore)"
    let rows = (0..<rowCount).map { row($0, isStore) }
    let border = [",\n", ",", " ,\r\n  ", ",\n\n"][numbers.below(4)]
    let array = "[" + rows.joined(separator: border) + "]"
    return bytes(of: isStore ? Self.store(array) : plain(array))
  }
}

extension GeneratedDocument {
  private mutating func plain(_ array: String) -> String {
    numbers.flip() ? array : #"{"first":\#(array),"second":[{"id":1},{"id":2}],"third":3}"#
  }

  private static func store(_ array: String) -> String {
    #"{"format":"kura/1","timezone":"Asia/Tokyo","model":{"entities":{"A":{"attributes":{"#
      + #""integer":{"type":"integer","optional":true},"double":{"type":"double","optional":true},"#
      + #""boolean":{"type":"boolean","default":true},"text":{"type":"string","default":"無"},"#
      + #""distinct":{"type":"string","optional":true},"repeated":{"type":"string","default":"x"},"#
      + #""date":{"type":"date","optional":true},"nested":{"type":"json","optional":true},"#
      + #""null":{"type":"decimal","optional":true}},"relationships":{"#
      + #""list":{"destination":"B","toMany":true,"inverse":"as"}}},"#
      + #""B":{"relationships":{"as":{"destination":"A","toMany":true,"inverse":"list"}}}}},"#
      + #""objects":{"B":[{"objectID":1},{"objectID":2},{"objectID":3}],"A":\#(array)}}"#
  }

  /// Returns the bytes of a text; marks are replaced by bytes that Swift strings cannot contain.
  private func bytes(of text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    if oddity == .badUTF8, let place = bytes.firstIndex(of: UInt8(ascii: "~")) {
      bytes[place] = 0xFF
    }
    if oddity == .cutOff { bytes.removeLast(bytes.count * (rowCount - oddRow) / (rowCount + 1)) }
    return bytes
  }

  private mutating func row(_ row: Int, _ isStore: Bool) -> String {
    var members = [#""\#(isStore ? "objectID" : "id")":\#(row + 1)"#]
    for key in keys where numbers.below(5) > 0 {
      members.append(#""\#(key)"\#(numbers.flip() ? ":" : " : ")\#(value(key, row))"#)
    }
    guard isOdd(row) else { return "{" + members.joined(separator: ",") + "}" }
    if oddity == .missingComma { return "{" + members.joined(separator: " ") + #" "x":1}"# }
    if oddity == .element { return "17" }
    return "{" + (members + [oddMember]).joined(separator: ", ") + "}"
  }

  private func isOdd(_ row: Int) -> Bool {
    switch oddity {
    case .none, .cutOff, .manyTexts: false
    case .newKey, .wide, .string, .badWord, .control, .badUTF8, .duplicate, .missingComma,
      .element, .unknownEscape, .longText:
      row == oddRow
    }
  }

  private var oddMember: String {
    switch oddity {
    case .newKey: #""new\u00e9":[{"id":1},{"id":2}]"#
    case .wide: #""extra":12345678901234567890"#
    case .badWord: #""extra":nul"#
    case .control: "\"extra\":\"a\u{1}\""
    case .badUTF8: #""extra":"~""#
    case .duplicate: #""extra":1,"extra":2"#
    case .unknownEscape: #""extra":"\x""#
    case .longText: #""extra":"\#(String(repeating: "},{\\\"id\\\":1,", count: 900))""#
    case .none, .string, .missingComma, .element, .cutOff, .manyTexts: #""integer2":"text""#
    }
  }
}

extension GeneratedDocument {
  private mutating func value(_ key: Key, _ row: Int) -> String {
    let isAfter = row >= oddRow
    switch key {
    case .integer:
      if isAfter, oddity == .wide { return ["1.5", "1e3", "12345678901234567890"][row % 3] }
      return isAfter && oddity == .string ? #""no number""# : "\(row * 7 - 3)"
    case .double: return isAfter && oddity == .wide ? "1e300" : "\(Double(row) / 4)"
    case .boolean: return numbers.flip() ? "true" : "false"
    case .text: return Self.texts[numbers.below(Self.texts.count)]
    case .distinct: return numbers.below(8) == 0 ? "null" : #""text \#(row)""#
    case .repeated:
      if isAfter, oddity == .manyTexts { return #""many \#(row)""# }
      return ["\"家\"", "\"office\"", "\"ß\"", "\"x\""][numbers.below(4)]
    case .date: return [#""2020-02-29""#, #""1935-06-11""#, #""2010-07-20T18:20:00Z""#][row % 3]
    case .nested: return Self.nested[numbers.below(Self.nested.count)]
    case .list: return ["[1,2]", "[]", "[3, 1]", "[2]"][numbers.below(4)]
    case .null: return "null"
    }
  }

  /// Some look like a border between rows.
  private static let texts = [
    #""},{\"id\":1,""#, #""},\n{\"objectID\":9}""#, #""誕生日 é""#,
    #""\u00e9\ud83d\ude00""#, #""a\\""#, #""""#,
  ]

  private static let nested = [
    #"[{"id":1},{"id":2}]"#, #"{"id" : {"a":[1, 2]}}"#,
    #"[ { "objectID" : 1 } ,{"objectID":2}]"#, "3",
  ]
}
