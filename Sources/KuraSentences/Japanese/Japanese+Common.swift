extension JapaneseSentences {
  package static let common = #"""
    fix:
    = 修正:
    or:
    = または:
    error
    = エラー
    warning
    = 警告
    note
    = 補足
    write %1
    = 「%1」と書きます
    insert %1
    = %1を挿入します
    remove %1
    = %1を削除します
    write %1 for %2
    = %2を%1に書き換えます
    did you mean %1?
    = %1ではありませんか？
    """#
}
