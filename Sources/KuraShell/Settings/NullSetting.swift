import KuraModel
import KuraScript

extension Setting {
  static let null = Setting(
    "null", synopsis: ".null [TEXT]",
    summary: "what stands for null in table, list and markdown", arguments: 0...1
  ) { session, call in
    guard let text = call.argument else {
      let shown = StatementText.string(session.state.nullText)
      return session.report(Report.setting("null", shown))
    }
    session.state.nullText = text.text
  }
}
