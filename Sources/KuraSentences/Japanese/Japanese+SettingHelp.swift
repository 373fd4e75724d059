extension JapaneseSentences {
  package static let settingHelp = #"""
    the colours of table and list at a terminal
    = 端末での表と一覧の色
    auto goes by COLORFGBG, where the terminal says what its ground is like, and else takes colours
    that can be read on both. NO_COLOR, --color never and a terminal that is dumb have none.
    = autoは、端末が背景色を知らせるCOLORFGBGに従います。なければ、どちらの背景でも読める色にします。
    = NO_COLOR、--color never、dumb端末では色を付けません。
    what shows a result that is longer than the screen
    = 画面より長い結果を表示するページャ
    auto is KURA_PAGER, PAGER or less, in a conversation at a terminal and nowhere else. Rows are
    made as they are read, and no more of them when the pager is left.
      .pager less -i
    = autoは、端末での対話のときだけKURA_PAGER、PAGER、lessの順に使います。
    = 行は読まれるときに作られ、ページャを終了するとそれ以上は作りません。
    =   .pager less -i
    shows the last result once more
    = 最後の結果をもう一度表示する
    In the format that is set now, or in the one named: .mode csv, or .again csv. It is the same
    result, whatever has changed since; .once and .output say where it goes.
    = 今の形式、または指定した形式で表示します（.mode csv、.again csv）。その後の変更にかかわらず、
    = 同じ結果です。出力先は.onceと.outputで決まります。
    lists what breaks the rules of the model
    = モデルのルールに反するものを一覧にする
    Alone it asks all objects, those that were not changed too: a save asks only those that were,
    and .open none, so that a store with mistakes in it can be opened and mended.
    .validate Item/3, .validate Item and .validate Item where done == NO ask these objects.
    .validate on refuses each statement after which an object that it concerns breaks a rule;
    .validate off leaves the rules to save.
    = これだけを書くと、変更していないものも含めてすべてのオブジェクトを検証します。saveは変更した
    = ものだけを検証し、.openは検証しません。誤りのあるストアも開いて直せるようにするためです。
    = .validate Item/3、.validate Item、.validate Item where done == NOは、そのオブジェクトを検証します。
    = .validate onにすると、ルールに反する結果になる文を実行しません。
    = .validate offにすると、ルールの検証はsaveのときだけになります。
    how many statements can be taken back
    = 取り消せる文の数
    0, as at the start, keeps all of them. The oldest go first, and those that go stay done.
    = 始めの値の0では、すべて残します。制限すると古いものから忘れますが、その変更自体は残ります。
    lists statements and settings, or explains one topic
    = 文と設定の一覧を表示する、または一つの項目を説明する
    A topic is a statement, a setting, a clause, an operator, a function, a type, a format, a word
    of the field, an entity or a key of the open model, or one of
    %1. help and ? do the same.
    = 項目は、文、設定、句、演算子、関数、型、形式、用語、開いているモデルのエンティティやキー、または
    = %1です。helpと?も同じです。
    the language of messages, of help and of lessons
    = メッセージ、ヘルプ、レッスンの言語
    A session begins in the language of KURA_LANGUAGE, LC_ALL, LC_MESSAGES or LANG, the first that is
    set, where Kura speaks it, else in English; --language says another one. Statements and the
    results of csv, tsv, json, jsonl and plain are the same in every language.
    = 始めの言語は、環境変数KURA_LANGUAGE、LC_ALL、LC_MESSAGES、LANGのうち最初に設定されたもので
    = 決まり、Kuraにない言語ならば英語です。--languageでも指定できます。文の書き方と、csv、tsv、json、
    = jsonl、plainの結果は、どの言語でも同じです。
    how results are written
    = 結果の形式
    Formats: %1.
    = 形式は%1です。
    what stands for null in table, list and markdown
    = 表、一覧、Markdownでnullの代わりに表示する文字
    how table and list show a boolean: YES and NO, or ☑ and ☒
    = 表と一覧での真偽値の表示。YESとNO、または☑と☒
    writes results into a file or a command, from here on
    = これ以降の結果をファイルかコマンドに書く
    A file that is there is replaced. Its name says the format, report.csv, unless .mode has set
    another than table. Alone, results go to standard output again. A command that
    fails is an error when it ends. One that reads the keyboard has it when .output ends, or as
    soon as it takes no more unread; results go to standard output again behind it.
      .output report.csv
      .output | gzip > report.gz
    = すでにあるファイルは置き換えます。.modeでtable以外にしていなければ、report.csvのようにファイル名で
    = 形式が決まります。引数なしで標準出力に戻ります。コマンドが失敗すると、終わったときにエラーに
    = なります。キーボードを読むコマンドは、.outputが終わるか、それ以上読まなくなったときに動き、
    = その後の結果は標準出力に戻ります。
    =   .output report.csv
    =   .output | gzip > report.gz
    writes the next statement's results into a file or a command
    = 次の文の結果をファイルかコマンドに書く
    the zone in which dates are read and written here
    = 日付を読み書きするタイムゾーン
    The store keeps its own. A session begins in the store's zone, without one in UTC.
    = ストアにはそれ自身のタイムゾーンがあり、始めはそれを使います。なければUTCです。
    how dates and numbers are shown, and whose order [l] goes by
    = 日付と数値の表示方法、および[l]の順序の決め方
    ja_JP, de_DE, ja_JP@calendar=japanese: tables, lists and markdown show dates and numbers by the
    custom of the place, and format() without a locale of its own does too. json, jsonl, csv and tsv
    never change. .locale off shows values as they are; it is off at the start.
    = ja_JP、de_DE、ja_JP@calendar=japaneseなど。表、一覧、Markdownで、日付と数値をその地域の習慣に従って
    = 表示します。ロケールを指定しないformat()も同じです。json、jsonl、csv、tsvは変わりません。
    = .locale offで値をそのまま表示します。始めはoffです。
    takes in what a session that was ended had not saved
    = 終了させられたセッションの保存していない変更を取り込む
    A session at a terminal that is ended by SIGHUP, SIGTERM or the loss of its terminal keeps its
    unsaved changes in STORE.unsaved, or in ~/.local/state/kura where there is no store. They come
    in as one step, on top of what was saved since; where both meet, .merge says what becomes of
    it. The file goes when they are saved. .recover drop deletes it.
    = 端末のセッションがSIGHUP、SIGTERM、端末の切断で終了すると、保存していない変更をSTORE.unsavedに
    = （ストアがなければ~/.local/state/kuraに）残します。取り込むと、その後に保存された内容に重ねる
    = 一つの操作になり、重なるところは.mergeで決まります。保存するとファイルは消えます。
    = .recover dropで削除します。
    runs the statements of a file
    = ファイルの文を実行する
    A pipe is read as it comes. The first error stops it; it says the file, the line and the
    column.
    = パイプは届いた分から読みます。最初のエラーで止まり、ファイル、行、列を示します。
    leaves
    = 終了する
    Unsaved changes are asked about on a terminal; in a script they are an error, and the exit
    status is 3.
    = 保存していない変更は、端末では確認します。スクリプトではエラーになり、終了ステータスは3です。
    opens another store, or plain JSON
    = 別のストアか、通常のJSONを開く
    Variables stay, but for those that hold objects of the store before. Unsaved changes are
    asked about on a terminal; in a script they are an error.
    = 変数は、前のストアのオブジェクトを持つもの以外は残ります。保存していない変更は、端末では確認し、
    = スクリプトではエラーになります。
    reads what others have saved since
    = その後にほかの人が保存した内容を読み込む
    What is changed here and not saved stays, on top of it; where both changed the same key of
    the same object, .merge says what becomes of it.
    = ここでの保存していない変更は、その上に残ります。同じオブジェクトの同じキーをどちらも変更した
    = ところは、.mergeで決まります。
    writes the journal into the document
    = ジャーナルを文書にまとめる
    A save appends to STORE.journal. The journal is folded by itself when it has grown large, and
    at the end where the document is small.
    = saveはSTORE.journalに追記します。ジャーナルは大きくなったときと、文書が小さければ終了時に、
    = 自動でまとめられます。
    says what becomes of changes that meet those of others
    = ほかの人の変更と重なる変更をどうするかを決める
    error    nothing is saved, and every conflict is listed (as long as nothing else is said)
    store    what others have saved stays
    memory   what is changed here takes its place
    = error    何も保存せず、重なりをすべて一覧にする（指定しないとき）
    = store    ほかの人が保存した内容を残す
    = memory   ここでの変更で置き換える
    says after each statement how long it took
    = 各文のあとに、かかった時間を表示する
    The time is the statement's own, from its text to its written result, without waiting for
    input: time: 0.000412345 s
    = 時間は、文を読んでから結果を書き終わるまでで、入力を待つ時間は含みません：time: 0.000412345 s
    ends each statement that takes longer
    = 長くかかる文を中断する
    A fraction is fine: .timeout 0.5. What is ended has changed nothing, and fails as others do.
    = .timeout 0.5のように小数でも書けます。中断した文は何も変更せず、ほかの失敗と同じに扱います。
    writes what is typed and what comes of it into a notebook
    = 入力と結果をノートブックに書く
    Statements and answers are written as they come, as blocks of Markdown; a line that is typed as a
    comment, -- like this, is the prose between them. kura notebook FILE.md runs such a file again and
    marks what differs.
    = 文と結果を、順にMarkdownのブロックとして書きます。-- のようなコメントだけの行は、その間の文章に
    = なります。kura notebook FILE.mdで再実行し、違うところを示します。
    shows pale what may follow what is typed
    = 入力中に、続きの候補を薄く表示する
    What a statement of before went on with, else what the language says; Right or End takes it,
    Alt-Right a word of it.
    = 以前の文の続き、なければ文法上の続きを表示します。→かEndですべて、Alt-→で一語を取り入れます。
    colours what is typed, and marks what is wrong
    = 入力に色を付け、間違いに印を付ける
    A key that the entity has not is underlined, and the reason stands below while the cursor is
    on it. NO_COLOR and --color never leave all colours out.
    = エンティティにないキーには下線が付き、カーソルがある間、理由が下に出ます。
    = NO_COLORと--color neverでは色を付けません。
    lets Tab show what may stand at the cursor; off, it is a character
    = カーソルの位置に書けるものをTabで表示する。offではただの文字になる
    what stands before a line
    = 行の前に表示する文字列
    opens what was typed last, or a text, in $VISUAL or $EDITOR
    = 最後に入力した文、または指定した文字列を$VISUALか$EDITORで編集する
    What is written there stands at the prompt then, to be run with Enter. Control-X Control-E
    does so with what is being typed.
    = 編集した文がプロンプトに入り、Enterで実行できます。Control-X Control-Eでは、入力中の文を編集します。
    %s is the store's name.
    %c is the scratch context, behind a /.
    %* is a * where changes are unsaved.
    %% is a %.
    = %sはストアの名前です。
    = %cは作業用コンテキストで、前に/が付きます。
    = %*は保存していない変更があるときの*です。
    = %%は%です。
    """#
}
