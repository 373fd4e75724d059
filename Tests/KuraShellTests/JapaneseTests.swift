import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences
import Testing

@testable import KuraShell

@Suite("In Japanese")
struct JapaneseTests {
  @Test("errors are explained without English", arguments: try FixCase.all)
  func mistakes(_ testCase: FixCase) throws {
    let problem = try #require(testCase.problem)
    Language.japanese.speaks {
      for output in [problem.facts.sentence, problem.facts.help].compactMap(\.self) {
        #expect(output.englishWords == [], "\(output)")
      }
      #expect(
        problem.rendered(in: SourceText(testCase.mistake)).contains("エラー: ") == true
          || problem.severity != .error)
    }
  }

  @Test("every script is answered without English", arguments: try ShellTranscript.all)
  func scripts(_ transcript: ShellTranscript) throws {
    let folder = try TestFolder()
    let (output, _) = folder.run(transcript.script) {
      transcript.prepare(&$0, folder)
      $0.language = .japanese
      $0.continuesAfterErrors = true
    }
    for line in output.split(separator: "\n") where line.isMessage {
      #expect(String(line).englishWords == [], "\(line)")
    }
    #expect(!output.contains("error: ") && !output.contains("did you mean"))
  }

  @Test("statements, settings, formats and topics have translations")
  func summaries() {
    let summaries =
      StatementCatalog.all.map(\.summary) + Setting.all.map(\.summary)
      + OutputFormat.all.map(\.help) + OperatorHelp.all.map(\.summary)
      + ClauseHelp.all.map(\.summary) + ConceptHelp.all.flatMap { [$0.summary, $0.meaning] }
      + FunctionCatalogue.all.map(\.summary) + HelpTopic.lists.map(\.summary)
    for summary in summaries where summary.contains(#/[a-z]{2,}/#) {
      expectWords(of: summary) { summary.localized }
    }
    for setting in Setting.all {
      let english = setting.details.text
      if !english.isEmpty { expectWords(of: english) { setting.details.text } }
    }
  }

  private func expectWords(of english: String, _ japanese: () -> String) {
    Language.japanese.speaks {
      #expect(japanese() != english, "\(english)")
      #expect(japanese().contains { $0.isJapanese }, "\(english)")
    }
  }

  @Test("help has the same topics, and examples that run")
  func help() throws {
    let folder = try TestFolder()
    var launch = Launch()
    launch.language = .japanese
    let session = try Session(launch, folder.services)
    // The word URI has no translation.
    for topic in HelpTopic.all where topic.name != "uri" {
      let text = try #require(session.help(for: topic.name))
      #expect(text.contains { $0.isJapanese }, "\(topic.name)")
      #expect(!text.contains("エラー: "), "\(text)")
      #expect(!text.contains("Example: ") && !text.contains("See also"), "\(text)")
    }
  }

  @Test("results for programs are the same")
  func programs() throws {
    let script = """
      fetch MemoDate limit 2
      trace MemoDate/1 where title CONTAINS "父" AND notifiable == NO
      steps fetch MemoDate where title CONTAINS "父" OR cost == nil
      compare MemoDate where cost != 1 with NOT cost == 1
      explain fetch MemoDate where title CONTAINS "父" sort date
      show fetch MemoDate where title CONTAINS "父" as tree
      """
    for format in OutputFormat.all where !format.isForPeople {
      let output = try [Language.english, .japanese].map { language in
        let folder = try TestFolder()
        return folder.run(script) {
          $0.format = format
          $0.language = language
        }.output
      }
      #expect(output[0] == output[1], "\(format.name)")
    }
  }

  @Test(".language changes messages from the next statement on, in one session only")
  func changes() throws {
    let folder = try TestFolder()
    let output = folder.run("print 1 +\n.language ja\nprint 1 +\n.language en\nprint 1 +") {
      $0.continuesAfterErrors = true
    }.output
    let lines = output.split(separator: "\n").filter { $0.contains("script.kura:") }
    #expect(lines.map { $0.contains("エラー: ") } == [false, true, false])
    #expect(Language.current == .english)
  }

  @Test("an answer may be Japanese, too")
  func answers() {
    #expect(Answer("はい") == .yes)
    #expect(Answer("いいえ") == .no)
    #expect(Answer("ｙ") == .yes)
  }
}

extension Substring {
  /// Whether it is a message, and not part of a result or of a quoted text below it.
  fileprivate var isMessage: Bool {
    contains(#/(エラー|警告|補足|修正|または): /#) || !contains(/[│┌└├]/) && contains { $0.isJapanese }
  }
}

extension Character {
  /// Whether it is kana, kanji, or a punctuation mark of Japanese.
  fileprivate var isJapanese: Bool {
    unicodeScalars.first.map { (0x3001...0x9FFF).contains($0.value) } ?? false
  }
}

extension String {
  private static let joiners: Set<String> = [
    "the", "is", "are", "has", "have", "this", "that", "there", "expected", "found", "cannot",
    "was", "were", "needs", "refers", "requires",
  ]

  /// Words of English sentences, except names, quotes and code.
  fileprivate var englishWords: [String] {
    let words = replacing(/「[^」]*」/, with: "").replacing(/"[^"]*"/, with: "")
    let parts = words.split { !$0.isLetter && !$0.isNumber && !"._@$#-".contains($0) }
    return parts.map(String.init).filter(Self.joiners.contains)
  }
}
