import Foundation
package import KuraDiagnostics
import KuraJSON
import KuraModel
import KuraSentences
import KuraValues

extension StoreProblem: DiagnosticFacts {
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
    case .exists(let path): localized("\"\(path)\" already exists")
    case .nameOfStoreFile(let path, let store):
      localized("\"\(path)\" is reserved for Kura's own files next to \"\(store)\"")
    case .otherFormat(let path, let format):
      localized(
        "\"\(path)\" is a file name for \(format.name), but a store is written as JSON")
    case .empty: localized("the input is empty; expected a store or JSON")
    case .notUTF8(let encoding): localized("this is \(encoding), not JSON in UTF-8")
    case .syntax(let error): error.isNoJSON ? localized("this is not JSON") : error.kind.sentence
    case .almostJSON(let error, let first, _):
      first.kind.sentence(first.text) ?? StoreProblem.syntax(error).sentence
    case .nothingToRepair: localized("no line of the input is JSON")
    case .lenientStore(let path):
      localized(
        "\(path.map(quoted) ?? localized("the input")) is a store, and --lenient reads only plain JSON"
      )
    case .storeAmongFiles(let path):
      localized(
        "\(path.map(quoted) ?? localized("the input")) is a store, and several files must be plain JSON"
      )
    case .unknownFormat(let found):
      localized("the format is \(found), but this Kura reads \"kura/1\"")
    case .unknownTimeZone(let found): localized("\(found) is not a time zone")
    case .unknownKey(let key): localized("a store has no key \"\(key)\"")
    case .notAnObject(let key): localized("the value of \"\(key)\" has the wrong type")
    case .badNextObjectID(let entity):
      localized("the next objectID of \"\(entity)\" is not a positive integer")
    case .unknownEntity(let entity, _): localized("the model has no entity \"\(entity)\"")
    case .noModel: localized("the store has no \"model\"")
    case .modelAfterObjects:
      localized("in a pipe, \"format\" and \"model\" must come before \"objects\"")
    case .row(let problem): problem.sentence
    case .moreProblems(let count): localized("and \(count) more like these")
    }
  }

  package var help: String? {
    switch self {
    case .cannotOpen(let path, ENOENT):
      didYouMean(SimilarFiles.paths(near: path))
        ?? localized("to create a new store: kura --create \"\(path)\"")
    case .noFolder(_, let folder): localized("create it first: mkdir -p \"\(folder)\"")
    case .cannotWrite(let path, ENOENT):
      localized(
        "there is no folder \"\(URL(fileURLWithPath: path).deletingLastPathComponent().path)\": create it first"
      )
    case .cannotOpen(_, let number), .cannotRead(_, let number), .cannotWrite(_, let number):
      number == EACCES ? localized("ask its owner for access") : nil
    case .isDirectory: localized("write the name of a file in the folder")
    case .nameOfStoreFile: localized("choose another name")
    case .otherFormat(_, let format): localized("name it \"\(format.jsonPath)\"")
    case .empty: localized("write [] for an empty list, or create a store with kura --create")
    case .notUTF8(let encoding):
      encoding == "gzip"
        ? localized("unpack it: gzip -dc") : localized("convert it: iconv -f \(encoding) -t UTF-8")
    case .syntax(let error): error.isNoJSON ? error.kind.otherKind : error.kind.help
    case .almostJSON(let error, let first, let path):
      first.help(error, path)
    case .nothingToRepair: localized("Kura reads JSON only; convert CSV first")
    case .lenientStore: localized("open it without --lenient")
    case .storeAmongFiles: localized("open the store alone: kura STORE 'fetch …'")
    case .unknownFormat: localized("a newer Kura may read it")
    case .unknownTimeZone: localized("write a name like \"Asia/Tokyo\"")
    case .unknownKey(let key):
      didYouMean(nearNames(to: key, among: StoreProblem.keys))
        ?? localized("its keys are \(StoreProblem.keys.list)")
    case .notAnObject(let key):
      StoreProblem.form(of: key)
    case .unknownEntity(let entity, let known):
      entityHelp(for: entity, among: known)
    case .row(let problem): problem.help
    case .noModel: localized("an empty model is {\"entities\": {}}")
    case .modelAfterObjects: localized("or write it to a file first: in a file, any order works")
    case .exists, .badNextObjectID, .moreProblems: nil
    }
  }

  private static let keys = [
    "format", "timezone", "model", "nextObjectID", "objects", "userInfo",
  ]

  private static func form(of key: String) -> String {
    switch key {
    case "objects": localized("it must be an object: {\"Entity\": [{…}, {…}]}")
    case "nextObjectID": localized("it must be an object: {\"Entity\": 18}")
    default: localized("its rows must be in a list: [{…}, {…}]")
    }
  }
}

extension RowProblem {
  /// `Item/5`, or `row 3 of Item` if the object has no number.
  private var owner: String {
    objectID.map { "\(entity)/\($0)" } ?? localized("row \(row + 1) of \(entity)")
  }

