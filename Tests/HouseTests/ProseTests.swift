import Foundation
import KuraLessons
import Testing

/// Comments and pages say who does what, in plain words: these phrases have a plain form, and none is needed.
@Suite("The prose")
struct ProseTests {
  /// Each phrase, and what to write.
  static let phrases: [(pattern: String, plain: String)] = [
    (
      #"(^|[.:] )Who (has|is|asks|wants|gives|looks|reads|writes)\b"#,
      "name the thing: A context that has…"
    ),
    (#"(^|[.:] )(Of which|Of whom|Whatever is)\b"#, "name the thing"),
    (#"\bstands? (behind|beside)\b"#, "follows, is next to"),
    (#"\blies behind\b"#, "is after"), (#"\bto be had\b"#, "available"), (#"\bis had\b"#, "exists"),
    (#"\bwhere (somebody|nobody)\b"#, "if the user"), (#"\b(is|are) said of\b"#, "is reported for"),
    (#"\b(is|are) told of\b"#, "is reported"), (#"\bwhat stands\b"#, "the text, the value"),
    (#"\bcomes of it\b"#, "results"), (#"\bis asked of\b"#, "is evaluated for"),
    (#"\bknows better\b"#, "name the case"), (#"\bis made of it\b"#, "is created from it"),
    (#"\bgoes on behind\b"#, "continues after"),
    (#"\bwhoever (has|asks|keeps|reads|holds)\b"#, "name the caller"),
    (#"\bis none, nil\b"#, "is nil"),
    (#"\bfor whoever\b"#, "for users who"), (#"\bas it stands\b"#, "unchanged"),
  ]

  @Test("has no phrase that must be read twice", arguments: phrases.indices)
  func plain(place: Int) throws {
    let (pattern, plain) = Self.phrases[place]
    let expression = try Regex(pattern).ignoresCase()
    for (file, line, text) in Self.lines where text.contains(expression) {
      Issue.record("\(file):\(line): \(text) Write: \(plain)")
    }
  }

  /// The comments of the code, and the lines of the pages outside blocks.
  private static let lines: [(file: String, line: Int, text: String)] = {
    var found: [(String, Int, String)] = []
    for file in PackageFolder.files(suffixes: ".swift")
    where !file.path.hasPrefix("Examples/") && file.path != "Tests/HouseTests/ProseTests.swift" {
      guard let text = try? file.text() else { continue }
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let line = line.trimmingCharacters(in: .whitespaces)
        guard line.hasPrefix("//") else { continue }
        let comment = line.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces)
        found.append((file.path, number + 1, comment))
      }
    }
    for file in PackageFolder.files(suffixes: ".md") where file.isPage {
      guard let text = try? file.text() else { continue }
      found += MarkdownDocument(text).prose.map { (file.path, $0.number, String($0.text)) }
    }
    return found
  }()
}

extension PackageFolder.File {
  /// Whether it is a page of the manual in English, or a description of the sources.
  fileprivate var isPage: Bool {
    !path.hasSuffix(".ja.md")
      && (path.hasPrefix("Documentation/")
        || ["README.md", "Sources/README.md", "Benchmarks/README.md"].contains(path))
  }
}
