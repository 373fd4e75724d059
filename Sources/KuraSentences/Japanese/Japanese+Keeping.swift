extension JapaneseSentences {
  package static let keeping = #"""
    it cannot be read
    = 読めません
    it has another model
    = モデルが違います
    it has other objects
    = オブジェクトが違います
    the store cannot be locked
    = ストアをロックできません
    it was stopped
    = 中断されました
    somebody else saved
    = ほかの人が保存しました
    cannot %1 "%2": %3
    = 「%2」を%1：%3
    "%1.journal" was taken away or cut, and the saves that it held are written anew
    = 「%1.journal」が取り除かれたか切り詰められたため、そこにあった保存内容を新しく書きます
    "%1.journal" was taken away or cut; the saves that it held are still here
    = 「%1.journal」が取り除かれたか切り詰められましたが、そこにあった保存内容はここに残っています
    "%1.journal" has saves, and the document that they belong to is not there
    = 「%1.journal」に保存内容がありますが、元の文書がありません
    "%1" was replaced by somebody else while it was being saved; nothing was saved
    = 保存中に、ほかの人が「%1」を置き換えました。何も保存していません
    "%1" was taken away; what it had is still here
    = 「%1」が取り除かれましたが、内容はここに残っています
    "%1" was taken away, and "%2.journal" has saves that belong to it
    = 「%1」が取り除かれ、その保存内容が「%2.journal」にあります
    "%1" changes whenever it is read
    = 「%1」は読むたびに内容が変わります
    "%1" %2, and is left alone
    = 「%1」は%2ため、変更しません
    a new document would take "%1" from %2, its owner
    = 新しい文書を書くと、「%1」が所有者%2のものでなくなります
    a journal that you make would keep %1, its owner, from "%2"
    = ここでジャーナルを作ると、所有者%1が「%2」を使えなくなります
    the new document for "%1" was not read back as it was written (%2), and has not taken its place
    = 「%1」の新しい文書が書いたとおりに読めないため（%2）、置き換えていません
    %1: "%2" could not be opened with it, and nothing was saved
    = %1：「%2」がこれでは開けなくなるため、何も保存していません
    %1 still has the lock of "%2" after %3
    = %3待ちましたが、%1が「%2」をロックしたままです
    the journal "%1.journal" is of version %2, and this Kura reads 1
    = ジャーナル「%1.journal」はバージョン%2ですが、このKuraが読めるのは1です
    --drop-damaged-save gives up only the last save of "%1.journal", and the damage is not there alone
    = --drop-damaged-saveが捨てるのは「%1.journal」の最後の保存だけですが、破損はほかにもあります
    "%1" is damaged: it is not as Kura wrote it, and nobody has written it since
    = 「%1」が破損しています。Kuraが書いた内容と違い、その後に書いた人もいません
    a save in "%1.journal" was never finished, and is left out
    = 「%1.journal」に途中で終わった保存があり、読み飛ばしました
    the last save in "%1.journal" is damaged, and is left out
    = 「%1.journal」の最後の保存が破損しており、読み飛ばしました
    derived values in "%1" were not what their rules give, and are computed anew: %2
    = 「%1」の派生属性の値がルールと違うため、計算し直しました：%2
    derived values in "%1" were not what their rules give, and are computed anew: %2, and another object
    = 「%1」の派生属性の値がルールと違うため、計算し直しました：%2とほかのオブジェクト1個
    derived values in "%1" were not what their rules give, and are computed anew: %2, and %3 other objects
    = 「%1」の派生属性の値がルールと違うため、計算し直しました：%2とほかのオブジェクト%3個
    derived values in "%1" are as they were found: %2
    = 「%1」の派生属性の値は、読み込んだままです：%2
    %1 is saving "%2"; waiting
    = %1が「%2」を保存中です。待っています
    %1 still has the lock of "%2"; waiting
    = %1が「%2」をロックしています。待っています
    "%1.journal" was not folded into the document: %2; the saves are kept in it
    = 「%1.journal」を文書にまとめられませんでした：%2。保存内容はジャーナルに残っています
    the saves are kept in "%1.journal": a new document would take "%2" from %3, its owner
    = 保存内容は「%1.journal」に残しました。新しい文書を書くと、「%2」が所有者%3のものでなくなります
    "%1.journal" was taken away or cut, and the saves that it held could not be written anew: %2
    = 「%1.journal」が取り除かれたか切り詰められ、そこにあった保存内容を書き直せませんでした：%2
    what was not saved is still here: save "FILE" writes it elsewhere
    = 保存していない内容は残っています。save "FILE"で別のファイルに書けます
    save or .fold writes them anew
    = saveまたは.foldで新しく書きます
    bring "%1" back and it goes on; or give up those saves: rename "%2.journal"
    = 「%1」を戻せば続けられます。保存内容を捨てるなら「%2.journal」の名前を変えます
    save again to take in what was written there
    = もう一度saveすると、そこに書かれた内容を取り込みます
    bring it back and they are in it
    = 元に戻せば、その中にあります
    bring it back and it goes on; or save "%1" replacing writes it anew
    = 元に戻せば続けられます。save "%1" replacingで新しく書くこともできます
    try again when it is quiet
    = 書き込みが止まってから、もう一度試してください
    Kura's own files have one name: give what stands there another
    = Kuraのファイルの名前は一つだけです。そこにあるものの名前を変えてください
    let %1 do it; or save "FILE" writes a copy that is yours
    = %1に任せるか、save "FILE"で自分のコピーに保存します
    let %1 be in its group; or save "FILE" writes a copy that is yours
    = %1をそのグループに入れるか、save "FILE"で自分のコピーに保存します
    nothing that was saved before is lost; please report it with the statements
    = 以前に保存した内容は失われていません。実行した文を添えて報告してください
    undo it, or give it a value that fits
    = 取り消すか、合う値を与えます
    try again; --lock-timeout SECONDS waits longer
    = もう一度試してください。--lock-timeout SECONDSで長く待てます
    a newer Kura reads it
    = 新しいバージョンのKuraなら読めます
    or go on without the saves from the damage on: save "FILE", and rename "%1.journal"
    = 破損より後の保存なしで続けるなら、save "FILE"で保存し、「%1.journal」の名前を変えます
    whoever saved was not told that it was done; the next save cuts it off
    = 保存した人には完了と伝えられていません。次のsaveで切り落とします
    the next save cuts it off
    = 次のsaveで切り落とします
    bring it back from a backup; a save keeps it as it is now
    = バックアップから戻してください。saveすると今の内容のままになります
    the document has them when it is next written anew
    = 次に文書を書き直すときに反映されます
    Control-C stops waiting; nothing is saved then
    = Control-Cで待つのをやめます。その場合は何も保存しません
    it will be tried again
    = 後でもう一度試みます
    they go into it when %1 saves
    = %1が保存するときに反映されます
    %1@%2 (process %3)
    = %1@%2（プロセス%3）
    somebody else
    = ほかの人
    1 second
    = 1秒
    %1 seconds
    = %1秒
    it may have saves: ask its owner for the right to it
    = 保存内容があるかもしれません。所有者に権限を求めてください
    Kura's journal is a file: give what stands there another name
    = Kuraのジャーナルはファイルです。そこにあるものの名前を変えてください
    it may have saves: bring it back from a backup, or rename it to open without them
    = 保存内容があるかもしれません。バックアップから戻すか、名前を変えて保存内容なしで開きます
    has %1 names (hard links)
    = 名前が%1個ある（ハードリンク）
    is a pipe
    = パイプである
    is a socket
    = ソケットである
    is a device
    = デバイスである
    is a symbolic link
    = シンボリックリンクである
    is a folder
    = フォルダである
    is a file of somebody else's
    = ほかの人のファイルである
    %1 has no value for "%2", which is not optional
    = %1の必須の「%2」に値がありません
    %1: "%2" leads to what is not there
    = %1：「%2」の先のオブジェクトがありません
    %1: "%2" has an object twice
    = %1：「%2」に同じオブジェクトが2回あります
    %1: "%2" contradicts its inverse
    = %1：「%2」が逆の関係と一致しません
    %1 is deleted, and "%2" of others leads to it
    = %1は削除されていますが、ほかのオブジェクトの「%2」が指しています
    open
    = 開けません
    read
    = 読めません
    write
    = 書けません
    cut
    = 切り詰められません
    sync
    = ディスクに同期できません
    rename
    = 名前変更できません
    remove
    = 削除できません
    look at
    = 調べられません
    lock
    = ロックできません
    """#
}
