import CLessons
package import KuraDiagnostics
package import KuraSentences

/// A file that is embedded in the program.
struct EmbeddedFile: Sendable {
  let name: String
  let text: String

  /// The lessons and their stores, from the folder Examples.
  static let all: [EmbeddedFile] = (0..<kura_embedded_file_count()).map { index in
    let file = kura_embedded_file_at(index)
    let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
    return EmbeddedFile(
      name: String(cString: file.name), text: String(decoding: bytes, as: UTF8.self))
  }
}

/// The lessons of Kura, and their stores.
package enum LessonLibrary {
  /// Returns the lessons in a language, in order; in English if there is no translation.
  package static func lessons(in language: Language) -> [Lesson] {
    names.compactMap { name in
      let own = language == .english ? name : "\(name).\(language.rawValue)"
      return lesson(own) ?? lesson(name)
    }.sorted { $0.number < $1.number }
  }

  /// The problems of Kura's own lessons; a test checks that there are none.
  package static var problems: [Diagnostic] {
    lessonFiles.flatMap { file -> [Diagnostic] in
      do throws(LessonProblems) {
        _ = try LessonReader.read(file.text, file: file.name)
        return []
      } catch { return error.diagnostics }
    }
  }

  /// Returns the bytes of a store of Kura's lessons.
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

  /// The names without the language: `06-nil`
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
