package import KuraBytes
import KuraDiagnostics
import KuraSentences

extension WorkProgress {
  /// Returns progress that is shown as a line of a terminal.
  ///
  /// `show` receives a function that gives the text for a number of columns, and decides whether
  /// and when to draw it.
  package static func line(
    _ show: @escaping @Sendable ((_ columns: Int) -> String) -> Void,
    _ erase: @escaping @Sendable () -> Void
  ) -> WorkProgress {
    WorkProgress(report: { moment in show { moment.text(columns: $0) } }, end: erase)
  }
}

extension WorkProgress.Moment {
  /// Returns `loading todo.json: 43 %, 88 of 205 MB`.
  ///
  /// If that is too wide, the name loses its beginning, and then is left out.
  func text(columns: Int) -> String {
    let measure = ProgressText.measure(self)
    let verb = ProgressText.verb(work)
    let width = DisplayWidth()
    let room = columns - width.cells(verb) - width.cells(measure) - 3
    let name = shortened(work.name, to: room, width)
    let text = name.isEmpty ? measure : "\(verb) \(name): \(measure)"
    return width.cells(text) <= columns ? text : ""
  }

  private func shortened(_ name: String, to room: Int, _ width: DisplayWidth) -> String {
    if width.cells(name) <= room { return name }
    var rest = Substring(name)
    while !rest.isEmpty, width.cells(String(rest)) > room - 1 { rest = rest.dropFirst() }
    return rest.isEmpty ? "" : "…\(rest)"
  }
}

extension WorkProgress.Work {
  fileprivate var name: String {
    switch self {
    case .loading(let name), .fetching(let name): VisibleText.of(name)
    }
  }
}

/// The words of a progress line.
private enum ProgressText {
  static func verb(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: localized("loading")
    case .fetching: localized("fetching")
    }
  }

  /// Returns `43 %, 88 of 205 MB`; for a pipe `88 MB`.
  static func measure(_ moment: WorkProgress.Moment) -> String {
    let done = amount(moment.done, moment.work)
    guard let total = moment.total, total > 0 else { return "\(done) \(unit(moment.work))" }
    let percent = min(100, Int(Double(moment.done) / Double(total) * 100))
    return localized("\(percent) %, \(done) of \(amount(total, moment.work)) \(unit(moment.work))")
  }

  private static func amount(_ count: Int, _ work: WorkProgress.Work) -> Int {
    switch work {
    case .loading: count / 1_000_000
    case .fetching: count
    }
  }

  private static func unit(_ work: WorkProgress.Work) -> String {
    switch work {
    case .loading: "MB"
    case .fetching: localized("rows")
    }
  }
}
