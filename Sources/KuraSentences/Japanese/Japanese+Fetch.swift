extension JapaneseSentences {
  package static let fetch = #"""
    and
    = 論理積
    or
    = 論理和
    not
    = 否定
    row of %1
    = %1の行
    no such objectID
    = 該当するオブジェクトIDなし
    %1 objects that were named
    = 指定された%1個のオブジェクト
    scan of %1 objects
    = %1個のオブジェクトを走査
    first of each group of equal rows
    = 同じ行のグループごとに最初の行
    aggregates over all
    = 全体の集約
    one group
    = 一つのグループ
    codes of columns
    = 列のコード
    numbered values
    = 番号を付けた値
    values, hashed
    = ハッシュした値
    %1; %2 of %3 aggregates by loops over columns
    = %1；集約%3個のうち%2個は列ごとのループ
    by values
    = 値で並べ替え
    by packed keys
    = まとめたキーで並べ替え
    by words of keys, worked out for whole columns
    = キーの語で並べ替え（列全体で計算）
    regular expression over %1, searching its longest literal
    = %1の正規表現（最も長いリテラルを検索）
    by packed keys, worked out for whole columns
    = まとめたキーで並べ替え（列全体で計算）
    by words of keys
    = キーの語で並べ替え
    keeps the first %1
    = 最初の%1個だけを保持
    groups
    = グループ
    regular expression over %1
    = %1の正規表現
    rows by objectID
    = オブジェクトIDから行を特定
    links of %1
    = %1のつながり
    pattern over %1
    = %1のパターン
    pattern over %1, searching its longest literal
    = %1のパターン（最長のリテラルを検索）
    automaton over %1
    = %1のオートマトン
    automaton over %1, searching its longest literal
    = %1のオートマトン（最長のリテラルを検索）
    range over %1
    = %1の範囲
    nulls of %1
    = %1のnull
    one of many numbers of %1
    = %1の多数の数値との照合
    distinct values of %1
    = %1の異なる値
    %1, searching the bytes of %2
    = %1（%2のバイトを検索）
    %1, searching the folded bytes of %2
    = %1（正規化した%2のバイトを検索）
    %1, text by text of %2
    = %1（%2を1件ずつ照合）
    order of the bytes of %1
    = %1のバイト順
    order of the folded bytes of %1
    = 正規化した%1のバイト順
    one of some texts of %1
    = %1のいくつかの文字列との照合
    constant
    = 定数
    kernel: %1
    = カーネル：%1
    semi-join: %1
    = 準結合：%1
    reference evaluator
    = 参照評価器
    index of %1
    = %1の索引
    %1, in %2
    = %1（%2）
    the JSON here has no key "%1"
    = ここのJSONに「%1」というキーはありません
    the JSON here has no key "%1", in none of %2 values
    = ここのJSONに「%1」というキーはありません（%2個の値を調べました）
    the values of "%1" are texts, such as "%2", and %3 is compared with them letter by letter
    = 「%1」の値は「%2」のような文字列で、%3とは一文字ずつ比べられます
    make dates of them: alter entity %1 change %2: %3
    = 日付にするには：alter entity %1 change %2: %3
    the values of "%1" are texts, such as "%2", and %3 is a date: they are never the same
    = 「%1」の値は「%2」のような文字列で、%3は日付です。等しくなることはありません
    the values of "%1" are texts, and %2 is a date: they are never the same
    = 「%1」の値は文字列で、%2は日付です。等しくなることはありません
    the values of "%1" are numbers, and %2 is a text
    = 「%1」の値は数で、%2は文字列です
    the values of "%1" are texts, and %2 is a number
    = 「%1」の値は文字列で、%2は数です
    the values of "%1" have a time of day, and %2 is only the first moment of its day
    = 「%1」の値には時刻もあり、%2はその日の最初の瞬間だけを指します
    for the whole day: startOfDay(%1) == %2
    = その日全体ならば、startOfDay(%1) == %2と書きます
    there is no object %1
    = %1というオブジェクトはありません
    there is no %1
    = %1はありません
    the heading %1 comes twice: at %2, and again at %3
    = 見出し%1が%2と%3の2か所に現れます
    sort by the key of the sections first, or leave sort out
    = 先にセクションのキーで並べ替えるか、sortを外します
    whole columns
    = 列全体で計算
    whole columns, in a set
    = 列全体で計算（集合に対して）
    """#
}
