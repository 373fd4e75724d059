extension JapaneseSentences {
  package static let foreign = #"""
    it is not said whose objects are meant
    = どのエンティティのオブジェクトかが書かれていません
    fetch ENTITY gives all objects, count ENTITY how many they are
    = fetch ENTITYはすべてのオブジェクトを、count ENTITYはその数を返します
    what %1 is worth is not known here
    = ここでは%1の値がわかりません
    write it in its place, or let $%1 = … and $%2
    = 値をそのまま書くか、let $%1 = …としてから$%2と書きます
    describe ENTITY lists the keys
    = キーの一覧はdescribe ENTITYで見られます
    .%1 of such values
    = このような値の.%1
    several conditions on one of such values
    = このような値一つに対する複数の条件
    .%1 of a to-many
    = 対多の関係の.%1
    a slice from the end
    = 末尾からのスライス
    sort … desc limit N takes the last ones
    = 末尾のN個はsort … desc limit Nで取り出します
    $match behind $group
    = $groupの後ろの$match
    .reduce of anything but a sum
    = 合計以外の.reduce
    .%1 behind a limit
    = limitの後ろの.%1
    let $x = fetch … limit N, and fetch $x behind it
    = let $x = fetch … limit Nとしてから、$xを取り出します
    .%1 behind a value
    = 値の後ろの.%1
    %1 needs a value
    = %1には値が必要です
    write the value, or a variable: let $x = …, and $x here
    = 値を書くか、let $x = …としてからここに$xと書きます
    of one entity it is where … OR …, else two fetches
    = 一つのエンティティならwhere … OR …、別のエンティティなら二つの取り出しにします
    nothing is locked here
    = ここではロックの必要がありません
    group by makes one row of each group
    = group byはグループごとに1行にまとめます
    a SELECT behind FROM
    = FROMの後ろのSELECT
    let $x = fetch …, and fetch $x behind it
    = let $x = fetch …としてから、$xを取り出します
    begin with the other entity
    = もう一方のエンティティから始めます
    %1 of what is there
    = 既存のものへの%1
    update changes it
    = 変更はupdateで行います
    insert takes the values of one object, or JSON
    = insertに渡せるのは、一つのオブジェクトの値かJSONです
    update changes what is there, insert makes what is new
    = 既存のものはupdateで変更し、新しいものはinsertで作ります
    the answer names the new objects
    = 新しいオブジェクトは結果に表示されます
    %1 values stand for %2 keys
    = %2個のキーに対して値が%1個あります
    the keys are %1
    = キーは%1です
    a path leads to what belongs to it
    = 関係する値にはキーパスで届きます
    LIMIT in a change
    = 変更文のLIMIT
    let $x = fetch … limit N, and $x in its place
    = let $x = fetch … limit Nとしてから、$xを指定します
    an index is made where a query needs one; unique keys have it
    = 索引は必要なときに自動で作られます。uniqueのキーには初めからあります
    request NAME = fetch … keeps a fetch
    = 取り出しはrequest NAME = fetch …で名前を付けて残せます
    save "FILE" makes a store
    = save "FILE"でストアを作ります
    %1 of a table
    = テーブルの%1
    check (…) stands behind a key
    = check (…)はキーの後ろに書きます
    the type %1
    = 型%1
    string, integer, double, decimal, date, boolean
    = string、integer、double、decimal、date、booleanがあります
    alter entity … change KEY: TYPE says the key anew
    = alter entity … change KEY: TYPEでキーを定義し直します
    Kura keeps itself in order
    = Kuraでは手入れは不要です
    who may open the file may do all
    = ファイルを開ける人は何でもできます
    a SELECT that asks for the row around it
    = 外側の行を参照するSELECT
    SUBQUERY(items, $x, …) asks what belongs to it
    = 関連するオブジェクトはSUBQUERY(items, $x, …)で調べます
    a join with %1
    = %1による結合
    a relationship leads from one entity to another: item.category.name
    = エンティティの間は関係でたどります：item.category.name
    a condition of LEFT JOIN
    = LEFT JOINの条件
    limit 0 is no limit
    = limit 0は制限なしです
    %1 inside of a condition
    = 条件の中の%1
    %1 with %2 arguments
    = 引数が%2個の%1
    MATCHES has it
    = MATCHESで書けます
    write %1, with let %2 = … before, or --arg %3 VALUE
    = let %2 = …または--arg %3 VALUEで値を与えて、%1と書きます
    DISTINCT in a function
    = 関数の中のDISTINCT
    (fetch … select distinct x).@count counts them
    = (fetch … select distinct x).@countで数えます
    date_trunc of anything but a day
    = 日以外のdate_trunc
    compare year(d) and month(d)
    = year(d)とmonth(d)を比較します
    the unit %1
    = 単位%1
    the modifier '%1'
    = 修飾子「%1」
    %1(…) with a condition
    = 条件付きの%1(…)
    round to decimals
    = 小数点以下の桁を指定したround
    format(x, "0.00") shows so many
    = format(x, "0.00")で桁数を指定して表示します
    another language
    = 別の言語
    a shell
    = シェル
    plain words
    = 普通の文章
    nothing replaces a part of a text here
    = 文字列の一部を置き換えるものはありません
    nothing turns a text round here
    = 文字列を逆順にするものはありません
    group by gives numbers of a group, and no texts
    = group byで求められるのは数値で、文字列ではありません
    offset and limit take a part of the rows
    = 行の一部はoffsetとlimitで取り出します
    """#
}
