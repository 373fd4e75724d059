extension JapaneseSentences {
  package static let launch2 = #"""
    standard output
    = 標準出力
    standard error
    = 標準エラー出力
    Error:
    = エラー:
    Usage:
    = 使い方:
    Help:
    = 説明:
    USAGE:
    = 使い方:
    OVERVIEW:
    = 概要:
    ARGUMENTS:
    = 引数:
    OPTIONS:
    = オプション:
    Show help information.
    = この説明を表示する。
    Show the version.
    = バージョンを表示する。
    (default: %1)
    = （省略時：%1）
    (values: %1; default: %2)
    = （値：%1、省略時：%2）
    See '%1' for more information.
    = 詳しくは%1をご覧ください。
    Unknown option '%1'. Did you mean '%2'?
    = %1というオプションはありません。%2ではありませんか。
    Unknown option '%1'
    = %1というオプションはありません
    Missing value for '%1'
    = %1の値がありません
    The option '%1' does not take any value, but '%2' was specified.
    = オプション%1は値を取りませんが、%2が指定されています。
    Unexpected argument '%1'
    = 余分な引数があります：%1
    %1 unexpected arguments: '%2'
    = 余分な引数が%1個あります：%2
    Missing expected argument '%1'
    = 引数%1がありません
    The value '%1' is invalid for '%2'. Please provide one of %3.
    = %2に%1は指定できません。%3のいずれかを指定してください。
    The value '%1' is invalid for '%2'
    = %2に%1は指定できません
    User Commands
    = ユーザコマンド
    NAME
    = 名前
    SYNOPSIS
    = 書式
    OPTIONS
    = オプション
    STATEMENTS
    = 文
    SETTINGS
    = 設定
    FILES
    = ファイル
    ENVIRONMENT
    = 環境変数
    EXIT STATUS
    = 終了ステータス
    a shell for object graphs, with Cocoa's predicates
    = Cocoaの述語を使う、オブジェクトグラフのシェル
    Settings and statements that run before a conversation, unless --no-init is given; only a file that nobody else can write.
    = 対話の前に実行される設定と文（--no-initを指定した場合を除く）。ほかのユーザが書き込めるファイルは使われません。
    What was typed in all conversations.
    = これまでの対話で入力したもの。
    What was saved since the document was written.
    = ドキュメントを書き出してから保存された変更。
    Unsaved changes of a session that was ended; .recover takes them in.
    = 終了したセッションの未保存の変更。.recoverで取り込めます。
    The same where there is no store; ~/.local/state/kura unless that is set.
    = ストアがない場合の同じ内容。設定されていなければ~/.local/state/kura。
    What a learner has solved of the lessons.
    = レッスンの学習の記録。
    Messages have no colours if it is not empty.
    = 空でなければ、メッセージに色を付けません。
    dumb: lines are edited by the system.
    = dumbの場合、行の編集はシステムに任されます。
    The language that is spoken, the first that is set: en or ja.
    = 使用する言語（最初に設定されているもの）：enまたはja。
    Keys of the line editor, in place of ~/.editrc.
    = 行編集のキー設定（~/.editrcの代わり）。
    Everything was done.
    = すべて実行されました。
    A statement failed.
    = 文が失敗しました。
    The store could not be opened, read or written.
    = ストアを開けないか、読み書きできませんでした。
    There were unsaved changes at the end.
    = 未保存の変更が残っていました。
    The command line was wrong.
    = コマンドラインに誤りがありました。
    """#
}
