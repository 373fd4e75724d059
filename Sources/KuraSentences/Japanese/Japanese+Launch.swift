extension JapaneseSentences {
  package static let launch = #"""
    %1 passed, %2 failed
    = 成功%1件、失敗%2件
    A line has columns with TABs between them: an object as JSON, or -; a predicate; what must
    come out: true, false, error, parses, or = and how the predicate prints; and perhaps a note.
    = 各行はタブで区切った列です：JSONのオブジェクトか-、述語、期待する結果（true、false、
    = error、parses、または=と述語の表示）、必要なら注釈。
    an error
    = エラー
    expected an object, a predicate and a result with TABs between them, found %1
    = タブで区切ったオブジェクト、述語、結果が必要ですが、%1あります
    expected true, false, error, parses or = TEXT in the third column, found "%1"
    = 3列目にはtrue、false、error、parses、= TEXTのどれかが必要ですが、「%1」があります
    the first column is neither JSON nor -
    = 1列目がJSONでも-でもありません
    expected %1
      found %2%3
    = 期待: %1
    =   結果: %2%3
    expected %1
      found
    = 期待: %1
    =   結果:
    that it parses
    = 構文として読めること
    %1 columns
    = %1列
    it is not UTF-8
    = UTF-8ではありません
    behind kura lesson stands the number or the file of one lesson
    = kura lessonの後ろには、レッスンの番号かファイルを一つ書きます
    kura lesson check and kura lesson grade take several files
    = kura lesson checkとkura lesson gradeには複数のファイルを渡せます
    kura todo.json                       a conversation
    kura todo.json 'fetch Item limit 3'  statements as arguments
    kura todo.json -f report.kura        a script
    echo 'count Item' | kura todo.json   a pipe
    curl … | kura - 'count input'        plain JSON from a pipe
    kura --create todo.json              an empty store
    kura check CASES.tsv                 tests of predicates
    kura lesson                          learning predicates, from the start
    kura lesson check LESSON.md          whether a lesson is right
    kura lesson grade LESSON.md ANSWERS  the grades of a class
    kura notebook NOTES.md               the blocks of a notebook, run again
    kura generate man|bash|zsh|fish      a manual page, or completions for a shell

    .help in the shell explains the language.
    = kura todo.json                       対話
    = kura todo.json 'fetch Item limit 3'  引数の文を実行
    = kura todo.json -f report.kura        スクリプト
    = echo 'count Item' | kura todo.json   パイプ
    = curl … | kura - 'count input'        パイプからのJSON
    = kura --create todo.json              空のストア
    = kura check CASES.tsv                 述語のテスト
    = kura lesson                          述語を初めから学ぶ
    = kura lesson check LESSON.md          レッスンの検査
    = kura lesson grade LESSON.md ANSWERS  クラスの採点
    = kura notebook NOTES.md               ノートブックの再実行
    = kura generate man|bash|zsh|fish      マニュアル、シェルの補完
    =
    = 文や述語の説明は、シェルの中で.helpと入力すると見られます。
    --arg wants a name and a value, and has "%1"
    = --argには名前と値が必要ですが、「%1」しかありません
    --lock-timeout wants seconds, 0 or more and at most a thousand million
    = --lock-timeoutには0以上10億以下の秒数が必要です
    --create wants the file that is to be made
    = --createには作るファイル名が必要です
    --create and --read-only exclude each other
    = --createと--read-onlyは同時に使えません
    "%1" is no file, and keeps no store
    = 「%1」はファイルではないので、ストアを保存できません
    with - the statements come as arguments or from -f
    = -を使うときは、文を引数か-fで渡します
    the store and the script cannot both be standard input
    = ストアとスクリプトの両方を標準入力にはできません
    there is no file "%1", which reads like a statement
    = 「%1」というファイルはありません。文のように見えます
    there is no file "%1"
    = 「%1」というファイルはありません
    "%1" is a script
    = 「%1」はスクリプトです
    "%1" is not a whole statement
    = 「%1」だけでは文になりません
    write --arg NAME VALUE
    = --arg NAME VALUEと書きます
    write --lock-timeout 30
    = --lock-timeout 30のように書きます
    open it without --create, or choose another name
    = --createなしで開くか、別の名前にします
    choose the name of a file
    = ファイルの名前を書きます
    name the store before it: kura STORE '%1 …'; without a store: kura "" '%2 …'
    = 前にストアを書きます：kura STORE '%1 …'。ストアなしなら：kura "" '%2 …'
    write kura %1
    = kura %1と書きます
    write kura STORE -f %1
    = kura STORE -f %1と書きます
    put the statement in quotes: kura STORE '%1 …'
    = 文を引用符で囲みます：kura STORE '%1 …'
    How results are written: %1.
    = 結果の形式：%1。
    A shell for object graphs, with Cocoa's predicates.
    = Cocoaの述語を使う、オブジェクトグラフのシェル。
    A store, plain JSON, or - for standard input; without it all is in memory.
    = ストア、通常のJSON、または標準入力を表す-。なければすべてメモリ上で行う。
    Statements to run.
    = 実行する文。
    Run a script.
    = スクリプトを実行する。
    Let $NAME be a string.
    = $NAMEを文字列にする。
    Read and write dates in this zone.
    = 日付をこのタイムゾーンで読み書きする。
    Wait so long for others to save.
    = ほかの人の保存をこの秒数まで待つ。
    Show values, and order under [l], by this locale.
    = 値の表示と[l]の順序をこのロケールに従わせる。
    Speak this language: en or ja.
    = メッセージとヘルプの言語：enまたはja。
    Make STORE, an empty store, and open it.
    = 空のストアSTOREを作って開く。
    Keep and use no columns in ~/.cache/kura.
    = ~/.cache/kuraに列を保存せず、使いもしない。
    Refuse to save.
    = 保存できないようにする。
    Touch nothing but STORE, for scripts of others: no other files, no commands.
    = STORE以外に触れない（他人のスクリプト用）。ほかのファイルもコマンドも使えない。
    Save at the end.
    = 最後に保存する。
    Say what a save would write, and write nothing.
    = 保存される内容を示すだけで、何も書かない。
    Go on after an error.
    = エラーのあとも続ける。
    End each statement that takes longer, in seconds.
    = この秒数より長くかかる文を中断する。
    Take no lock, where a file system has none.
    = ロックをかけない（ロックのないファイルシステム用）。
    Give up the last save, where it is damaged.
    = 最後の保存が破損していれば捨てる。
    Leave ~/.kurarc unread.
    = ~/.kurarcを読まない。
    Colour messages: auto, always or never.
    = メッセージの色：auto、always、never。
    Write messages as text, or as json, an object a line.
    = メッセージをtext、または1行1オブジェクトのjsonで書く。
    Runs tables of cases for predicates.
    = 述語のテストの表を実行します。
    The tables.
    = 表のファイル。
    Runs the statements of Markdown files again.
    = Markdownファイルの文を再実行します。
    The files.
    = ファイル。
    Bring the files up to date.
    = ファイルを更新する。
    Proves that lessons are right.
    = レッスンが正しいことを確かめます。
    The lessons.
    = レッスンのファイル。
    Grades the answers of a class.
    = クラスの解答を採点します。
    The lesson.
    = レッスンのファイル。
    The answers, a file for each learner.
    = 解答。学習者ごとに一つのファイル。
    A row for each answer, with what is said of it.
    = 解答ごとに1行で、講評とともに示す。
    In which language that is said: en or ja.
    = 講評の言語：enまたはja。
    How the grades are written: %1.
    = 成績の形式：%1。
    it is larger than %1 MB
    = %1 MBを超えています
    it is a folder
    = フォルダです
    it belongs to somebody else
    = 所有者がほかの人です
    others can write it
    = ほかの人が書き込めます
    it is no file
    = ファイルではありません
    the results cannot be written to %1: %2
    = 結果を%1に書けません：%2
    cannot run "%1": %2
    = 「%1」を実行できません：%2
    the command "%1" failed, with the exit status %2
    = コマンド「%1」が失敗しました（終了ステータス%2）
    the command "%1" was ended by the signal %2
    = コマンド「%1」がシグナル%2で終了しました
    "%1" was not run: %2
    = 「%1」は実行しません：%2
    take that right away: chmod go-w %1
    = 書き込み権限を外します：chmod go-w %1
    --no-init leaves it unread
    = --no-initで読み込まないようにします
    made: %1, an empty store
    = 作成しました：%1（空のストア）
    %1 more files could not be opened; the limit is %2 at once
    = ほかに%1個のファイルを開けません。同時に開けるのは%2個までです
    give more: ulimit -n 256
    = 上限を増やします：ulimit -n 256
    nothing is written here
    = ここには何も書けません
    The blocks of a Markdown file that begin with ```kura are run as if they
    were typed, and what comes is compared with what stands there. The first
    block opens a session, and the others go on in it; ```kura store=todo.json
    opens another one, on a copy of that store; ```kura norun is left alone.
    = Markdownファイルの中の、```kuraで始まるブロックを入力されたものとして実行し、
    = 結果を書かれているものと比べます。最初のブロックでセッションが始まり、次からは
    = それを続けます。```kura store=todo.jsonは、そのストアのコピーで新しいセッションを
    = 始めます。```kura norunは実行しません。
    %1:%2: the block differs
    = %1:%2: ブロックの結果が違います
    all as it is written
    = すべて書かれているとおりです
    1 differs; --write brings it up to date
    = 1個が違います。--writeで更新します
    %1 differ; --write brings it up to date
    = %1個が違います。--writeで更新します
    nothing to write
    = 書き換えるものはありません
    %1 brought up to date
    = %1個を更新しました
    %1 blocks
    = ブロック%1個
    the command
    = コマンド
    """#
}
