extension JapaneseSentences {
  package static let checking = #"""
    the clocks of %1 skip "%2", which is read as %3
    = %1では「%2」という時刻が夏時間で飛ばされるため、%3として読みます
    an offset behind it says which moment is meant: "%1Z" in UTC
    = 時差を付けると瞬間が定まります。UTCならば"%1Z"です
    a number
    = 数値
    a text
    = 文字列
    an object of %1
    = %1のオブジェクト
    "%1" is a collection, which is never one value of a list
    = 「%1」はコレクションで、リストの一つの値と等しくなることはありません
    CONTAINS asks here whether %1 is the whole of one of "%2"
    = このCONTAINSは、%1が「%2」のどれか一つの全体と等しいかを調べます
    "%1" is a collection, which never equals the one value "%2"
    = 「%1」はコレクションで、一つの値「%2」と等しくなることはありません
    IN asks here whether "%1" is a part of the text %2
    = このINは、「%1」が文字列%2の一部かどうかを調べます
    "%1" is %2 and "%3" %4: they are never the same value
    = 「%1」は%2、「%3」は%4で、同じ値になることはありません
    the values of "%1" are lists, and %2 compares one value
    = 「%1」の値はリストですが、%2は一つの値を比較します
    ask for ANY %1 IN …
    = ANY %1 IN …で調べます
    for a part of one: ANY %1 CONTAINS %2; for the whole: ANY %3 == %4
    = 一部を探すにはANY %1 CONTAINS %2、全体と比べるにはANY %3 == %4と書きます
    ask for %1 IN %2
    = %1 IN %2で調べます
    for a part of "%1": %2 CONTAINS %3; for one of several: %4 IN {%5}
    = 「%1」の一部を探すには%2 CONTAINS %3、いくつかのどれかならば%4 IN {%5}と書きます
    ask for ANY %1 %2 …
    = ANY %1 %2 …で調べます
    "%1" in quotes is a text, and not the key of %2
    = 引用符で囲んだ「%1」は文字列で、%2のキーではありません
    a key stands without quotes: %1
    = キーには引用符を付けません：%1
    "%1" is a collection, which is empty at most, and never nil
    = 「%1」はコレクションです。空になることはあっても、nilにはなりません
    ask for %1.@count %2 0
    = %1.@count %2 0で調べます
    "%1" has no order, and so no first object and no last one
    = 「%1」には順序がないため、最初や最後のオブジェクトはありません
    ask for ANY %1, or make it ordered in the model
    = ANY %1で調べるか、モデルで順序付き（ordered）にします
    there is no entity "%1"
    = 「%1」というエンティティはありません
    "%1" is no value: there is no object here to ask
    = 「%1」は値ではありません。ここにはキーを持つオブジェクトがありません
    a value of type %1 has no "%2"
    = %1型の値に「%2」というキーはありません
    "%1" is a collection, and %2 compares one value
    = 「%1」はコレクションですが、%2は一つの値を比較します
    "%1" is one value, not a collection
    = 「%1」は一つの値で、コレクションではありません
    %1 is no value of type %2
    = %1は%2型の値ではありません
    arithmetic needs numbers, and "%1" is a date
    = 計算には数が必要ですが、「%1」は日付です
    dateByAdding moves a date, daysBetween and timeBetween tell how far two are apart
    = 日付をずらすにはdateByAdding、二つの日付の間隔にはdaysBetweenやtimeBetweenを使います
    object
    = オブジェクト
    string
    = 文字列
    integer
    = 整数
    integer16
    = 16ビット整数
    integer32
    = 32ビット整数
    double
    = 倍精度実数
    float
    = 単精度実数
    decimal
    = 十進数
    date
    = 日付
    dates kept as text compare by CAST(key, "NSDate")
    = 文字列で書かれた日付はCAST(key, "NSDate")で比べます
    "%1" is of type %2, and %3 can never be one
    = 「%1」は%2型で、%3がその値になることはありません
    %1 is asked of text, and this is of type %2
    = %1は文字列を調べますが、これは%2型です
    $%1 is a value, not a predicate
    = $%1は値で、述語ではありません
    "%1" is a word of the language and a key of %2
    = 「%1」は文の語でもあり、%2のキーでもあります
    %1 takes a number from 0 up
    = %1には0以上の数が必要です
    "%1" is a collection, and a sort goes by one value
    = 「%1」はコレクションですが、並べ替えには一つの値が必要です
    "%1" is no number, and has no minus
    = 「%1」は数値ではないので、マイナスは付けられません
    "%1" is a collection, and a heading is one value
    = 「%1」はコレクションですが、見出しには一つの値が必要です
    "%1" is a collection, and groups go by one value
    = 「%1」はコレクションですが、グループ化には一つの値が必要です
    %1 is of a group, and cannot make the groups
    = %1はグループの値なので、グループ化には使えません
    two columns are called "%1"
    = 「%1」という名前の列が二つあります
    "%1" is not selected, and a distinct row has only what is
    = 「%1」は選択されていません。distinctの行には選択した値しかありません
    "%1" is neither an aggregate nor a grouping key
    = 「%1」は集約でもグループ化のキーでもありません
    %1 in a fetch is over its objects, and "%2" has many values for each
    = 取り出しの%1は対象のオブジェクト全体を集約しますが、「%2」は一つのオブジェクトに値がいくつもあります
    %1 wants numbers, and this is of type %2
    = %1には数値が必要ですが、これは%2型です
    having asks groups, and there are none
    = havingはグループを調べますが、グループがありません
    "_" is the objects of the last fetch, and there are none
    = 「_」は直前の取り出しのオブジェクトですが、一つもありません
    %1 is not made of objects
    = %1はオブジェクトの集まりではありません
    %1 is empty, and of which entity is not known
    = %1は空で、どのエンティティかわかりません
    one value is wanted, and %1 gives %2
    = 値が一つ必要ですが、%1には%2個あります
    none
    = 0
    "%1" is of type %2, and %3 is arithmetic with numbers
    = 「%1」は%2型ですが、%3は数値の計算式です
    "%1" is an object of %2, and %3 can never be one
    = 「%1」は%2のオブジェクトで、%3と等しくなることはありません
    $%1 is "%2", which is no number
    = $%1は「%2」で、数値ではありません
    %1 is a number, and "%2" can never be one
    = %1は数値で、「%2」と等しくなることはありません
    %1 is asked of a list, and "%2" is one value of each object
    = %1はリストを集約しますが、「%2」は各オブジェクトの一つの値です
    define one: entity Note { title: string }
    = まずエンティティを定義します：entity Note { title: string }
    a string stands in quotes: "%1"
    = 文字列は引用符で囲みます："%1"
    %1 has it: ask for %2
    = %1にはあります。%2を取り出してください
    a text stands in quotes: %1
    = 文字列は引用符で囲みます：%1
    ask for ANY %1 %2 … or ALL %3 %4 …
    = ANY %1 %2 …またはALL %3 %4 …で調べます
    leave out ANY, ALL or NONE
    = ANY、ALL、NONEを外します
    write it in quotes: "%1"; numbers kept as text compare by CAST(key, "NSNumber")
    = 引用符で囲みます："%1"。文字列として保存した数値はCAST(key, "NSNumber")で比較します
    ask with == < > or BETWEEN
    = == < >またはBETWEENで調べます
    give it one: let $%1 = … or --arg %2 VALUE
    = 値を与えます：let $%1 = …または--arg %2 VALUE
    compare it with something: $%1 == …, or name a part: let $%2 = predicate …
    = 「$%1 == …」のように何かと比較するか、「let $%2 = predicate …」で述語に名前を付けます
    write #%1 for the key
    = キーを指すときは#%1と書きます
    sort by %1.@count, or another value of it
    = %1.@countなど、一つの値で並べ替えます
    write %1 desc
    = %1 descと書きます
    for instance %1.@count, or another value of it
    = 例: %1.@countなど、一つの値
    group by what the objects have, and ask for it with having
    = オブジェクトが持つ値でgroup byし、これはhavingで調べます
    give one of them another name with as
    = どちらかにasで別の名前を付けます
    select it too, or sort by what is selected
    = これも選択するか、選択した値で並べ替えます
    add group by %1, or ask for min(%2)
    = group by %1を加えるか、min(%2)を求めます
    group by %1, %2, or ask for min(%3)
    = group by %1, %2とするか、min(%3)を求めます
    %1 is the value of each object, %2(%3) that of all
    = %1は各オブジェクトの値、%2(%3)は全体の値です
    ask for one value of each object
    = 各オブジェクトの一つの値を求めます
    count, min and max take any value
    = count、min、maxはどの型の値にも使えます
    make them with group by KEY; objects are asked with where
    = group by KEYでグループを作ります。オブジェクトの条件はwhereに書きます
    fetch objects first; groups and distinct rows are none
    = 先にオブジェクトを取り出します。グループやdistinctの行はオブジェクトではありません
    an object is Item/3, a collection (fetch Item where …)
    = オブジェクトはItem/3、コレクションは(fetch Item where …)のように書きます
    name the entity: fetch Item
    = エンティティ名を書きます：fetch Item
    compare with NULL for no object
    = オブジェクトがないことはNULLと比較します
    make it one with where or limit 1, or ask IN
    = whereやlimit 1で一つにするか、INで調べます
    write %1/1
    = %1/1のように書きます
    write %1/1, or ask for one of its values: %2 == %3
    = %1/1のように書くか、その値で調べます：%2 == %3
    give it a number: 3, 2.5
    = 3や2.5のような数値を与えます
    write a number: 3
    = 3のような数値を書きます
    write it without quotes: %1
    = 引用符を付けずに書きます：%1
    of all objects: (fetch %1 select %2(%3))
    = 全オブジェクトの値は(fetch %1 select %2(%3))です
    its entities are %1
    = エンティティは%1です
    its keys are %1
    = キーは%1です
    write a number: %1
    = 数値を書きます：%1
    write text in quotes: %1
    = 文字列を引用符で囲みます：%1
    write YES or NO
    = YESまたはNOと書きます
    write a date in quotes: %1
    = 日付を引用符で囲みます：%1
    write a UUID in quotes: %1
    = UUIDを引用符で囲みます：%1
    write a URI in quotes: %1
    = URIを引用符で囲みます：%1
    write base64 in quotes: %1
    = Base64を引用符で囲みます：%1
    write any value
    = 任意の値を書きます
    """#
}
