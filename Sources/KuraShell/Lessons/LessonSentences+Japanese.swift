import KuraFetch
import KuraModel

// 日本語
extension LessonMessage {
  var japanese: String {
    switch self {
    case .lessonTitle(let number, let count, let title, let minutes, let store):
      "レッスン\(number)（全\(count)回）：\(title)" + Self.details(minutes, store)
    case .ownLessonTitle(let title, let minutes, let store): title + Self.details(minutes, store)
    case .taskTitle(let place, let count, let title):
      "課題\(place)（全\(count)問の\(place.number)問目）：\(title)"
    case .goneOn(let place, let first):
      "前回の続きで、課題\(place)から始めます。最初からやり直すときはlesson \(first)です。"
    case .howTo:
      "「>」の後に文を入力して、Enterキーを押してください。このストアと、値の異なるほかのストアで結果を確かめて判定します。ここで変更した内容は保存されません。\n"
        + "ヒントはhint、解答はanswer（一度試したあと）、次の課題はnext、終了はlesson endと入力します。"
    case .moreHelp(let place):
      "課題をもう一度見るときはlesson \(place)、変更を元に戻すときはresetです。help fetchで単語の説明、help allですべての一覧が見られます。"
    case .right(let extent): "✓ 正解です" + Self.text(extent)
    case .otherAnswers: "別の書き方："
    case .goOn(let place): "nextで\(place)に進みます。"
    case .lessonDone(let number, let next):
      "レッスン\(number)はこれで終わりです。"
        + (next.map { "nextでレッスン\($0)に進みます。lesson endで元のストアに戻ります。" } ?? "")
    case .allDone: "これですべてのレッスンが終わりました。quizと入力すると、開いているストアから出題します。"
    case .notYet: "✗ まだ違います。"
    case .rightHereOnly(let place): Self.text(place)
    case .lacks(let words): "結果は合っています。今度は\(words.joined(separator: "または"))を使って書いてください。"
    case .hasForbidden(let words): "結果は合っています。\(words.joined(separator: "と"))を使わずに書いてください。"
    case .missing(let names, let more): "足りないもの：" + Self.list(names, more)
    case .extra(let names, let more): "余分なもの：" + Self.list(names, more)
    case .because(let object, let isIn, let part, let answer, let values):
      "\(object)が\(isIn ? "含まれる" : "含まれない")のは、\(part)が\(answer)になるためです"
        + (values.isEmpty ? "" : "（\(values)）")
    case .order(let place, let wanted, let found):
      "内容は合っていますが、順序が違います。\(place)番目は\(found)ではなく\(wanted)です"
    case .headings: "内容は合っていますが、見出しが違います"
    case .columnOrder(let names): "列の順序は\(names.joined(separator: "、"))です"
    case .columns(let wanted, let found, let extra, let missing):
      "列は\(wanted)列必要ですが、\(found)列\(found < wanted ? "しかありません" : "あります")"
        + (extra.isEmpty ? "" : "。余分な列：\(extra.joined(separator: "、"))")
        + (missing.isEmpty ? "" : "。足りない列：\(missing.joined(separator: "、"))")
    case .limited(let limit): "limit \(limit)があると、オブジェクトがそれより多いときにすべては表示されません。"
    case .typedValue: "値を自分で書いています。別のストアでは別の値になるので、ストアに尋ねてください。"
    case .namedObjects: "オブジェクトを名前で指定しています。別のストアでは別のオブジェクトになるので、共通する値を条件にしてください。"
    case .plainSign(let sign, let operation):
      "\(operation)では\(sign)がそのままの文字として扱われます。パターンの記号が使えるのはLIKEとMATCHESで、オプションは引用符の前に書きます。"
    case .wideText(let text): "\(StatementText.string(text))に全角の文字が入っています。半角とは別の文字として扱われます。"
    case .noSuchValue(let key, let typed, let near, let way):
      "\(key)が\(StatementText.string(typed))のオブジェクトはありません。\(StatementText.string(near))ならあります"
        + Self.text(way)
    case .value(let wanted, let found): "正しい値は\(wanted)ですが、この文では\(found)になります"
    case .notGraded(let wanted): "この文は解答として扱いませんでした。\(Self.text(wanted))。"
    case .skipped(let place): "課題\(place)はまだ解けていません。lesson \(place)で戻れます。"
    case .kind(let wanted, let found): "\(Self.text(wanted))。この文の結果は\(Self.noun(found))です"
    case .failure(let sentence): "エラーになります：\(sentence)"
    case .notDeleted(let names): "削除されずに残っているもの：\(names.joined(separator: "、"))"
    case .deleted(let names): "削除してはいけないもの：\(names.joined(separator: "、"))"
    case .changed(let id, let key, let wanted, let found):
      "\(id)の\(key)が\(found)になっています。正しくは\(wanted)です"
    case .missingNew(let entity, let count): "正しい値を持つ新しい\(entity)が\(count)個足りません"
    case .extraNew(let entity, let count): "値の違う新しい\(entity)が\(count)個あります"
    case .hint(let number, let count): count == 1 ? "ヒント：" : "ヒント（\(number)/\(count)）："
    case .noMoreHints: "ヒントは以上です。一度試したあとなら、answerで解答が見られます。"
    case .noHints: "この課題にヒントはありません。"
    case .tryFirst: "まず一度試してみてください。そのあとanswerで解答が見られます。"
    case .answer: "解答："
    case .reset(let place): "ストアを課題\(place)の始めの状態に戻しました。"
    case .ended(let store, let next):
      (store.map { "レッスンを終了し、\($0)に戻りました。" } ?? "レッスンを終了しました。") + "\(next)で続きに戻れます。"
    case .you(let place): "現在の課題は\(place)です。"
    case .begin(let next):
      next == "lesson 1" ? "lesson 1で最初のレッスンを始めます。" : "\(next)で続きに戻れます。"
    case .nothingOpen(let next):
      "レッスンは始まっていません。lessonで一覧を表示します。" + LessonMessage.begin(next: next).japanese
    case .lastTask: "これが最後の課題です。"
    case .progressLost(let path): "学習の記録を\(path)に保存できませんでした"
    case .progressDamaged(let path): "\(path)は学習の記録として読めないため、\(path).damagedに移しました"
    case .column(let column): Self.name(column)
    }
  }

