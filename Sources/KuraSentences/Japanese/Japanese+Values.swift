extension JapaneseSentences {
  package static let values = #"""
    this is no date
    = 日付として読めません
    years are 1 to 9999
    = 年は1から9999までです
    there is no month %1
    = %1月という月はありません
    %1-%2 has no day %3
    = %1年%2月に%3日はありません
    there is no hour %1
    = %1時という時刻はありません
    there is no minute %1
    = %1分という時刻はありません
    there is no second %1
    = %1秒という時刻はありません
    the distance from UTC is +HH:MM or -HH:MM
    = UTCとの時差は+HH:MMまたは-HH:MMと書きます
    something stands behind the date
    = 日付の後ろに余分なものがあります
    dates are in the years 1 to 9999
    = 日付は西暦1年から9999年までです
    %1 is a %2, not a %3
    = %1は%2で、%3ではありません
    its era has no such day: it would be %1
    = この元号にその日はありません。%1に当たります
    it may be %1
    = %1のどれかわかりません
    its year is missing
    = 年がありません
    its day is missing
    = 日がありません
    its year wants four digits
    = 年は4桁で書きます
    %1 means another day each day
    = 「%1」が指す日は毎日変わります
    correct one of the two, or leave the weekday out
    = 日付か曜日のどちらかを直すか、曜日を書かないでください
    write %1, or %2
    = 「%1」または「%2」と書きます
    write the hour from 0 to 23, as in 0:00 or 12:00
    = 時は0から23で、0:00や12:00のように書きます
    as in 2010-%1-%2
    = 例: 2010-%1-%2
    a whole month is BETWEEN its first and its last day
    = 月全体は、最初の日と最後の日のBETWEENで書きます
    as in 2011-01-13
    = 例: 2011-01-13
    today(), yesterday() and tomorrow() are computed when they are asked for
    = today()、yesterday()、tomorrow()は、評価するときに計算されます
    this pattern shows nothing of a date
    = このパターンでは日付が何も表示されません
    this pattern shows nothing of a number
    = このパターンでは数値が何も表示されません
    dates have no field "%1" in a pattern
    = 日付のパターンに「%1」というフィールドはありません
    the text that begins with ' does not end
    = 「'」で始まる文字列が閉じていません
    %1 is the year that a week belongs to, and not the date's
    = %1は週が属する年で、日付の年ではありません
    %1 is the day in the year, not in the month
    = %1は年の何日目かを表し、月の日ではありません
    this is no pattern of a number
    = 数値のパターンとして読めません
    a pattern has at most %1 bytes
    = パターンは%1バイトまでです
    "%1" is no locale
    = 「%1」というロケールはありません
    there is no calendar "%1"
    = 「%1」という暦はありません
    a locale has no "%1"
    = ロケールに「%1」という項目はありません
    "%1" is no code of a currency
    = 「%1」は通貨コードではありません
    as in "yyyy-MM-dd", "M月d日(E) H:mm", or one of %1
    = 例: "yyyy-MM-dd"、"M月d日(E) H:mm"、または%1のどれか
    as in "#,##0.00", "0.0%", or one of %1
    = 例: "#,##0.00"、"0.0%"、または%1のどれか
    text stands between apostrophes: '%1'; whole styles are %2
    = 文字列はアポストロフィで'%1'のように囲みます。スタイル名は%2です
    write '' for an apostrophe
    = アポストロフィ自体は''と書きます
    write %1; Y goes with w, the week
    = 「%1」と書きます。Yは週を表すwと組み合わせて使います
    write %1; D goes without a month
    = 「%1」と書きます。Dは月と一緒には使いません
    write its name, as in ja_JP, en_US, ja_JP@calendar=japanese
    = ja_JP、en_US、ja_JP@calendar=japaneseのような名前を書きます
    known are %1
    = 使えるのは%1です
    as in ja_JP@calendar=japanese
    = 例: ja_JP@calendar=japanese
    it has three letters, as in JPY, EUR, USD
    = JPY、EUR、USDのような3文字のコードです
    a boolean
    = 真偽値
    an integer
    = 整数
    a double
    = 浮動小数点数
    a decimal
    = 10進数
    a string
    = 文字列
    a date
    = 日付
    a UUID
    = UUID
    a URI
    = URI
    binary data
    = バイナリデータ
    a list
    = リスト
    a set
    = 集合
    a dictionary
    = 辞書
    an object
    = オブジェクト
    a time of day
    = 時刻
    a backslash at the end
    = 末尾にバックスラッシュがあります
    missing ] for this [
    = 「[」に対応する「]」がありません
    missing ) for this (
    = 「(」に対応する「)」がありません
    this ) closes nothing
    = 「)」に対応する「(」がありません
    nothing to repeat
    = 繰り返す対象がありません
    bad { } interval
    = { }の回数が正しくありません
    this range runs backwards
    = 範囲が逆向きです
    syntax error
    = 構文の誤り
    bad escape sequence
    = エスケープが正しくありません
    unknown property or class of characters
    = 未知のプロパティか文字クラス
    the engine does not have this
    = このエンジンにはない機能です
    ( and ) do not match
    = 「(」と「)」が対応していません
    number too large
    = 数が大きすぎます
    an interval {m,n} whose m is above n
    = {m,n}のmがnより大きくなっています
    there is no such group to refer back to
    = 後方参照するグループがありません
    unknown flag
    = 未知のフラグ
    a look-behind must have a limited length
    = 後読みの長さには上限が必要です
    [ without ]
    = 「]」のない「[」
    the pattern is too large
    = パターンが大きすぎます
    no name of a group
    = グループの名前ではありません
    unknown name of a character
    = 未知の文字名
    Sunday
    = 日曜日
    Monday
    = 月曜日
    Tuesday
    = 火曜日
    Wednesday
    = 水曜日
    Thursday
    = 木曜日
    Friday
    = 金曜日
    Saturday
    = 土曜日
    """#
}
