import CLessons
package import KuraDiagnostics
package import KuraSentences

/// A file that is in the program.
struct EmbeddedFile: Sendable {
  let name: String
  let text: String

  /// The lessons and their stores, as they are in Examples.
  static let all: [EmbeddedFile] = (0..<kura_embedded_file_count()).map { index in
    let file = kura_embedded_file_at(index)
    let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
    return EmbeddedFile(
      name: String(cString: file.name), text: String(decoding: bytes, as: UTF8.self))
  }
}

/// The lessons that come with Kura, and the stores that they are about.
package enum LessonLibrary {
  /// In their order, in a language; one that has not been translated is there in English.
  package static func lessons(in language: Language) -> [Lesson] {
    names.compactMap { name in
      let own = language == .english ? name : "\(name).\(language.rawValue)"
      return lesson(own) ?? lesson(name)
    }.sorted { $0.number < $1.number }
  }

  /// What is wrong with the lessons that come with Kura: nothing, and a test holds it.
  package static var problems: [Diagnostic] {
    lessonFiles.flatMap { file -> [Diagnostic] in
      do throws(LessonProblems) {
        _ = try LessonReader.read(file.text, file: file.name)
        return []
      } catch { return error.diagnostics }
    }
  }

  /// The bytes of a store that comes with Kura.
  package static func store(named name: String) -> [UInt8]? {
    EmbeddedFile.all.first { $0.name == name }.map { Array($0.text.utf8) }
  }

  /// `MemoDates.json`
  package static var storeNames: [String] {
    EmbeddedFile.all.map(\.name).filter { $0.hasSuffix(".json") }
  }

  /// The names of all files, lessons and stores.
  package static var fileNames: [String] { EmbeddedFile.all.map(\.name) }

  private static let lessonFiles = EmbeddedFile.all.filter { $0.name.hasSuffix(".md") }

  /// `06-nil`, without its language.
  private static var names: [String] {
    lessonFiles.map { String($0.name.dropLast(3)) }.filter { name in
      !Language.allCases.contains { name.hasSuffix(".\($0.rawValue)") }
    }
  }

  private static func lesson(_ name: String) -> Lesson? {
    lessonFiles.first { $0.name == name + ".md" }.flatMap {
      try? LessonReader.read($0.text, file: $0.name)
    }
  }
}
