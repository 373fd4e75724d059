import Foundation
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
      // A message names a line and a column too.
      let path = mention.path.replacing(/(:\d+)+:?$/, with: "")
        .trimmingCharacters(in: CharacterSet(charactersIn: ".:/"))
      let isThere = PackageFolder.exists(mention.path) || PackageFolder.exists(path)
      #expect(isThere, "\(file):\(mention.line): \(mention.path)")
    }
  }
}
