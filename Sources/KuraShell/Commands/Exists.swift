import KuraDiagnostics
import KuraFetch
import KuraScript

extension Session {
  /// `exists MemoDate where …`: `true` or `false` in every format.
  func showExistence(_ fetch: FetchStatement, in source: SourceText) throws {
    try read(source) { snapshot, environment in
      try write("\(try fetch.request.bound(to: snapshot, environment).exists())\n")
    }
  }
}
