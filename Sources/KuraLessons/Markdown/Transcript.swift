/// A block that shows input and output.
package enum Transcript: Equatable, Sendable {
  /// Commands of the system's shell, each with its output.
  ///
  ///     $ Scripts/kura Examples/MemoDates/MemoDates.json 'count MemoDate'
  ///     10
  case console([Step])
  /// Statements, fed to one run of kura as a script, and all of its output.
  ///
  ///     kura> fetch MemoDate
  ///     ....>   limit 1
  case session(script: [String], output: [String], store: String?)

  package struct Step: Equatable, Sendable {
    package var command: String
    package var output: [String] = []

    package init(command: String, output: [String] = []) {
      self.command = command
      self.output = output
    }
  }

  /// The store of a session whose block does not name one.
  package static let usualStore = "Examples/MemoDates/MemoDates.json"

  /// Reads a block; nil if it is in another language, or has the attribute `norun`.
  package init?(_ block: MarkdownDocument.Block) {
    guard block.attributes["norun"] == nil else { return nil }
    switch block.language {
    case "console": self = .console(Self.steps(block.lines))
    case "kura": self = Self.session(block)
    default: return nil
    }
  }

  private static func steps(_ lines: [String]) -> [Step] {
    var steps: [Step] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if let last = steps.indices.last {
        steps[last].append(line)
      }
    }
    return steps
  }

  private static func session(_ block: MarkdownDocument.Block) -> Transcript {
    var script: [String] = []
    var output: [String] = []
    for line in block.lines {
      if let typed = typed(line) { script.append(typed) } else { output.append(line) }
    }
    let store = block.attributes["store"] ?? usualStore
    return .session(script: script, output: output, store: store == "none" ? nil : store)
  }

  /// Returns the text after a prompt: `kura> `, `....> ` or ` ...> `.
  package static func typed(_ line: String) -> String? {
    guard let end = line.firstIndex(of: ">") else { return nil }
    let prompt = line[..<end]
    let isPrompt =
      prompt == "kura" || (prompt.count == 4 && prompt.allSatisfy { ". ".contains($0) })
    guard isPrompt, prompt != "    " else { return nil }
    let text = line[line.index(after: end)...]
    return String(text.hasPrefix(" ") ? text.dropFirst() : text)
  }
}

extension Transcript.Step {
  /// Adds a line: after `\` to the command, otherwise to its output.
  mutating func append(_ line: String) {
    if output.isEmpty, command.hasSuffix("\\") {
      command += "\n" + line
    } else {
      output.append(line)
    }
  }
}
