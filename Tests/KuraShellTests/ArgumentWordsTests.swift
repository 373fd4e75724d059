import KuraSentences
import Testing

@testable import KuraShell

@Suite("What the argument parser says")
struct ArgumentWordsTests {
  @Test(
    "is said in Japanese",
    arguments: [
      (
        "Error: Unknown option '--foo'. Did you mean '--format'?\nUsage: kura [<options>]\n  See 'kura --help' for more information.",
        "エラー: --fooというオプションはありません。--formatではありませんか。\n使い方: kura [<options>]\n  詳しくはkura --helpをご覧ください。"
      ),
      (
        "Error: The value 'blue' is invalid for '--color <color>'. Please provide one of 'auto', 'always' or 'never'.\nHelp:  --color <color>  x",
        "エラー: --color <color>にblueは指定できません。'auto'、'always'、'never'のいずれかを指定してください。\n説明:  --color <color>  x"
      ),
      ("Error: Missing value for '--format <format>'", "エラー: --format <format>の値がありません"),
      ("Error: 2 unexpected arguments: 'a', 'b'", "エラー: 余分な引数が2個あります：a、b"),
      ("Error: a sentence of our own", "エラー: a sentence of our own"),
      (
        "USAGE: kura\n\nOPTIONS:\n  --color <color>  色。 (values: auto, always,\n                   never; default: auto)\n  -h, --help       Show help information.",
        "使い方: kura\n\nオプション:\n  --color <color>  色。 （値：auto, always, never、省略時：auto）\n  -h, --help       この説明を表示する。"
      ),
    ])
  func japanese(english: String, said: String) {
    #expect(Language.japanese.speaks { ArgumentWords.translated(english) } == said)
    #expect(Language.english.speaks { ArgumentWords.translated(english) } == english)
  }

  @Test("and the manual are in the language that is spoken")
  func manual() throws {
    let page = try #require(
      Language.japanese.speaks {
        Generator(options: "ARGUMENTS:\n  x") { _ in nil }.text("man")
      })
    #expect(page.contains(".SH 終了ステータス") && page.contains("すべて実行されました。"))
    #expect(page.contains("引数:"))
    #expect(Launch.language(of: ["generate", "bash"]) == .english)
  }
}
