import Foundation
import KuraLessons
import Testing

@Suite("The documents")
struct DocumentTests {
  static let files = PackageFolder.files(suffixes: ".md")

  @Test func areThere() { #expect(!Self.files.isEmpty) }

  @Test("link to files that exist", arguments: files)
  func linksLead(file: PackageFolder.File) throws {
    let folder = (file.path as NSString).deletingLastPathComponent
    for link in MarkdownDocument(try file.text()).links {
      let path = (folder as NSString).appendingPathComponent(link.path)
      #expect(PackageFolder.exists(path), "\(file):\(link.line): \(link.path)")
    }
  }

  @Test("name files that exist", arguments: files)
  func pathsExist(file: PackageFolder.File) throws {
    for mention in MarkdownDocument(try file.text()).paths {
      // A message also names a line and a column.
      let path = mention.path.replacing(/(:\d+)+:?$/, with: "")
        .trimmingCharacters(in: CharacterSet(charactersIn: ".:/"))
      let isThere = PackageFolder.exists(mention.path) || PackageFolder.exists(path)
      #expect(isThere, "\(file):\(mention.line): \(mention.path)")
    }
  }

  /// The release's tag, `kura --version` and the first entry of the changelog have the same number.
  @Test func beginTheChangesWithTheVersion() throws {
    let changes = try #require(Self.files.first { $0.path == "CHANGELOG.md" }).text()
    let version = try #require(changes.firstMatch(of: /\n## (\d+\.\d+\.\d+)(?:, not released)?\n/))
    let launch = PackageFolder.files(in: "Sources/KuraShell/Launch", suffixes: "Launch.swift")
    #expect(
      try #require(launch.first).text().contains("static let current = \"\(version.output.1)\""))
  }

  /// The description of the sources only names existing types and members: `FetchTree.bound`,
  /// `Checked<CheckedFetch>`
  @Test func ofTheSourcesNameTypesAndMembersThatExist() throws {
    let tour = try #require(Self.files.first { $0.path == "Sources/README.md" }).text()
    let declared = try Self.declaredNames()
    var count = 0
    for name in tour.matches(of: /`([A-Z][a-z][A-Za-z]*)(?:\.([a-z][A-Za-z]*))?(?:<[^`]*>)?`/) {
      let (type, member) = (String(name.output.1), name.output.2.map { String($0) })
      if type == "Encodable" || member == "swift" { continue }
      #expect(declared.contains(type), "\(name.output.0)")
      #expect(member.map(declared.contains) ?? true, "\(name.output.0)")
      count += 1
    }
    #expect(count > 60)
  }

  /// Returns the names of types, members and modules.
  private static func declaredNames() throws -> Set<String> {
    var names: Set<String> = ["LineEditor"]
    let keywords: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
    for folder in ["Sources", "Tests"] {
      for file in PackageFolder.files(in: folder, suffixes: ".swift") {
        let words = try file.text().utf8.split { !UnicodeScalar($0).properties.isAlphabetic }
          .map { String(Substring($0)) }
        for (word, name) in zip(words, words.dropFirst()) where keywords.contains(word) {
          names.insert(name)
        }
      }
    }
    return names
  }
}
