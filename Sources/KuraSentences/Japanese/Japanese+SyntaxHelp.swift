extension JapaneseSentences {
  package static let syntaxHelp = #"""
    close it with %1
    = %1で閉じます
    to keep the backslash, double it: \%1
    = バックスラッシュを残すには二つ重ねます：\%1
    for a word boundary write \\b
    = 単語の境界は\\bと書きます
    write $%1, which has its value from --arg %2 VALUE or let $%3 = …
    = $%1と書き、--arg %2 VALUEまたはlet $%3 = …で値を与えます
    "*" is any run of characters, "?" any one
    = 「*」は任意の文字列、「?」は任意の1文字を表します
    write ** for a power
    = 累乗は**と書きます
    a date stands in quotes: "%1"
    = 日付は引用符で囲みます："%1"
    a time stands in quotes: "%1"
    = 時刻は引用符で囲みます："%1"
    a string stands in quotes: %1
    = 文字列は引用符で囲みます：%1
    for instance == < > IN CONTAINS BEGINSWITH LIKE MATCHES
    = 例: == < > IN CONTAINS BEGINSWITH LIKE MATCHES
    write modulus:by:(a, b) for the remainder
    = 余りはmodulus:by:(a, b)と書きます
    write (a OR b) AND NOT (a AND b)
    = (a OR b) AND NOT (a AND b)と書きます
    write coalesce(a, b)
    = coalesce(a, b)と書きます
    write TERNARY(a == nil, 1, 2)
    = TERNARY(a == nil, 1, 2)のように書きます
    AND stands between two conditions, and a list in braces: {1, 2}
    = 二つの条件の間にはANDを書き、リストは{1, 2}のように波括弧で囲みます
    write %1 between two comparisons
    = 二つの比較の間には%1と書きます
    write NOT %1 %2 …
    = NOT %1 %2 …と書きます
    for instance == < > IN CONTAINS LIKE; a key with a blank is %1
    = 例: == < > IN CONTAINS LIKE。空白を含むキーは%1と書きます
    compare it with something: %1 == …
    = 何かと比較します：%1 == …
    write BETWEEN {1, 9}
    = BETWEEN {1, 9}のように書きます
    write {1, 2}
    = {1, 2}のように書きます
    ".help functions" lists them all
    = 「.help functions」で一覧が見られます
    for instance FUNCTION(title, "uppercaseString")
    = 例: FUNCTION(title, "uppercaseString")
    c ignores case, d diacritics; n and l are the others
    = cは大文字と小文字、dは濁点などの違いを無視します。ほかにnとlがあります
    write CAST(x, "%1")
    = CAST(x, "%1")と書きます
    for several conditions: SUBQUERY(items, $i, …).@count > 0
    = 複数の条件はSUBQUERY(items, $i, …).@count > 0と書きます
    write a < b AND b < c
    = a < b AND b < cと書きます
    TERNARY(predicate, 1, 0) makes one of it
    = TERNARY(predicate, 1, 0)で値にします
    SELF is the object itself: count(SELF) counts objects
    = SELFがオブジェクト自身です。count(SELF)でオブジェクトを数えます
    write #%1 for a key of that name
    = その名前のキーは#%1と書きます
    an element of a list is (list)[0]
    = リストの要素は(list)[0]と書きます
    in a statement "-- " begins one
    = 文の中では「-- 」からコメントになります
    a format string has none
    = 書式文字列にコメントは書けません
    give arguments to init(format:arguments:), or write a variable: $x
    = init(format:arguments:)に引数を渡すか、$xのように変数で書きます
    %@ is a value, %K a key path, %d an integer, %f a double
    = %@は値、%Kはキーパス、%dは整数、%fは浮動小数点数です
    write an apostrophe as \', or put the string in double quotes
    = アポストロフィは\'と書くか、文字列を二重引用符で囲みます
    write a quote in the string as \", or put the string in single quotes
    = 文字列の中の引用符は\"と書くか、文字列を一重引用符で囲みます
    write title CONTAINS "x"
    = title CONTAINS "x"と書きます
    write title BEGINSWITH "x"
    = title BEGINSWITH "x"と書きます
    write title ENDSWITH "x"
    = title ENDSWITH "x"と書きます
    write %1(title)
    = %1(title)と書きます
    write items.@count, or length(title)
    = items.@countまたはlength(title)と書きます
    write it as a function of the value, or as FUNCTION(value, "%1")
    = 値の関数として書くか、FUNCTION(value, "%1")と書きます
    """#
}
