extension JapaneseSentences {
  package static let learning = #"""
    no object is of %1 and of %2
    = %1と%2の両方に属するオブジェクトはありません
    compare fetches of one entity, or of its subentities
    = 一つのエンティティ、またはそのサブエンティティの取り出しを比較します
    where they differ, %1 is nil of some element: %2
    = 違いが出るところでは、%1の要素にnilがあります。%2
    where they differ, %1 is nil: %2
    = 違いが出るところでは、%1がnilです。%2
    where they differ, %1 is empty: ALL and NONE are true of nothing, ANY is not
    = 違いが出るところでは、%1が空です。何もないとき、ALLとNONEは真、ANYは偽になります
    ANY wants one element of which it is so, ALL each, NONE and NOT ANY no one
    = ANYは少なくとも一つの要素、ALLはすべての要素が満たすこと、NONEとNOT ANYは一つも満たさないことを求めます
    each ANY may mean another element; a SUBQUERY asks all of the same one
    = ANYはそれぞれ別の要素でもかまいません。SUBQUERYは同じ要素にすべてを求めます
    they differ at the border itself: < and > leave it out, <= and >= let it in
    = 境界そのもので違います。<と>は境界を含まず、<=と>=は含みます
    %1 and %2 ask different things
    = %1と%2では調べることが違います
    the same parts are joined otherwise; AND binds before OR, and NOT before both
    = 同じ条件のつなぎ方が違います。NOT、AND、ORの順に強く結び付きます
    only one of them asks %1
    = 片方だけが%1を調べています
    the same objects pass, and limit or offset take others of them
    = 述語に合うオブジェクトは同じですが、limitやoffsetで取り出すものが違います
    a comparison with nil is never true, and NOT turns that round
    = nilとの比較は真にならず、NOTを付けると逆になります
    nil is unequal to any value, so != is true; other comparisons with it are not
    = nilはどの値とも等しくないので、!=は真になりますが、ほかの比較は真になりません
    a comparison with nil is never true
    = nilとの比較は真になりません
    [c] lets upper and lower case be the same
    = [c]は大文字と小文字を区別しません
    [d] leaves marks such as é and が aside
    = [d]は「é」や「が」などの符号や濁点を区別しません
    [n] takes the text as it is, byte by byte
    = [n]は文字列をそのままバイト単位で比べます
    [l] goes by the locale
    = [l]はロケールに従います
    %1 is in the first%2 and not in the second%3
    = %1は一つ目に入り%2、二つ目には入りません%3
    %1 is in the second%2 and not in the first%3
    = %1は二つ目に入り%2、一つ目には入りません%3
    , where %1 is %2%3,
    = （%1は%2%3）
    "%1" as its entity
    = エンティティとしての「%1」
    such values
    = このような値
    function for %1
    = %1に当たる関数
    compute it before, and hand it over: $x
    = 先に計算して、$xとして渡します
    fetch in a format
    = 書式文字列の中の取り出し
    run it before, and hand over what it found
    = 先に実行して、結果を渡します
    number for an objectID
    = オブジェクトIDに当たる数
    sort by anything but a key path
    = キーパス以外による並べ替え
    order of nil of its own
    = nilの位置を指定する順序
    comparator for [%1]
    = [%1]に当たる比較方法
    string for the column %1
    = 列%1を表す文字列
    it is an NSExpressionDescription, which needs its result type said
    = 結果の型を指定したNSExpressionDescriptionになります
    map what was found: .map { $0.title }
    = 取り出したものを変換します：.map { $0.title }
    fetches in fetches
    = 取り出しの中の取り出し
    object %1
    = オブジェクト%1
    counterpart of %1
    = %1に当たるもの
    lists of values here
    = ここに書ける値のリスト
    attributes of type %1
    = %1型の属性
    "%1" as a table
    = テーブルとしての「%1」
    order such as %1
    = %1のような順序
    its own comparisons know the case of ASCII letters alone
    = それ自体の比較が区別なく扱えるのはASCIIの文字だけです
    collection in %1
    = %1のコレクション
    BETWEEN without two bounds
    = 二つの境界のないBETWEEN
    IN without a list of values
    = 値のリストのないIN
    LIKE with this pattern
    = このパターンのLIKE
    comparison of objects
    = オブジェクトの比較
    %1[%2] of this kind
    = このような%1[%2]
    %1 of two values that may be nil
    = nilかもしれない二つの値の%1
    localizedStandardContains is [cd]
    = localizedStandardContainsが[cd]に当たります
    %1 of these
    = これらの%1
    IN of this kind
    = このようなIN
    BETWEEN bounds that may be nil
    = 境界がnilかもしれないBETWEEN
    arithmetic with values that may be nil
    = nilかもしれない値の算術演算
    "%1" as its type
    = 型としての「%1」
    distinct rows
    = 重複のない行
    way to leave out subentities
    = サブエンティティを除く方法
    type called %1
    = %1という名前の型
    property called %1
    = %1という名前のプロパティ
    SortDescriptor for %1
    = %1のSortDescriptor
    natural order of %1
    = %1の自然な順序
    property to fetch
    = 取り出すプロパティ
    returns distinct results
    = 重複のない結果
    property to group by
    = グループ化するプロパティ
    having predicate
    = having述語
    sort descriptor
    = ソート記述子
    section name key path
    = セクション名のキーパス
    fetch request
    = 取り出し要求
    fetch offset
    = 取り出しのオフセット
    fetch limit
    = 取り出しの上限
    fetch batch size
    = 取り出しのバッチサイズ
    own objects only
    = 自身のオブジェクトだけ
    compound predicate
    = 複合述語
    constant predicate
    = 定数述語
    boolean
    = 真偽値
    comparison predicate
    = 比較述語
    evaluated object
    = 評価対象のオブジェクト
    variable
    = 変数
    key path
    = キーパス
    function
    = 関数
    index
    = 添字
    aggregate
    = 集合の式
    subquery
    = サブクエリ
    conditional
    = 条件式
    %1 set
    = %1の集合演算
    any key
    = 任意のキー
    predicate
    = 述語
    fetch request expression
    = 取り出し要求の式
    … %1 more
    = …ほか%1件
    not asked
    = 未評価
    %1 is %2
    = %1 は %2
    no elements
    = 要素なし
    %1 elements
    = 要素%1個
    both
    = 両方
    only the first
    = 一つ目だけ
    only the second
    = 二つ目だけ
    columns
    = 列
    sections
    = セクション
    decimals
    = 10進数
    the library
    = このライブラリ
    """#
}
