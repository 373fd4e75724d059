extension JapaneseSentences {
  package static let saving = #"""
    there is no store in a file
    = ファイルのストアがありません
    others have saved since
    = その後、ほかの人が保存しました
    nothing was saved: %1 what others have saved
    = 保存していません。%1がほかの人の保存した内容と重なっています
    nothing was read: %1 what others have saved
    = 読み込んでいません。%1がほかの人の保存した内容と重なっています
    nothing was saved: others have saved since, and together this breaks the rules
    = 保存していません。その後ほかの人が保存し、合わせるとルールに反します
    .refresh reads that
    = .refreshでそれを読み込みます
    .merge store keeps what they have, .merge memory what is here; then save again; or take back what meets it: undo, rollback
    = .merge storeは保存された内容を、.merge memoryはここでの変更を残します。その後もう一度saveします。または重なる変更をundo、rollbackで取り消します
    .merge store keeps what they have, .merge memory what is here; then .refresh again; or take back what meets it: undo, rollback
    = .merge storeは保存された内容を、.merge memoryはここでの変更を残します。その後もう一度.refreshします。または重なる変更をundo、rollbackで取り消します
    .refresh takes in what they saved; mend what is listed then, and save again
    = .refreshで保存された内容を取り込みます。表示された問題を直し、もう一度saveします
    %1 is now %2
    = %1は%2になりました
    what is here was kept
    = ここでの変更を残しました
    it leads there no more
    = この関係を外しました
    what is in the store was kept
    = ストアの内容を残しました
    others have changed the model: what was done before can no longer be undone
    = ほかの人がモデルを変更したため、これまでの操作は取り消せなくなりました
    others have saved: a step that changed the model, and what was done before it, can no longer be undone
    = ほかの人が保存したため、モデルを変更した操作と、それより前の操作は取り消せなくなりました
    read what others have saved
    = ほかの人が保存した内容を読み込みました
    nobody has saved since
    = その後に保存した人はいません
    the journal is folded into the document
    = ジャーナルを文書にまとめました
    dry run: the journal would be folded into the document
    = 試験実行：ジャーナルを文書にまとめるところでした
    there is no journal to fold
    = まとめるジャーナルはありません
    %1 changes meet
    = %1件の変更
    a file name is wanted
    = ファイル名が必要です
    the store was opened with --read-only
    = ストアは--read-onlyで開かれています
    the store was opened with --read-only, so this cannot be saved
    = ストアは--read-onlyで開かれているため、この変更は保存できません
    this is plain JSON, which has no model to write a store by
    = これは通常のJSONで、ストアを書くためのモデルがありません
    there is no store to save to
    = 保存先のストアがありません
    nothing was saved, and the changes are still here
    = 何も保存していません。変更はここに残っています
    write save "FILE", or save alone
    = save "FILE"、またはsaveだけを書きます
    open it without that option to save
    = 保存するには、そのオプションなしで開きます
    the changes last until you leave; open it without that option to save
    = 変更は終了すると失われます。保存するには、そのオプションなしで開きます
    name a file: save "FILE"
    = ファイル名を書きます：save "FILE"
    to replace it: save "FILE" replacing
    = 置き換えるには：save "FILE" replacing
    mend what is listed with update, or take it back: undo, rollback
    = 表示された問題をupdateで直すか、undo、rollbackで取り消します
    nothing to save
    = 保存する変更はありません
    saved: %1
    = 保存しました：%1
    , with what others have saved meanwhile
    = （ほかの人が保存した内容も取り込みました）
    dry run: this would be saved to %1; nothing was written
    = 試験実行：%1に保存するところでした。何も書いていません
    define %1 in %2, with %3 as its inverse; or take the inverse out
    = %3を逆の関係として%2に%1を定義するか、逆の関係を外します
    %1 has to wait: the scratch context %2 is open
    = 作業用コンテキスト%2が開いているため、%1は実行できません
    there is no scratch context to %1
    = %1できる作業用コンテキストがありません
    commit keeps what was changed in it, cancel drops it
    = commitで変更を反映し、cancelで破棄します
    begin opens one
    = beginで開きます
    scratch context: %1; commit keeps what is changed in it, cancel drops it
    = 作業用コンテキスト：%1。commitで変更を反映し、cancelで破棄します
    committed: %1: %2
    = 反映しました：%1（%2）
    ; save writes it
    = 。saveで保存します
    cancelled: %1
    = 破棄しました：%1
    undone: %1
    = 取り消しました：%1
    done again: %1
    = やり直しました：%1
    nothing to undo
    = 取り消す操作はありません
    nothing to do again
    = やり直す操作はありません
    nothing to roll back
    = 元に戻す変更はありません
    rolled back: %1
    = 元に戻しました：%1
    ; %1 has no value any more
    = 。%1の値はなくなりました
    ; %1 have no values any more
    = 。%1の値はなくなりました
    """#
}
