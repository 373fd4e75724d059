extension JapaneseSentences {
  package static let session = #"""
    a shell has taken $%1 out of the double quotes: put the statement in single ones
    = 二重引用符の中の$%1をシェルが置き換えました。文は一重引用符で囲みます
    no store is open: kura STORE %1; or define one: entity Note { title: string }
    = ストアが開かれていません：kura STORE %1。または定義します：entity Note { title: string }
    loading
    = 読み込み中
    fetching
    = 取り出し中
    %1 %, %2 of %3 %4
    = %1%（%3 %4中%2 %4）
    rows
    = 行
    the command behind .output has ended; results go to standard output again
    = .outputの先のコマンドが終わりました。結果は標準出力に戻ります
    no command is there for %1
    = %1を実行する命令がありません
    in memory
    = メモリ上
    Enter runs a statement, undo takes it back; nothing is written before save.
    = 文はEnterで実行し、undoで一つ前に戻せます。saveまで何も書き込まれません。
    .help fetch explains a statement, ? CONTAINS any word; ヘルプ works too.
    = .help fetchは文を、? CONTAINSは語を説明します。「ヘルプ」でも見られます。
    lesson 1 teaches predicates; 日本語なら .language ja のあとに lesson 1
    = lesson 1で述語を初めから学べます。英語にするには.language enと入力します。
    Kura %1, %2. Type .help for help.
    = Kura %1、%2。.helpでヘルプを表示します。
    %1 entities
    = エンティティ%1個
    this takes longer than %1 s, and was ended
    = %1秒を超えたため、中断しました
    the system gives no timer, so nothing can be ended in time
    = システムからタイマーを得られないため、時間を限ることができません
    to run it without a limit: .timeout off
    = 時間を限らずに実行するには：.timeout off
    to let it: --timeout SECONDS, .timeout SECONDS or .timeout off
    = 長く待つには：--timeout SECONDS、.timeout SECONDS、または.timeout off
    write save at the end, or start with --autosave
    = 最後にsaveと書くか、--autosaveを付けて起動します
    write save "FILE" at the end
    = 最後にsave "FILE"と書きます
    not left, for there are unsaved changes: save, or rollback
    = 保存していない変更があるため、終了しません。saveまたはrollbackしてください
    left without saving: %1
    = 保存せずに終了しました：%1
    Save the changes to %1? [y]es, [n]o, [c]ancel:
    = 変更を%1に保存しますか？ [y]はい、[n]いいえ、[c]キャンセル:
    The scratch context %1 is open: commit or cancel ends it. Leave and lose it? [y/N]:
    = 作業用コンテキスト%1が開いています。commitかcancelで終えます。破棄して終了しますか？ [y/N]:
    There are changes that no file has. Leave without them? [y/N]:
    = どのファイルにも保存していない変更があります。保存せずに終了しますか？ [y/N]:
    %1 requests
    = 取り出し要求%1個
    this predicate is longer than %1 bytes, written out
    = この述語は、展開すると%1バイトを超えます
    build it of parts that are not named in one another
    = 互いに名前を使わない部分から組み立てます
    --safe reads no other files
    = --safeではほかのファイルを読めません
    --safe opens no other stores
    = --safeではほかのストアを開けません
    --safe saves to the store alone
    = --safeではこのストア以外に保存できません
    --safe writes results to standard output alone
    = --safeでは標準出力以外に結果を書けません
    --safe runs no commands
    = --safeではコマンドを実行できません
    whoever trusts the script runs it without --safe
    = 信頼できるスクリプトは--safeなしで実行します
    a session that was ended on %1 left unsaved changes, %2, in %3
    = %1に終了したセッションが、保存していない変更（%2）を%3に残しています
    "%1" was to keep unsaved changes, and cannot be read
    = 「%1」には保存していない変更があるはずですが、読めません
    the changes in "%1" do not fit the model as it is now
    = 「%1」の変更が、今のモデルに合いません
    nothing was taken in: %1 what was saved since
    = 取り込んでいません。%1がその後に保存された内容と重なっています
    the store was saved since, and the model is among these changes: they are open by themselves, as they were then
    = その後ストアが保存されており、変更にはモデルも含まれます。当時のまま別に開きました
    .recover takes them in, .recover drop deletes them
    = .recoverで取り込み、.recover dropで削除します
    bring the model back to what it was, or delete them: .recover drop
    = モデルを元に戻すか、.recover dropで削除します
    .merge store keeps what was saved, .merge memory what was not; then .recover again
    = .merge storeは保存された内容を、.merge memoryは保存していない変更を残します。その後もう一度.recoverします
    save or rollback, then .recover again
    = saveまたはrollbackしてから、もう一度.recoverします
    save "FILE" writes them into a store of their own
    = save "FILE"で別のストアに書きます
    A session that was ended on %1 left unsaved changes: %2. Take them in? [y]es, [n]o and delete them, [l]ater:
    = %1に終了したセッションに、保存していない変更があります：%2。取り込みますか？ [y]はい、[n]いいえ（削除）、[l]後で:
    unsaved changes are kept, %1, in %2; the next session there offers them
    = 保存していない変更（%1）を%2に残しました。次のセッションで取り込めます
    recovered: %1; changes lists them, save writes them, undo takes them back
    = 復元しました：%1。changesで一覧、saveで保存、undoで取り消しができます
    deleted: the unsaved changes of %1, %2
    = 削除しました：%1の保存していない変更（%2）
    deleted: %1
    = 削除しました：%1
    they stay in %1; .recover takes them in, .recover drop deletes them
    = %1に残します。.recoverで取り込み、.recover dropで削除します
    no unsaved changes of an earlier session are here
    = 以前のセッションの保存していない変更はありません
    time: %1 µs
    = 時間: %1 µs
    time: %1 ms
    = 時間: %1 ms
    time: %1 s
    = 時間: %1 s
    time: %1 min %2 s
    = 時間: %1分%2秒
    nobody reads the results any more, and %1 statements have changed nothing: the rest was not run
    = 結果を読むものがなくなり、%1個の文は何も変更していません。残りは実行していません
    this has no end of a statement in %1 MB, and is no script
    = %1 MB読んでも文の終わりがありません。スクリプトではないようです
    scripts read each other more than %1 deep
    = スクリプトの読み込みの入れ子が%1段を超えています
    a statement begins with a word such as fetch
    = 文はfetchのような語で始めます
    this is %1
    = これは%1です
    this is written otherwise here
    = ここでは書き方が違います
    this is written as in %1
    = これは%1の書き方です
    %1 has no counterpart here
    = %1に当たるものはありません
    this is %1, but %2
    = これは%1ですが、%2
    this looks like %1, and cannot be read from here on
    = %1のようですが、ここから先を読めません
    $%1 is %2, which is gone
    = $%1は%2ですが、もうありません
    $%1 has %2, which is gone
    = $%1の%2はもうありません
    $%1 has %2, which are gone
    = $%1の%2はもうありません
    undo or redo may bring it back
    = undoまたはredoで戻るかもしれません
    undo or redo may bring them back
    = undoまたはredoで戻るかもしれません
    folder
    = フォルダ
    a saved request
    = 保存した取り出し要求
    the objects of the last fetch
    = 直前の取り出しのオブジェクト
    a relationship to it
    = それへの関係
    , case and marks alike
    = （大文字と小文字、濁点などを区別しない）
    the identity of %1
    = %1のオブジェクトID
    any value
    = 任意の値
    """#
}