  private static func details(_ minutes: Int?, _ store: String) -> String {
    let time = minutes.map { "約\($0)分、" } ?? ""
    return "（\(time)\(store)のコピーを使用）"
  }

  private static func text(_ extent: Verdict.Extent) -> String {
    let others = extent.variations + extent.generated
    let seed = extent.generated > 0 ? "（シード\(extent.seed)）" : ""
    return others == 0 ? "。" : "。データの違うストア\(others)個でも正しい結果になります\(seed)。"
  }

  private static func text(_ place: World.Place) -> String {
    switch place {
    case .own: ""
    case .variation(let number): "このストアでは正しい結果ですが、内容を少し変えると（変更\(number)）違う結果になります。"
    case .generated(let seed): "このストアでは正しい結果ですが、別の値を自動生成したストア（シード\(seed)）では違います。"
    }
  }

  private static func text(_ way: NearValue.Way) -> String {
    switch way {
    case .codePoints: "（別の符号位置で書かれています）。"
    case .letterCase: "（大文字と小文字は区別されます）。"
    case .width: "（全角と半角は区別されます）。"
    case .blanks: "（空白も区別されます）。"
    case .forms: "（別の文字で書かれています）。"
    case .wildcards: "（*が任意の文字列を表すのはLIKEのときだけです）。"
    case .spelling: "。"
    }
  }

  private static func list(_ names: [String], _ more: Int) -> String {
    names.joined(separator: "、") + (more > 0 ? "ほか\(more)件" : "")
  }

  private static func text(_ kind: Outcome.Kind) -> String {
    switch kind {
    case .objects: "必要なのはオブジェクトそのものです。selectを付けずにfetchで取り出します"
    case .rows: "必要なのは一部の列です。selectの後にキーを書きます"
    case .values: "必要なのは一つの値です。fetchの代わりにcount、exists、printのどれかを使います"
    case .graph: "この課題ではストアを変更します"
    }
  }

  private static func noun(_ kind: Outcome.Kind) -> String {
    switch kind {
    case .objects: "オブジェクト"
    case .rows: "列の値"
    case .values: "値"
    case .graph: "変更"
    }
  }

  private static func name(_ column: Column) -> String {
    switch column {
    case .lesson: "レッスン"
    case .title: "題名"
    case .minutes: "分"
    case .store: "ストア"
    case .solved: "正解"
    case .tries: "試行"
    }
  }
}
