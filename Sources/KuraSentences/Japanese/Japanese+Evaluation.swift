extension JapaneseSentences {
  package static let evaluation = #"""
    %1 has no key "%2"
    = %1に「%2」というキーはありません
    %1 and %2 have no order
    = %1と%2の間に順序はありません
    %1 compares strings; this is %2
    = %1は文字列を比較しますが、これは%2です
    %1 needs a collection; this is %2
    = %1にはコレクションが必要ですが、これは%2です
    %1 contains nothing
    = %1には何も含まれません
    BETWEEN needs two bounds; these are %1
    = BETWEENには境界が二つ必要ですが、%1個あります
    BETWEEN needs a list of two bounds
    = BETWEENには二つの境界のリストが必要です
    arithmetic needs numbers; this is %1
    = 算術演算には数値が必要ですが、これは%1です
    this needs an integer
    = 整数が必要です
    division by zero
    = 0で割っています
    the result is too large, or no number
    = 結果が大きすぎるか、数値になりません
    not a regular expression: %1
    = 正規表現として正しくありません：%1
    not a regular expression: %1 at character %2
    = 正規表現として正しくありません：%1（%2文字目）
    the regular expression needs more than %1 million steps for this text
    = この文字列では、正規表現の照合に%1百万ステップより多くかかります
    the regular expression needs more than %1 MB for this text
    = この文字列では、正規表現の照合に%1 MBより多くのメモリが必要です
    the regular expression needs more than %1 seconds of computing for this text
    = この文字列では、正規表現の照合に%1秒より長い計算時間がかかります
    stopped
    = 中断しました
    $%1 has no value
    = $%1に値がありません
    $%1 stands for a key, but is %2
    = $%1はキーを表すはずですが、%2です
    %1 has no key %2
    = %1に%2というキーはありません
    %1 cannot be read: %2
    = %1を読めません：%2
    there is no collection operator @%1
    = @%1というコレクション演算子はありません
    @%1 needs a key behind it
    = @%1の後ろにはキーが必要です
    there is no element %1 among %2
    = %2個の要素に%1番目はありません
    %1 is no index here
    = %1はここでは添字になりません
    the index binds tighter than the dot
    = 添字は「.」より強く結び付きます
    there is no function %1
    = %1という関数はありません
    %1 cannot be called
    = %1は呼び出せません
    %1 does not take %2 arguments
    = %1は%2個の引数をとりません
    this needs %1, not %2
    = %2ではなく、%1が必要です
    %1 cannot be made %2
    = %1を%2に変換できません
    %1 is no number
    = %1は数値ではありません
    this needs an integer above 0, not %1
    = 0より大きい整数が必要ですが、%1です
    CAST knows no type %1
    = CASTに%1という型はありません
    there is no unit %1
    = %1という単位はありません
    %1 is neither YES nor NO
    = %1はYESでもNOでもありません
    %1 is read, but cannot be evaluated
    = %1は読めますが、評価できません
    the result would be larger than %1 MB
    = 結果が%1 MBを超えます
    the list would have more than %1 elements
    = リストの要素が%1個を超えます
    lists would stand in each other more than %1 deep
    = リストの入れ子が%1段を超えます
    give nil a value: coalesce(x, 0)
    = nilに代わる値を与えます：coalesce(x, 0)
    CAST(x, "NSNumber") makes a string a number, and concat(a, b) joins strings
    = CAST(x, "NSNumber")で文字列を数値に、concat(a, b)で文字列を連結します
    sum(list) adds its elements, and list.@count counts them
    = 要素の合計はsum(list)、個数はlist.@countです
    write BETWEEN {low, high}
    = BETWEEN {low, high}と書きます
    IN and CONTAINS ask a list such as {1, 2}, or a string
    = INとCONTAINSは、{1, 2}のようなリストか文字列を調べます
    ask for its elements with ANY or ALL
    = 要素についてはANYまたはALLで調べます
    CAST(x, "NSString") makes it a string
    = CAST(x, "NSString")で文字列にします
    the first element has the index 0, and [SIZE] counts them
    = 最初の要素の添字は0で、個数は[SIZE]です
    a part of a string is substring(s, 0, 1)
    = 文字列の一部はsubstring(s, 0, 1)で取り出します
    an index is a whole number from 0, FIRST, LAST or SIZE
    = 添字は0以上の整数、またはFIRST、LAST、SIZEです
    for the elements themselves write @%1.self
    = 要素そのものは@%1.selfと書きます
    known are year month week day hour minute second
    = 使えるのはyear、month、week、day、hour、minute、secondです
    a repetition inside a repetition, as in (a+)+, tries too many ways
    = (a+)+のような繰り返しの中の繰り返しは、試す組み合わせが多くなりすぎます
    ask before whether it is one: x MATCHES "-?[0-9.]+" AND …
    = 先に数値かどうかを調べます：x MATCHES "-?[0-9.]+" AND …
    dates are written 1935-06-11, or 2010-07-20 18:20
    = 日付は1935-06-11または2010-07-20 18:20のように書きます
    ask for its elements with ANY or ALL, or for their number with .@count
    = 要素についてはANYまたはALLで、個数は.@countで調べます
    CAST(x, "NSNumber") makes a string a number
    = CAST(x, "NSNumber")で文字列を数値にします
    the conjunctive form has more than %1 comparisons
    = 連言標準形の比較が%1個を超えます
    """#
}
