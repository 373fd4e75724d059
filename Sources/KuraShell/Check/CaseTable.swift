import KuraDiagnostics
import KuraSentences

/// A file of test cases for predicates, with an object, a predicate and the expected result in
/// columns.
///
///     {"age": 42}	age == 42.0	true	numbers are equal by value
///     -	age ==	error
///     -	a = 1	= a == 1
package struct CaseTable {
  let name: String
  let cases: [PredicateCase]

  /// Reads the bytes of a file. Blank lines and lines that begin with `#` are skipped.
  package init(_ bytes: [UInt8], name: String) {
    self.name = name
    var cases: [PredicateCase] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (i, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !line.isEmpty, line.first != UInt8(ascii: "#") else { continue }
      cases.append(PredicateCase(line, number: i + 1))
    }
    self.cases = cases
  }
}

/// The number of cases that passed and that failed.
package struct CaseTally: Sendable {
  package var passed = 0
  package var failed = 0

  package init() {}

  /// `62 passed, 0 failed`
  package var line: String { localized("\(passed) passed, \(failed) failed") }
}

extension CaseTable {
  /// Tries all cases, and reports one or more lines for each that fails.
  package func check(_ tally: inout CaseTally, report: (String) throws -> Void) rethrows {
    for test in cases {
      guard let failure = test.failure() else {
        tally.passed += 1
        continue
      }
      tally.failed += 1
      try report("\(name):\(test.number): \(failure)")
    }
  }
}

/// `kura check CASES.tsv …`
package struct CaseTables {
  /// The format of a table, for the help of the command.
  package static var overview: String {
    localized(
      """
      Each line has columns separated by TABs: an object as JSON, or -; a predicate;
      the expected result: true, false, error, parses, or = and the predicate as Kura
      prints it; and an optional note.
      """)
  }

  private let files: [String]
  private let services: SystemServices

  package init(_ files: [String], _ services: SystemServices) {
    self.files = files
    self.services = services
  }

  /// Prints each case that fails and the totals; returns whether all passed as an exit status.
  package func check() -> ExitStatus {
    let results = services.results
    var tally = CaseTally()
    do {
      for file in files {
        let table = CaseTable(try services.readFile(file), name: file)
        try table.check(&tally) { try results.append($0 + "\n") }
      }
      try results.append(tally.line + "\n")
      try results.flush()
    } catch is ClosedOutput {
      return tally.failed > 0 ? .statementFailed : .done
    } catch {
      try? results.flush()
      services.report(Failure(error).rendered(in: nil, style: services.style) + "\n")
      return .storeFailed
    }
    return tally.failed > 0 ? .statementFailed : .done
  }
}
