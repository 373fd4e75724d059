extension JapaneseSentences {
  package static let watching = #"""
    %1 has no rows that could be watched
    = %1には監視できる行がありません
    "%1" is watched already
    = 「%1」はすでに監視しています
    nothing is watched as "%1"
    = 「%1」という名前で監視しているものはありません
    %1 is watched no more: another store is open
    = 別のストアを開いたため、%1の監視を終えました
    %1 is watched no more: %2
    = %1の監視を終えました：%2
    there is no store in a file that others could save into
    = ほかの人が保存できるファイルのストアがありません
    watch fetch ENTITY select count(SELF) has one row, which is updated
    = watch fetch エンティティ select count(SELF)なら、更新される行が1行あります
    take another name, or unwatch %1 first
    = 別の名前にするか、先にunwatch %1としてください
    nothing is watched
    = 何も監視していません
    watched are %1
    = 監視しているのは%1です
    watching %1: %2
    = %1を監視します：%2
    watching %1: %2 in %3
    = %1を監視します：%3に%2
    nothing was watched
    = 何も監視していませんでした
    watched no more: %1
    = 監視を終えました：%1
    the number of a save
    = 保存の番号
    the name of a watched fetch, or all
    = 監視している取り出しの名前、またはall
    a name
    = 名前
    "history" lists them
    = 「history」で一覧を表示します
    kept in order, a step changes what it concerns
    = 順序を保ち、変更の関わるところだけを変える
    kept in order, a step changes what it concerns; also through %1
    = 順序を保ち、変更の関わるところだけを変える（%1を通した変更も）
    asked anew behind each step and compared: %1
    = 変更のたびに取り出し直して比べる：%1
    its rows are no objects
    = 行がオブジェクトではない
    another fetch stands in it
    = 中に別の取り出しがある
    its source is a list of objects
    = 対象がオブジェクトの並びである
    sections of a part
    = 一部だけのセクション
    what it reads cannot be followed back
    = 何を読むかを逆にたどれない
    no history of this store is kept
    = このストアの履歴は残していません
    the history cannot be read or written: %1
    = 履歴を読み書きできません：%1
    saved, but not noted in the history: %1
    = 保存しましたが、履歴に記録できませんでした：%1
    no save %1 is kept
    = 保存%1は残っていません
    save %1 changed the model, and cannot be taken back
    = 保存%1はモデルを変更しているため、取り消せません
    what save %1 left is not what was found behind it: something was saved that is not in the history
    = 保存%1の後の状態が記録と一致しません。履歴にない保存があります
    "%1" has another model
    = 「%1」はモデルが違います
    an object is wanted
    = オブジェクトが必要です
    nothing was taken back: later changes meet what save %1 did
    = 何も取り消していません。保存%1の内容が、後の変更とぶつかります
    expected keep and a number of saves, or forget
    = keepと保存の数、またはforgetが必要です
    .history keep 1000 saves begins one
    = .history keep 1000 savesで履歴を残し始めます
    kept are %1 to %2
    = 残っているのは%1から%2までです
    nothing has been saved since
    = それから何も保存していません
    others may have saved: .refresh reads that
    = ほかの人が保存したのかもしれません。.refreshで読み込みます
    write for instance history of Item/3
    = 例：history of Item/3
    for instance .history keep 1000 saves
    = 例：.history keep 1000 saves
    %1: "%2" is %3 now, and the save had left %4
    = %1：「%2」は今%3ですが、保存の直後は%4でした
    %1 was deleted since
    = %1はその後削除されました
    %1 is there again
    = %1が再びあります
    %1: "%2" led to %3, which is gone
    = %1：「%2」は%3を指していましたが、それはもうありません
    %1 hangs together with %2, which came or changed since
    = %1は、その後に加わったか変わった%2とつながっています
    reverted: save %1: %2 inserted, %3 updated, %4 deleted; save writes it
    = 保存%1を取り消しました：挿入%2、更新%3、削除%4。saveで書き込みます
    .history is not kept
    = .historyは残していません
    .history keep %1 saves; %2 kept
    = .history keep %1 saves（%2件あり）
    %1 sections
    = %1個のセクション
    %1 lines are
    = %1行
    , %1 damaged
    = （%1が壊れています）
    keeps a fetch, and says behind each step how its answer changed
    = 取り出しの結果を監視し、変更のたびに結果がどう変わったかを示す
    watches a fetch no more
    = 取り出しの監視を終える
    the saves of the store that are kept, or what they did to one object
    = 履歴に残る保存、または一つのオブジェクトの移り変わりを示す
    what changed from one save to another, or from another store to this one
    = 保存から保存までに、または別のストアとこのストアとで変わったことを示す
    asks the store as it was behind a save
    = ある保存の直後のストアに問い合わせる
    takes back what one save did, as a step on top of all that came behind it
    = 一つの保存の内容を、その後の変更はそのままに取り消す
    says how many saves of the store are remembered
    = ストアの保存をいくつ履歴に残すかを示す
    They are kept in STORE.history, beside the store, for every session that saves into it: when,
    by whom (--author), what was done, and each value before and after. forget takes the file away.
    = ストアの隣のSTORE.historyに、そこへ保存するすべてのセッションの記録を残します：いつ、誰が
    = （--author）、何をしたか、それぞれの値の前と後。forgetはそのファイルを取り除きます。
    Who saves, for the history of the store.
    = 保存する人の名前（ストアの履歴に残ります）。
    delete
    = 削除
    insert
    = 挿入
    move
    = 移動
    update
    = 更新
    section delete
    = セクション削除
    section insert
    = セクション挿入
    from %1
    = %1から
    at %1
    = 位置：%1
    (none)
    = （なし）
    """#
}
