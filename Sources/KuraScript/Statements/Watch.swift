import KuraDiagnostics
import KuraPredicates

/// `watch fetch Item where done == NO as open`, `watch run Overdue(today()) follow`, `watch`
package struct WatchStatement: StatementTree {
  /// The fetch to watch; nil lists the watched fetches.
  package var subject: AnalyzedFetch?
  /// The name of its events.
  package var name: Name?
  /// `final`: the new result is shown instead of the events.
  package var isFinal = false
  /// `follow`: waits, and reads what other processes save.
  package var follows = false

  package var typedParts: [TypedPart] { subject?.typedParts ?? [] }
}

/// `unwatch open`, `unwatch all`
package enum UnwatchStatement: StatementTree {
  case one(Name)
  case all
}

extension StatementSyntax {
  static let watch = StatementSyntax(
    "watch",
    synopsis: "watch FETCH [as NAME] [final] [follow]\nwatch run NAME(EXPR, …) …\nwatch",
    summary: "watches a fetch: shows after each step how its result changed",
    example: "watch fetch MemoDate where notifiable == YES sort date as bells"
  ) { parser throws(SyntaxError) in
    try parser.readWatch()
  }

  static let unwatch = StatementSyntax(
    "unwatch", synopsis: "unwatch NAME\nunwatch all", summary: "stops watching a fetch",
    example: "unwatch all"
  ) { parser throws(SyntaxError) in
    parser.noteWatched()
    if parser.takeWord("all") != nil { return UnwatchStatement.all }
    return UnwatchStatement.one(try parser.takeName(.watched))
  }
}

extension StatementParser {
  fileprivate func readWatch() throws(SyntaxError) -> WatchStatement {
    predicates.expectAtEnd(.words(["fetch", "run"]))
    guard optional.end == nil, !optional.is(.semicolon) else { return WatchStatement() }
    var watch = WatchStatement(subject: try readAnalyzedFetch(until: ["as", "final", "follow"]))
    while true {
      if watch.name == nil, takeWord("as") != nil {
        watch.name = try takeName(.watchName)
      } else if !watch.isFinal, takeWord("final") != nil {
        watch.isFinal = true
      } else if !watch.follows, takeWord("follow") != nil {
        watch.follows = true
      } else {
        return watch
      }
    }
  }

  fileprivate func noteWatched() { predicates.expectAtEnd(.words(["all"])) }
}
