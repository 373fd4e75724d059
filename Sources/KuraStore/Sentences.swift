import Foundation
package import KuraDiagnostics
import KuraJSON
import KuraModel
import KuraSentences
import KuraValues

extension StoreFacts: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .file }

  package var sentence: String {
    switch self {
    case .cannotOpen(let path, let number): localized("cannot open \"\(path)\": \(reason(number))")
    case .noFolder(let path, let folder):
      localized("there is no folder \"\(folder)\" for \"\(path)\"")
    case .cannotRead(let path, let number): localized("cannot read \"\(path)\": \(reason(number))")
    case .cannotWrite(let path, let number):
      localized("cannot write \"\(path)\": \(reason(number))")
    case .isDirectory(let path): localized("\"\(path)\" is a folder, not a file")
    case .exists(let path): localized("\"\(path)\" is there already")
    case .nameOfOwnFile(let path, let store):
      localized("\"\(path)\" is a name for Kura's own files beside \"\(store)\"")
    case .otherFormat(let path, let format):
      localized(
        "\"\(path)\" is the name of a file in \(format.name), and a store is written in JSON")
    case .empty: localized("there is nothing in it; a store or JSON was expected")
    case .notUTF8(let encoding): localized("this is \(encoding), not JSON in UTF-8")
    case .syntax(let error): error.isNoJSON ? localized("this is no JSON") : error.kind.sentence
    case .unknownFormat(let found):
      localized("the format is \(found), and this Kura reads \"kura/1\"")
    case .unknownTimeZone(let found): localized("\(found) is no time zone")
    case .unknownKey(let key): localized("a store has no key \"\(key)\"")
    case .notAnObject(let key): localized("the value of \"\(key)\" has another form")
    case .badNextObjectID(let entity):
      localized("the next objectID of \"\(entity)\" is no positive integer")
    case .unknownEntity(let entity, _): localized("the model has no entity \"\(entity)\"")
    case .noModel: localized("the store has no \"model\"")
    case .modelBehindObjects:
      localized("in a pipe \"format\" and \"model\" must stand before \"objects\"")
    case .row(let fault): fault.sentence
    case .moreProblems(let count): localized("and \(count) more like these")
    }
  }

  package var help: String? {
    switch self {
    case .cannotOpen(let path, ENOENT): localized("to make a new store: kura --create \"\(path)\"")
    case .noFolder(_, let folder): localized("make it first: mkdir -p \"\(folder)\"")
    case .cannotWrite(let path, ENOENT):
      localized(
        "there is no folder \"\(URL(fileURLWithPath: path).deletingLastPathComponent().path)\": make it first"
      )
    case .cannotOpen(_, let number), .cannotRead(_, let number), .cannotWrite(_, let number):
      number == EACCES ? localized("ask its owner for the right to it") : nil
    case .isDirectory: localized("name a file in it")
    case .nameOfOwnFile: localized("choose another name")
    case .otherFormat(_, let format): localized("name it \"\(format.jsonPath)\"")
    case .empty: localized("an empty list is written [], and a new store is made by kura --create")
    case .notUTF8(let encoding):
      encoding == "UTF-16"
        ? localized("convert it: iconv -f UTF-16 -t UTF-8") : localized("unpack it: gzip -dc")
    case .syntax(let error): error.isNoJSON ? error.kind.otherKind : error.kind.help
    case .unknownFormat: localized("a newer Kura may read it")
    case .unknownTimeZone: localized("write its name, as in \"Asia/Tokyo\"")
    case .unknownKey(let key):
      didYouMean(nearNames(to: key, among: StoreFacts.keys))
        ?? localized("its keys are \(StoreFacts.keys.joined(separator: ", "))")
    case .notAnObject(let key):
      StoreFacts.form(of: key)
    case .unknownEntity(let entity, let known):
      didYouMean(nearNames(to: entity, among: known))
        ?? (known.isEmpty ? nil : localized("its entities are \(known.list)"))
    case .row(let fault): fault.help
    case .noModel: localized("an empty one is {\"entities\": {}}")
    case .modelBehindObjects: localized("or write it to a file first: a file is read in any order")
    case .exists, .badNextObjectID, .moreProblems: nil
    }
  }

  private static let keys = [
    "format", "timezone", "model", "nextObjectID", "objects", "userInfo",
  ]

  private static func form(of key: String) -> String {
    switch key {
    case "objects": localized("it is an object: {\"Entity\": [{…}, {…}]}")
    case "nextObjectID": localized("it is an object: {\"Entity\": 18}")
    default: localized("its rows stand in a list: [{…}, {…}]")
    }
  }
}

extension RowFault {
  /// `Item/5`, or `the 3rd row of Item` where it has no number.
  private var owner: String {
    objectID.map { "\(entity)/\($0)" } ?? localized("row \(row) of \(entity)")
  }

  var sentence: String {
    let key = key.map(quoted) ?? ""
    return switch kind {
    case .unknownKey: localized("\(entity) has no key \(key) (in \(owner))")
    case .mismatch(let type, let found):
      localized("\(owner): \(key) is \(type), and this is \(found)")
    case .notAnObject: localized("row \(row) of \(entity) is no object")
    case .missing: localized("\(owner) has no value for \(key), which is not optional")
    case .duplicateObjectID: localized("the objectID of \(owner) is there twice")
    case .dangling(let number, let destination):
      localized("\(owner): \(key) leads to \(destination)/\(number), which is not there")
    case .contradiction(let other): localized("\(owner): \(key) contradicts \(other), its inverse")
    case .abstract: localized("\(entity) is abstract and has no objects of its own")
    case .twice(let number, let destination):
      localized("\(owner): \(key) has \(destination)/\(number) twice")
    }
  }

