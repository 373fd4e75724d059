import Foundation

// embed-lessons OUTPUT FILE …: writes the texts of files as Swift.

/// A text between marks that do not occur in it.
func literal(_ text: String) -> String {
  var marks = "#"
  while text.contains("\"\"\"" + marks) || text.contains("\\" + marks) { marks += "#" }
  return "\(marks)\"\"\"\n\(text)\n\"\"\"\(marks)"
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else {
  print("usage: embed-lessons OUTPUT FILE …")
  exit(64)
}
let entries = try arguments.dropFirst().map { path in
  let name = (path as NSString).lastPathComponent
  let text = try String(contentsOfFile: path, encoding: .utf8)
  return "EmbeddedFile(name: \"\(name)\", text: \(literal(text)))"
}
let swift = """
  /// The lessons and their stores, as they are in Examples.
  enum EmbeddedFiles {
    static let all: [EmbeddedFile] = [
  \(entries.joined(separator: ",\n"))
    ]
  }

  """
try swift.write(toFile: output, atomically: true, encoding: .utf8)
