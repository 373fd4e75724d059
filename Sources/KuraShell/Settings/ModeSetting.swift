import KuraRendering
import KuraScript

extension Setting {
  static let mode = Setting(
    "mode", synopsis: ".mode [FORMAT]", summary: "how results are written",
    details: "Formats: \(OutputFormat.all.map(\.name).joined(separator: ", ")).", arguments: 0...1
  ) { session, call in
    guard let name = call.argument else {
      return session.report(Report.setting("mode", session.state.format.name))
    }
    guard let format = OutputFormat.named(name.text) else {
      throw Failure(ShellFacts.unknownFormat(name.text), at: name.span)
    }
    session.state.format = format
  }
}
