extension JapaneseSentences {
  package static let functionHelp = #"""
    a / b; two integers give an integer
    = a / b。整数同士なら整数になる
    the remainder of a division
    = 割り算の余り
    an element of a list; also list[0]
    = リストの要素。list[0]とも書ける
    the value itself; a store is asked to use no index
    = 値そのもの。ストアに索引を使わないよう求める
    the value as another type; also CAST(x, "NSNumber")
    = 別の型にした値。CAST(x, "NSNumber")とも書ける
    the first value that is not nil
    = nilでない最初の値
    a new UUID by chance
    = 無作為な新しいUUID
    how much time lies between two dates, in one unit or split into several
    = 二つの日付の間の時間。一つの単位で、または複数の単位に分けて
    this moment
    = 今この瞬間
    the start of today
    = 今日の始まり
    the start of yesterday
    = 昨日の始まり
    the start of tomorrow
    = 明日の始まり
    the date that a text writes
    = 文字列が表す日付
    the year of a date
    = 日付の年
    the month of a date, from 1
    = 日付の月（1から）
    the day in the month
    = 月の中の日
    the hour of a date
    = 日付の時
    the minute of a date
    = 日付の分
    the second of a date
    = 日付の秒
    the day in the week, from 1 for Sunday
    = 曜日の番号（日曜日が1）
    0:00 of the same day
    = 同じ日の0:00
    how many calendar days lie between two dates
    = 二つの日付の間の日数（暦の日）
    a date so many days, months or other units later
    = 日数、月数などを足した日付
    a date or a number in a pattern, or short, medium, long or full
    = 日付や数値を、パターンかshort、medium、long、fullで書いた文字列
    a date or a number
    = 日付または数値
    a number or a string
    = 数値または文字列
    the square root
    = 平方根
    the logarithm to base 10
    = 10を底とする対数
    the natural logarithm
    = 自然対数
    e to this power
    = eの累乗
    the number without its sign
    = 絶対値
    the next integer upwards
    = 切り上げた整数
    the next integer downwards
    = 切り捨てた整数
    the next integer towards zero
    = 0に近いほうへ丸めた整数
    a number from 0 to 1 by chance
    = 0から1までの乱数
    an integer from 0 below this one
    = 0以上これ未満の整数の乱数
    the nearest integer, halves away from zero
    = 最も近い整数（四捨五入）
    the sum of a list of numbers
    = 数値のリストの合計
    how many elements a list has
    = リストの要素の数
    the least element of a list
    = リストの最小の要素
    the greatest element of a list
    = リストの最大の要素
    the mean of a list of numbers
    = 数値のリストの平均
    the middle of a list of numbers, or the mean of the two in it
    = 数値のリストの中央値
    a list of the values that occur most often
    = 最も多く現れる値のリスト
    the standard deviation of a whole population
    = 母集団の標準偏差
    the text in capitals
    = 大文字にした文字列
    the text in small letters
    = 小文字にした文字列
    how many UTF-16 units a text has; 𠮷 has 2
    = 文字列のUTF-16単位の数。𠮷は2
    the text without case and diacritics
    = 大文字と小文字、濁点などの違いをなくした文字列
    the text without blanks at its ends
    = 両端の空白を除いた文字列
    so many UTF-16 units from a place, counted from 0
    = 0から数えた位置からのUTF-16単位の部分文字列
    texts put together
    = 連結した文字列
    a list of texts with a separator between them
    = 文字列のリストを区切り文字でつないだもの
    """#
}