  var sentence: String {
    let key = key.map(quoted) ?? ""
    return switch kind {
    case .unknownKey: localized("\(entity) has no key \(key) (in \(owner))")
    case .mismatch(let type, let found):
      localized("\(owner): \(key) must be \(type), not \(found)")
    case .notAnObject: localized("row \(row + 1) of \(entity) is not an object")
    case .missing: localized("\(owner) has no value for \(key), which is not optional")
    case .duplicateObjectID: localized("the objectID of \(owner) is used twice")
    case .dangling(let number, let destination):
      localized("\(owner): \(key) refers to \(destination)/\(number), which does not exist")
    case .contradiction(let other): localized("\(owner): \(key) contradicts \(other), its inverse")
    case .abstract: localized("\(entity) is abstract and has no objects of its own")
    case .twice(let number, let destination):
      localized("\(owner): \(key) contains \(destination)/\(number) twice")
    case .repeatedKey(0): localized("\(owner) has the key \(key) twice; the last value counts")
    case .repeatedKey(let others):
      localized(
        "\(owner) has the key \(key) twice (the first of \(others + 1) places); the last value counts"
      )
    }
  }

  var help: String? {
    switch kind {
    case .unknownKey(let known): key.flatMap { didYouMean(nearNames(to: $0, among: known)) }
    case .missing: localized("give it a value, or make the attribute optional in the model")
    case .notAnObject: localized("a row is an object: {\"key\": value}")
    case .duplicateObjectID:
      localized("leave out one of the two; that object then gets a free number")
    case .contradiction: localized("write only one side, and leave out the key of the other")
    case .abstract: localized("move the objects to one of its subentities")
    case .mismatch(AttributeType.date.phrase, let found): dateProblem(in: found)
    case .mismatch, .dangling, .twice, .repeatedKey: nil
    }
  }
}

/// Returns the problem of a JSON string that looks like a date but names a day that does not exist.
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
  /// Whether even the first byte is not JSON: the input is another format, not damaged JSON.
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
  /// The kind of file that the first byte suggests, and what to do with it.
  fileprivate var otherKind: String {
    switch self {
    case .unexpectedByte(UInt8(ascii: "<"), _):
      localized("it begins like HTML or XML: was a web page saved instead of the data?")
    case .unexpectedByte(let byte, _) where byte >= 0x20 && byte < 0x7F:
      localized("Kura reads JSON only; convert CSV first, and run scripts with -f FILE")
    default: localized("it is not text; it may be an archive or a picture")
    }
  }

  var sentence: String {
    switch self {
    case .unexpectedEnd: localized("the JSON ends too early")
    case .unexpectedByte(let byte, let expected):
      localized("expected \(expected.name), found \(name(byte))")
    case .unclosedString: localized("the string is not closed")
    case .controlCharacter(let byte): localized("\(name(byte)) must be escaped in a string")
    case .invalidUTF8: localized("these bytes are not UTF-8")
    case .badEscape: localized("JSON does not have this escape")
    case .loneSurrogate: localized("half of a surrogate pair is not a character")
    case .badNumber: localized("this is not a JSON number")
    case .numberTooLarge: localized("the number does not fit in 64 bits")
    case .tooManyDigits: localized("an integer has at most 38 digits")
    case .duplicateKey(let key): localized("the key \"\(key)\" occurs twice")
    case .tooManyKeys(let limit): localized("there are more than \(limit) different keys")
    case .tooDeep(let limit): localized("brackets are nested more than \(limit) deep")
    case .trailing: localized("unexpected text after the end of the JSON")
    }
  }

  var help: String? {
    switch self {
    case .unexpectedEnd: localized("the file may be truncated: get it again")
    case .invalidUTF8: localized("convert the file, for example with iconv -f SHIFT_JIS -t UTF-8")
    case .badNumber: localized("write numbers like 0.5, 1.0, -3 or 1e9")
    case .controlCharacter(0x0A), .controlCharacter(0x0D):
      localized("is the closing quote missing?")
    case .unexpectedByte(UInt8(ascii: "'"), _): localized("JSON uses double quotes: \"x\"")
    case .unexpectedByte(_, .key), .unexpectedByte(_, .keyOrEnd):
      localized("put keys in double quotes: \"title\"")
    case .tooManyDigits: localized("put it in quotes: a string keeps all digits")
    case .badEscape: localized("escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")
    case .unexpectedByte, .unclosedString, .controlCharacter, .loneSurrogate, .numberTooLarge,
      .duplicateKey, .tooManyKeys, .tooDeep, .trailing:
      nil
    }
  }

  private func name(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A, 0x0D: localized("a line break")
    case 0x09: localized("a TAB")
    case 0x22: localized("a quotation mark")
    case 0..<0x20, 0x7F: localized("a control character")
    case 0x20..<0x7F: quoted(String(UnicodeScalar(byte)))
    default: localized("this character")
    }
  }
}

extension JSONSyntaxError.Expectation {
  var name: String {
    switch self {
    case .value: localized("a value")
    case .key: localized("a key in quotes")
    case .keyOrEnd: localized("a key in quotes or \"}\"")
    case .colon: quoted(":")
    case .commaOrArrayEnd: localized("\",\" or \"]\"")
    case .commaOrObjectEnd: localized("\",\" or \"}\"")
    }
  }
}

func reason(_ number: Int32) -> String { String(cString: strerror(number)).lowercased().localized }
