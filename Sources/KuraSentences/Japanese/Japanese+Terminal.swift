extension JapaneseSentences {
  package static let terminal = #"""
    line %1 of the input is not UTF-8; convert it, for example with iconv
    = 入力の%1行目がUTF-8ではありません。iconvなどで変換してください
    the input cannot be read: %1
    = 入力を読めません：%1
    (search: %1)
    = （検索: %1）
    (search: %1, not found)
    = （検索: %1 見つかりません）
    nothing that is known fits here
    = ここに書けるものがありません
    there is no help for what stands here
    = ここにある語のヘルプはありません
    Space goes on, b back, q leaves
    = スペースで次へ、bで戻る、qで終わる
    a key of the JSON there
    = そのJSONのキー
    """#
}
