import KuraShell
import LineEditor

/// Connects the editor's hooks with the session's help for typing.
final class Typing {
  var aid: TypingAid?
  private let usesColor: Bool

  init(usesColor: Bool) { self.usesColor = usesColor }

  var hooks: EditorHooks {
    var hooks = EditorHooks()
    if !usesColor { hooks.styles = .plain }
    hooks.highlight = { [unowned self] text, cursor in
      (aid?.styles(text, cursor: cursor) ?? []).map { StyledSpan($0.range, style: $0.style) }
    }
    hooks.hint = { [unowned self] in aid?.hint($0) ?? "" }
    hooks.hintsHistory = { [unowned self] in aid?.hintsHistory ?? false }
    hooks.hasFailed = { [unowned self] in aid?.hasFailed($0) ?? false }
    hooks.page = { [unowned self] in aid?.page($0) ?? false }
    hooks.notice = { [unowned self] in aid?.notice($0, cursor: $1) ?? "" }
    hooks.help = { [unowned self] in aid?.help($0, cursor: $1) ?? "" }
    hooks.corrected = { [unowned self] in aid?.corrected }
    hooks.edit = { [unowned self] in aid?.edited($0) }
    hooks.complete = { [unowned self] in completions($0, $1) }
    return hooks
  }

  private func completions(_ text: String, _ cursor: Int) -> Completions? {
    guard let aid, aid.completes else { return nil }
    let found = aid.choices(text, at: cursor)
    return Completions(
      start: found.start,
      items: found.all.map { Completion($0.text, label: $0.label, meaning: $0.meaning) })
  }
}
