import KuraDiagnostics

/// `kura check CASES.tsv …`
package struct CaseTables {
  private let files: [String]
  private let surroundings: Surroundings

  package init(_ files: [String], _ surroundings: Surroundings) {
    self.files = files
    self.surroundings = surroundings
  }

  /// Prints each case that fails, then how many passed and failed, and says whether all passed.
  package func check() -> ExitStatus {
    let results = surroundings.results
    var tally = CaseTally()
    do {
      for file in files {
        let table = CaseTable(try surroundings.readFile(file), name: file)
        try table.check(&tally) { try results.append($0 + "\n") }
      }
      try results.append(tally.line + "\n")
      try results.flush()
    } catch is ClosedOutput {
      return tally.failed > 0 ? .statementFailed : .done
    } catch {
      try? results.flush()
      surroundings.report(Failure(error).rendered(in: nil, style: surroundings.style) + "\n")
      return .storeFailed
    }
    return tally.failed > 0 ? .statementFailed : .done
  }
}
