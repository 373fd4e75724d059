import KuraDiagnostics
import KuraJSON
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

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

/// A line of a table of cases.
struct PredicateCase {
  let number: Int
  /// The columns as written.
  private let columns: [ArraySlice<UInt8>]

  init(_ line: ArraySlice<UInt8>, number: Int) {
    self.number = number
    columns = line.split(
      separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
  }

  /// The possible values of the third column.
  enum Expectation {
    /// `true`, `false`
    case truth(Bool)
    /// `error`: parsing, or evaluating the object, is an error
    case error
    /// `parses`
    case parses
    /// `= a == 1`: how the predicate prints
    case prints(String)

    init?(_ text: String) {
      switch text {
      case "true": self = .truth(true)
      case "false": self = .truth(false)
      case "error": self = .error
      case "parses": self = .parses
      default:
        guard text.hasPrefix("= ") else { return nil }
        self = .prints(String(text.dropFirst(2)))
      }
    }
  }
}

extension PredicateCase {
  /// Returns why the case fails; nil if it passes.
  func failure() -> String? {
    guard columns.count >= 3 else { return CaseSentences.fewColumns(columns.count) }
    let text = String(decoding: columns[1], as: UTF8.self)
    guard let expectation = Expectation(String(decoding: columns[2], as: UTF8.self)) else {
      return CaseSentences.unknownExpectation(String(decoding: columns[2], as: UTF8.self))
    }
    guard let object else { return CaseSentences.badObject }
    return failure(of: text, on: object, expectation)
  }

  private func failure(of text: String, on object: Value, _ expectation: Expectation) -> String? {
    do {
      let tree = try PredicateTree(parsing: text)
      switch expectation {
      case .parses: return nil
      case .prints(let wanted): return tree.failure(toPrint: wanted)
      case .truth(let wanted):
        let found = try tree.evaluate(value: object)
        return found == wanted ? nil : CaseSentences.wrong("\(wanted)", found: "\(found)", text)
      case .error:
        let found = try tree.evaluate(value: object)
        return CaseSentences.wrong(localized("an error"), found: "\(found)", text)
      }
    } catch {
      if case .error = expectation { return nil }
      return CaseSentences.error(expectation, error, in: text)
    }
  }

  /// The first column: JSON, or `-` for no object; nil if it is neither.
  private var object: Value? {
    if columns[0].elementsEqual([UInt8(ascii: "-")]) { return .null }
    return (try? JSONNode(reading: Array(columns[0]))).flatMap { try? Value(json: $0) }
  }
}

extension PredicateTree {
  fileprivate func failure(toPrint wanted: String) -> String? {
    description == wanted ? nil : CaseSentences.wrong(wanted, found: description, nil)
  }
}

/// The messages of `kura check` about a case that fails.
enum CaseSentences {
  static func fewColumns(_ count: Int) -> String {
    localized(
      "expected an object, a predicate and a result, separated by TABs, found \(counted(count, "column", "columns"))"
    )
  }

  static func unknownExpectation(_ text: String) -> String {
    localized(
      "expected true, false, error, parses or = TEXT in the third column, found \"\(text)\"")
  }

  static var badObject: String { localized("the first column is neither JSON nor -") }

  static func wrong(_ wanted: String, found: String, _ predicate: String?) -> String {
    let place = predicate.map { "\n  \($0)" } ?? ""
    return localized("expected \(wanted)\n  found \(found)\(place)")
  }

  static func error(
    _ expectation: PredicateCase.Expectation, _ error: any Error, in text: String
  ) -> String {
    let message = Failure(error).rendered(in: SourceText(text), style: .plain)
    return localized("expected \(expectation.text)\n  found ")
      + message.split(separator: "\n").joined(separator: "\n  ")
  }
}

extension PredicateCase.Expectation {
  fileprivate var text: String {
    switch self {
    case .truth(let truth): "\(truth)"
    case .error: localized("an error")
    case .parses: localized("a predicate that parses")
    case .prints(let text): text
    }
  }
}