  var help: String? {
    switch kind {
    case .unknownKey(let known): key.flatMap { didYouMean(nearNames(to: $0, among: known)) }
    case .missing: localized("give it a value, or make the attribute optional in the model")
    case .notAnObject: localized("a row is an object: {\"key\": value}")
    case .duplicateObjectID: localized("leave out one of the two, and it gets a free number")
    case .contradiction: localized("write one side and leave out the key of the other")
    case .abstract: localized("put them under one of its subentities")
    case .mismatch(AttributeType.date.rawValue, let found): dateProblem(in: found)
    case .mismatch, .dangling, .twice: nil
    }
  }
}

/// Why a JSON string is no date, if it is written like one: there is no such day.
private func dateProblem(in json: String) -> String? {
  guard json.count > 2, json.hasPrefix("\""), json.hasSuffix("\"") else { return nil }
  do {
    _ = try Timestamp(String(json.dropFirst().dropLast()), in: .utc)
    return nil
  } catch {
    return error.sentence
  }
}

extension JSONSyntaxError {
  /// Whether not even its first byte is JSON: then it is something else, and not a broken one.
  fileprivate var isNoJSON: Bool {
    guard offset == 0 else { return false }
    switch kind {
    case .unexpectedByte, .invalidUTF8, .controlCharacter, .badNumber: return true
    case .unexpectedEnd, .unclosedString, .badEscape, .loneSurrogate, .numberTooLarge,
      .tooManyDigits,
      .duplicateKey, .tooManyKeys, .tooDeep, .trailing:
      return false
    }
  }
}

extension JSONSyntaxError.Kind {
  /// What the file is by its first byte, and how JSON is made of it.
  fileprivate var otherKind: String {
    switch self {
    case .unexpectedByte(UInt8(ascii: "<"), _):
      localized("it begins like HTML or XML: was a page saved in the place of the data?")
    case .unexpectedByte(let byte, _) where byte >= 0x20 && byte < 0x7F:
      localized("Kura reads JSON: make some of CSV first, and give scripts by -f FILE")
    default: localized("it is not text, perhaps an archive or a picture")
    }
  }

  /// What is wrong with the bytes.
  var sentence: String {
    switch self {
    case .unexpectedEnd: localized("the JSON ends in the middle")
    case .unexpectedByte(let byte, let expected):
      localized("\(expected.name) is expected, not \(name(byte))")
    case .unclosedString: localized("the string is not closed")
    case .controlCharacter(let byte): localized("\(name(byte)) must be escaped in a string")
    case .invalidUTF8: localized("these bytes are not UTF-8")
    case .badEscape: localized("there is no such escape in JSON")
    case .loneSurrogate: localized("half of a surrogate pair is no character")
    case .badNumber: localized("this is no number of JSON")
    case .numberTooLarge: localized("the number is beyond what 64 bits hold")
    case .tooManyDigits: localized("an integer has at most 38 digits")
    case .duplicateKey(let key): localized("the key \"\(key)\" is there twice")
    case .tooManyKeys(let limit): localized("there are more than \(limit) different keys")
    case .tooDeep(let limit): localized("more than \(limit) brackets are open")
    case .trailing: localized("something stands behind the end of the JSON")
    }
  }

  var help: String? {
    switch self {
    case .unexpectedEnd: localized("the file may have been cut off: get it again")
    case .invalidUTF8: localized("convert the file, as by iconv -f SHIFT_JIS -t UTF-8")
    case .badNumber: localized("write 0.5, 1.0, -3, 1e9")
    case .controlCharacter(0x0A), .controlCharacter(0x0D):
      localized("is the closing quote missing?")
    case .unexpectedByte(UInt8(ascii: "'"), _): localized("JSON has double quotes: \"x\"")
    case .unexpectedByte(_, .key), .unexpectedByte(_, .keyOrEnd):
      localized("a key stands in double quotes: \"title\"")
    case .tooManyDigits: localized("in quotes it is a text, which keeps all digits")
    case .badEscape: localized("escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")
    case .unexpectedByte, .unclosedString, .controlCharacter, .loneSurrogate, .numberTooLarge,
      .duplicateKey, .tooManyKeys, .tooDeep, .trailing:
      nil
    }
  }

  private func name(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A, 0x0D: localized("a line break")
    case 0x09: "a TAB"
    case 0..<0x20, 0x7F: localized("a control character")
    case 0x20..<0x7F: "\"\(Character(UnicodeScalar(byte)))\""
    default: localized("this")
    }
  }
}

extension JSONSyntaxError.Expectation {
  var name: String {
    switch self {
    case .value: localized("a value")
    case .key: localized("a key in quotes")
    case .keyOrEnd: localized("a key in quotes or \"}\"")
    case .colon: "\":\""
    case .commaOrArrayEnd: localized("\",\" or \"]\"")
    case .commaOrObjectEnd: localized("\",\" or \"}\"")
    }
  }
}
