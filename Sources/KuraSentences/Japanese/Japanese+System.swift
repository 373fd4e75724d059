extension JapaneseSentences {
  package static let system = #"""
    no such file or directory
    = ファイルまたはフォルダがありません
    permission denied
    = 権限がありません
    is a directory
    = フォルダです
    not a directory
    = フォルダではありません
    no space left on device
    = 空き容量がありません
    read-only file system
    = 読み出し専用のファイルシステムです
    file exists
    = すでにあります
    too many open files
    = 開いているファイルが多すぎます
    input/output error
    = 入出力エラー
    operation not permitted
    = 操作が許可されていません
    resource temporarily unavailable
    = 一時的に利用できません
    broken pipe
    = パイプの相手がいません
    file name too long
    = ファイル名が長すぎます
    too many levels of symbolic links
    = シンボリックリンクの段数が多すぎます
    device or resource busy
    = 使用中です
    disk quota exceeded
    = 割り当て容量を超えています
    operation not supported
    = 対応していない操作です
    text file busy
    = 実行中のファイルです
    no such device or address
    = デバイスがありません
    invalid argument
    = 引数が正しくありません
    cannot allocate memory
    = メモリが足りません
    file too large
    = ファイルが大きすぎます
    """#
}
