extension JapaneseSentences {
  package static let settings = #"""
    expected %1 or %2, found "%3"
    = %1か%2が必要ですが、「%3」があります
    there is no result to show again
    = もう一度表示する結果がありません
    fetch, count and print have results
    = fetch、count、printに結果があります
    expected on, off or objects, found "%1"
    = on、off、オブジェクトのどれかが必要ですが、「%1」があります
    as in .validate Item, .validate Item/3, .validate Item where done == NO
    = 例: .validate Item、.validate Item/3、.validate Item where done == NO
    expected a number of steps, found "%1"
    = 回数が必要ですが、「%1」があります
    0 keeps all of them
    = 0ならば制限しません
    nothing was changed, for this breaks rules of the model
    = モデルのルールに反するため、何も変更していません
    .validate off leaves the rules to save
    = .validate offにすると、ルールの検証はsaveのときだけになります
    all objects keep the rules
    = すべてのオブジェクトがルールを満たしています
    there are no such objects
    = 該当するオブジェクトはありません
    the object keeps the rules
    = このオブジェクトはルールを満たしています
    the %1 objects keep the rules
    = %1個のオブジェクトはルールを満たしています
    there is no help on "%1"
    = 「%1」のヘルプはありません
    .help lists all topics
    = .helpですべての項目が見られます
    there is no language "%1"
    = 「%1」という言語はありません
    there is no format "%1"
    = 「%1」という形式はありません
    "%1" is open here, or belongs to what is
    = 「%1」は、開いているストアかそれに属するファイルです
    write the results into another file
    = 結果は別のファイルに書きます
    dry run: results would be written to %1; they are dropped
    = 試験実行：結果を%1に書くところでした。結果は破棄します
    dry run: %1 would read the results; they are dropped
    = 試験実行：%1が結果を読むところでした。結果は破棄します
    wrote %1 to %2
    = %1を%2に書きました
    wrote %1
    = %1に書きました
    %1 is empty, for nothing was shown
    = 結果がないため、%1は空です
    "%1" is no time zone
    = 「%1」というタイムゾーンはありません
    there is no length "%1" of dates
    = 日付の長さに「%1」はありません
    write its name, as in Asia/Tokyo
    = Asia/Tokyoのような名前を書きます
    there is no setting ".%1"
    = 「.%1」という設定はありません
    this setting is written %1
    = この設定は%1と書きます
    expected on or off, found "%1"
    = onかoffが必要ですが、「%1」があります
    .help lists them
    = .helpで一覧が見られます
    the open store has unsaved changes
    = 開いているストアに保存していない変更があります
    "%1" is none of error, store and memory
    = 「%1」はerror、store、memoryのどれでもありません
    write save before .open, or rollback
    = .openの前にsaveまたはrollbackします
    write .merge error, .merge store or .merge memory
    = .merge error、.merge store、.merge memoryのどれかを書きます
    There are unsaved changes. Open without them? [y/N]:
    = 保存していない変更があります。保存せずに開きますか？ [y/N]:
    left out, for they hold no lists of objects: %1
    = オブジェクトのリストがないため、読み飛ばしました：%1
    under --safe no statement takes longer than --timeout %1
    = --safeでは、文の実行は--timeout %1までです
    expected a number of seconds, found "%1"
    = 秒数が必要ですが、「%1」があります
    %1 seconds are too many
    = %1秒は長すぎます
    no statement is done in %1 seconds
    = %1秒で終わる文はありません
    as in 0.5; .timeout off lets statements take as long as they like
    = 例: 0.5。.timeout offで制限をなくします
    a transcript is Markdown, and "%1" does not end with .md
    = 記録はMarkdownで書きますが、「%1」が.mdで終わっていません
    the store "%1" of this block cannot be opened
    = このブロックのストア「%1」を開けません
    write .transcript %1.md
    = .transcript %1.mdと書きます
    choose another name; kura notebook --write brings a file up to date
    = 別の名前にします。ファイルの更新はkura notebook --writeで行います
    its path is looked for from here, and from the notebook's folder
    = パスは、現在のフォルダとノートブックのフォルダから探します
    an editor needs a terminal
    = エディタには端末が必要です
    %1 ended with status %2
    = %1がステータス%2で終了しました
    the text cannot be handed to an editor: %1
    = テキストをエディタに渡せません：%1
    VISUAL or EDITOR names another one
    = VISUALまたはEDITORで別のエディタを指定できます
    """#
}
