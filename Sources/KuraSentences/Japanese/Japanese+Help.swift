extension JapaneseSentences {
  package static let help = #"""
    here this is: %1
    = ここでは%1です
    there is something to be named
    = 生成するものの名前が必要です
    "%1" is not made here
    = 「%1」は生成できません
    write kura generate man, or bash, zsh or fish for completions
    = kura generate man、または補完用にbash、zsh、fishを書きます
    For instance here (it is tried, and nothing stays changed):
    %1
    = このストアでの例（試しに実行したもので、変更は残りません）：
    = %1
    For instance, with a small store:
    %1
    = 小さなストアでの例：
    = %1
    Example: %1
    = 例: %1
    See also: %1
    = 関連項目: %1
    (Kura) marks what no Apple platform has.
    = (Kura)はAppleのプラットフォームにないものです。
    Statements end with the line, or with ;
    %1
    Settings stand alone on a line
    %2
    More with .help TOPIC: the name of any of these, or
    %3
    = 文は行末または;で終わります
    = %1
    = 設定は単独の行に書きます
    = %2
    = 詳しくは.help 項目名で見られます。項目は上の名前のどれか、または
    = %3
    Kura's own: no Apple platform has it.
    = Kura独自のもので、Appleのプラットフォームにはありません。
    %1

      %2

      Example: %3
    %4
    = %1
    =
    =   %2
    =
    =   例: %3
    = %4
    a whole number of 64 bits
    = 64ビットの整数
    a whole number from -32768 to 32767
    = -32768から32767までの整数
    a whole number from -2147483648 to 2147483647
    = -2147483648から2147483647までの整数
    a number with a fraction, 64 bits
    = 64ビットの浮動小数点数
    a number with a fraction, 32 bits
    = 32ビットの浮動小数点数
    a number with 38 exact decimal digits
    = 10進38桁の正確な数
    text
    = 文字列
    YES or NO
    = YESまたはNO
    a moment, "1935-06-11", "2010-07-20 18:20" or "平成21年1月1日 9:00"
    = 日時。"1935-06-11"、"2010-07-20 18:20"、"平成21年1月1日 9:00"など
    bytes, as base64 text
    = バイト列。Base64で書きます
    any JSON value
    = 任意のJSONの値
    %1

      %2

      Example: %3
    = %1
    =
    =   %2
    =
    =   例: %3
    an entity of the open model
    = 開いているモデルのエンティティ
    %1

      an entity of the open model, with %2; its keys are %3
    = %1
    =
    =   開いているモデルのエンティティで、%2があります。キーは%3です
    a key of %1
    = %1のキー
    %1

      a key of %2: %3%4
    = %1
    =
    =   %2のキー：%3%4
    """#
}
