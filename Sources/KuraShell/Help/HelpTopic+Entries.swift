import KuraPredicates
import KuraRendering
import KuraScript

extension HelpTopic {
  init(_ statement: StatementSyntax) {
    self.init(name: statement.name, summary: statement.summary) {
      "\(statement.synopsis)\n\n  \(statement.summary)\n\n  Example: \(statement.example)\n"
    }
  }

  init(_ setting: Setting) {
    self.init(name: setting.name, summary: setting.summary) {
      let details = setting.details.split(separator: "\n").map { "  \($0)\n" }.joined()
      let more = details.isEmpty ? "" : "\n\(details)"
      return "\(setting.synopsis)\n\n  \(setting.summary)\n\(more)"
    }
  }

  init(_ function: PredicateFunction) {
    self.init(name: function.names[0], summary: function.summary) {
      let mark = function.isOwn ? "\n  Kura's own: no Apple platform has it.\n" : ""
      let names = function.names.joined(separator: ", ")
      let example = "\(function.example.call) is \(function.example.result)"
      return "\(names)\n\n  \(function.summary)\n\n  Example: \(example)\n\(mark)"
    }
  }

  init(_ format: OutputFormat) {
    self.init(name: format.name, summary: format.help) {
      "\(format.name)\n\n  \(format.help)\n\n\(format.example)"
    }
  }
}

extension PredicateFunction {
  /// A line of `.help functions`.
  var line: (name: String, summary: String, example: String) {
    let mark = isOwn ? " (Kura)" : ""
    return (names[0], summary + mark + ":", "\(example.call) is \(example.result)")
  }
}
