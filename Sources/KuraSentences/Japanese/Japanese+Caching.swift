extension JapaneseSentences {
  package static let caching = #"""
    keeps the columns of large stores, so that they open at once
    = 大きなストアの列を保存し、次からすぐに開けるようにする
    What took longer than a moment to read, a store or plain JSON, is written as columns into
    ~/.cache/kura at the end, for this person alone, and read from there while the document is
    exactly as it was. The document stays the truth. Together they take 1 GB at most, and what was
    not used for longest goes first. .cache shows them, .cache clear removes them; off is for this
    session, --no-cache or KURA_CACHE=off for whoever wants none at all.
    = 読み込みに少し時間のかかったストアやJSONを、終了時に列として~/.cache/kuraに書きます（本人だけが
    = 読めます）。文書がまったく同じ状態である間は、次からそこを読みます。正しいのは常に文書です。
    = 全体で1 GBまでで、長く使われていないものから消えます。.cacheで一覧を表示し、.cache clearで
    = すべて削除します。offはこのセッションだけの設定です。一切使わないときは--no-cacheか、環境変数
    = KURA_CACHE=offを指定します。
    its columns are kept in %1 (%2), so that it opens at once next time: .help .cache
    = 次からすぐに開けるように、列を%1に保存しました（%2）：.help .cache
    %1, %2 of %3, in %4
    = %1、%3のうち%2、%4にあります
    removed: %1, %2
    = 削除しました：%1、%2
    nothing is cached here
    = ここでは列を保存しません
    the columns that were kept of "%1" are damaged, and the document was changed since it was opened
    = 「%1」の保存された列が壊れていて、文書も開いた後に変更されています
    nothing is lost: open it once more
    = 失われたものはありません。もう一度開いてください
    %1 stores
    = ストア%1件
    """#
}
