extension JapaneseSentences {
  package static let syntax = #"""
    expected %1
    = %1が必要です
    expected %1 after %2
    = %2の後ろに%1が必要です
    expected %1, found %2
    = %1が必要ですが、%2があります
    %1 is never closed
    = %1が閉じられていません
    the quote is never closed
    = 引用符が閉じられていません
    the string ended before %1
    = 文字列が%1の前で終わっています
    "%1" in a string is just "%2"
    = 文字列の中の「%1」は、ただの「%2」になります
    "\b" in a string is a backspace, no word boundary
    = 文字列の中の「\b」はバックスペースで、単語の境界ではありません
    "%" is an ordinary character in LIKE
    = LIKEでは「%」は普通の文字です
    %1 without quotes is a computation
    = 引用符のない%1は計算式になります
    %1 is neither a number nor a key
    = %1は数値でもキーでもありません
    %1 has no digits of its base
    = %1には、その基数の数字がありません
    %1 is too large for a number
    = %1は数値として大きすぎます
    ".%1" needs a digit before the point
    = 「.%1」には小数点の前に数字が必要です
    a name must follow %1
    = %1の後ろに名前が必要です
    a string has no "@" before it
    = 文字列の前に「@」は付けません
    %1 has no meaning here
    = %1はここでは意味を持ちません
    the text is not UTF-8 here
    = この場所の文字はUTF-8ではありません
    expected an operator, found %1
    = 演算子が必要ですが、%1があります
    there is no operator %1
    = %1という演算子はありません
    there is no operator "%1"
    = 「%1」という演算子はありません
    there is no operator "XOR"
    = 「XOR」という演算子はありません
    there is no operator "??"
    = 「??」という演算子はありません
    there is no operator "?"
    = 「?」という演算子はありません
    expected an operator or the end, found ","
    = 演算子か末尾が必要ですが、「,」があります
    a value has no "+" before it
    = 値の前に「+」は付けません
    "%1" computes with bits and joins no comparisons
    = 「%1」はビット演算で、比較をつなぎません
    NOT stands before the whole comparison, not before %1
    = NOTは%1の前ではなく、比較全体の前に書きます
    there is no operator "IS"
    = 「IS」という演算子はありません
    %1 is a value, not a predicate
    = %1は値で、述語ではありません
    BETWEEN wants its two bounds in braces
    = BETWEENの二つの境界は波括弧で囲みます
    a list stands in braces
    = リストは波括弧で囲みます
    %1 cannot be called with a dot
    = %1は「.」を付けて呼び出せません
    %1 stands between two values
    = %1は二つの値の間に書きます
    %1 takes %2, not %3
    = %1の引数は%2で、%3個ではありません
    the selector of FUNCTION stands in quotes
    = FUNCTIONのセレクタは引用符で囲みます
    there is no option %1
    = %1というオプションはありません
    all options stand in one bracket
    = オプションは一つの角括弧にまとめます
    the type of CAST stands behind a comma, in quotes
    = CASTの型は「,」の後ろに、引用符で囲んで書きます
    expected options between the brackets
    = 角括弧の中にオプションが必要です
    comparisons cannot be chained
    = 比較を続けて書くことはできません
    a predicate is no value
    = 述語は値になりません
    "*" is no value
    = 「*」は値ではありません
    %1 stands before one comparison, without parentheses
    = %1は一つの比較の前に、丸括弧を付けずに書きます
    %1 is a reserved word
    = %1は予約語です
    a key cannot begin with a digit: %1
    = キーは数字で始められません：%1
    nested deeper than %1 levels
    = 入れ子が%1段を超えています
    comments are not written this way
    = コメントの書き方が違います
    %1 stands for an argument, and none is given here
    = %1は引数を表しますが、ここには引数がありません
    %1 stands for a value, and none is given here
    = %1は値を表しますが、ここには値がありません
    %1 is an ordinary character in LIKE
    = LIKEでは%1は普通の文字です
    "^" compares bits, and is no power
    = 「^」はビット演算で、累乗ではありません
    there is no format specifier %1
    = %1という書式指定子はありません
    %1 has no argument: none are given
    = %1に対応する引数がありません：引数は一つも渡されていません
    %1 has no argument: only 1 is given
    = %1に対応する引数がありません：渡された引数は1個だけです
    %1 has no argument: only %2 are given
    = %1に対応する引数がありません：渡された引数は%2個だけです
    %1 for %2
    = %2に対して%1あります
    %1 wants %2
    = %1には%2が必要です
    there is an invisible character here
    = ここに見えない文字があります
    this blank is not the one of the space bar
    = この空白はスペースキーで入力した空白とは違います
    %1 is not %2
    = %1は%2ではありません
    a value
    = 値
    a predicate
    = 述語
    a comparison
    = 比較
    AND, OR or the end
    = AND、OR、または末尾
    an operator or the end
    = 演算子か末尾
    a key
    = キー
    a variable such as $x
    = $xのような変数
    "," or "%1"
    = 「,」か「%1」
    the letters c, d, n or l
    = c、d、n、lのどれか
    for instance title CONTAINS "x"
    = 例: title CONTAINS "x"
    all letters stand in one bracket: [cd]
    = 文字は[cd]のように一つの角括弧にまとめます
    for instance CAST(x, "NSNumber")
    = 例: CAST(x, "NSNumber")
    for instance SUBQUERY(items, $i, $i.done == NO)
    = 例: SUBQUERY(items, $i, $i.done == NO)
    for instance TERNARY(done == YES, 1, 2)
    = 例: TERNARY(done == YES, 1, 2)
    no arguments
    = なし
    one argument
    = 1個
    %1 arguments
    = %1個
    %1 or %2 arguments
    = %1個または%2個
    at least one argument
    = 1個以上
    %1 wants hexadecimal digits behind it
    = %1の後ろに16進数の数字が必要です
    %1 is half of a surrogate pair
    = %1はサロゲートペアの片方です
    %1 is no Unicode character
    = %1はUnicodeの文字ではありません
    the string is not UTF-8
    = 文字列がUTF-8ではありません
    %1 format specifiers
    = 書式指定子%1個
    """#
}
