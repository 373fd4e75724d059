import KuraDiagnostics
import KuraFetch
import KuraScript

extension Session {
  /// `count MemoDate where …`: the bare number in every format.
  func showCount(_ fetch: FetchStatement, in source: SourceText) throws {
    try read(source) { snapshot, environment in
      try write("\(try fetch.request.bound(to: snapshot, environment).count())\n")
    }
  }
}
