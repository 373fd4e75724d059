extension JapaneseSentences {
  package static let concepts = #"""
    what compares and connects in a predicate
    = 述語で比較するもの、つなぐもの
    what may be called in an expression
    = 式で呼び出せるもの
    the types of attributes
    = 属性の型
    how results may be written
    = 結果の書き方
    the parts of a fetch
    = 取り出しの各部分
    the words of the field, and what they mean here
    = 用語と、ここでの意味
    only the objects of which it is true
    = これが真になるオブジェクトだけにする
    the order of the result; of ties the next key decides, then the objectID
    = 結果の順序。同じ順位なら次のキー、最後はオブジェクトIDで決まる
    the first N at most; 0 is no limit
    = 最初のN個まで。0は制限なし
    without the first N
    = 最初のN個を除く
    a hint, as Core Data's fetchBatchSize; it never changes the result
    = Core DataのfetchBatchSizeに当たる目安。結果は変わらない
    columns of values in place of objects
    = オブジェクトの代わりに値の列を取り出す
    of equal rows one
    = 同じ行を一つにする
    a row for each value of the keys, with counts and sums over its objects
    = キーの値ごとに1行にまとめ、オブジェクトの件数や合計を求める
    only the groups of which it is true
    = これが真になるグループだけにする
    a table for each value of a key
    = キーの値ごとに表を分ける
    the entity's own objects, and not those of entities that inherit from it
    = エンティティ自身のオブジェクトだけにし、継承するエンティティのものを除く
    entities with attributes and relationships
    = 属性と関係を持つエンティティ
    An entity is a kind of object, as a table is of rows. Its attributes hold values, its
    relationships lead to objects of another entity. model shows all of it.
    = エンティティはオブジェクトの種類で、テーブルが行の種類であるのと同じです。属性は値を持ち、
    = 関係は別のエンティティのオブジェクトにつながります。modelで全体が見られます。
    what tells an object: its entity and a number
    = オブジェクトを識別する、エンティティと番号
    Item/3 is the object of the entity Item with the number 3. It stands wherever an expression
    does. A number is given once and stays. A key objectID in a predicate is the number.
    = Item/3は、エンティティItemの番号3のオブジェクトです。式が書けるところならどこにでも書けます。
    = 番号は一度だけ与えられ、変わりません。述語の中のキーobjectIDは番号を表します。
    a key that leads to other objects
    = ほかのオブジェクトにつながるキー
    A to-one leads to one object or, with ?, to none; a to-many, in brackets, to any number.
    A path goes along it: category.name. What is asked of a to-many begins with ANY, ALL or NONE.
    = 対1の関係の先は一つのオブジェクトで、?を付けるとなくてもかまいません。対多の関係は角括弧で書き、
    = いくつでもつながります。category.nameのようにキーパスでたどります。対多の関係の条件は
    = ANY、ALL、NONEで始めます。
    the other end of a relationship, which is kept with it
    = 関係のもう一方の端。常に一致する
    Where Item.category leads to a category, Category.items leads back. Whichever end is set, the
    other follows at once. A relationship without an inverse is known at one end alone.
    = Item.categoryの先がカテゴリなら、Category.itemsはその逆をたどります。どちらを変えても、もう一方が
    = すぐに変わります。逆の関係がなければ、片方からしかたどれません。
    what becomes of the objects at the other end when one is deleted
    = オブジェクトを削除したときの、もう一方の端のオブジェクトの扱い
    nullify   they lose the link (as long as nothing else is said)
    cascade   they are deleted too, and what their own rules say of others
    deny      the save is refused while some are there
    none      they keep a link that leads nowhere, which a save refuses
    At a terminal a deletion of more than 100 objects is asked about with the number of all.
    = nullify   つながりを外す（指定しないとき）
    = cascade   一緒に削除し、その削除ルールにも従う
    = deny      残っている間は保存できない
    = none      先のないつながりが残り、保存できない
    = 端末では、100個を超える削除は、全体の個数を示して確認します。
    what is true of an object or not; it stands behind where
    = オブジェクトについて真か偽か決まる条件。whereの後ろに書く
    A comparison of two expressions, or several that AND, OR and NOT connect. The language is
    Cocoa's NSPredicate. .help operators lists what compares.
    = 二つの式の比較、またはそれらをAND、OR、NOTでつないだものです。言語はCocoaのNSPredicateです。
    = 比較の種類は.help operatorsで見られます。
    a key, or several along relationships
    = キー、または関係をたどるキーの並び
    title is the object's own key, category.name goes on at the object where category leads.
    Through a to-many a path gives a collection: items.price, items.@sum.price.
    = titleはオブジェクト自身のキーで、category.nameはcategoryの先のオブジェクトのキーです。
    = 対多の関係をたどるとコレクションになります：items.price、items.@sum.price。
    a key and a direction by which a fetch orders
    = 取り出しの順序を決めるキーと方向
    Of objects that tie the next key decides, in the end the objectID. title[cd] orders without
    regard to case and marks, title[l] as the locale does, title natural by the numbers in it.
    Null comes first ascending, unless nulls last is said.
    = 同じ順位なら次のキー、最後はオブジェクトIDで決まります。title[cd]は大文字と小文字や濁点などを
    = 区別せず、title[l]はロケールに従い、title naturalは文字列の中の数を数値の順にします。
    = nullは昇順で先頭になります。nulls lastで変えられます。
    the objects of the last fetch, as _
    = 直前に取り出したオブジェクト。_と書く
    _ is what the last fetch gave: it can be fetched again, counted, printed, updated, deleted.
    let $name = fetch … keeps objects under a name. Both show the objects as they are now.
    = _は直前の取り出しの結果で、もう一度取り出す、数える、表示する、更新する、削除することができます。
    = let $name = fetch …で名前を付けて残せます。どちらも、オブジェクトの今の値を示します。
    no value: an attribute without one, a to-one that leads nowhere
    = 値がないこと。値のない属性や、先のない対1の関係
    NULL and nil are the same. NULL == NULL is true, and so is VALUE != NULL; which of the two
    comes first (<, >) is false, and NOT of that is true. An attribute may be NULL where its
    type has a ?: date?
    .null says what stands for it in tables.
    = NULLとnilは同じです。NULL == NULLは真、値 != NULLも真です。大小の比較（<、>）は偽で、その否定は
    = 真になります。属性をNULLにできるのは、date?のように型に?があるときです。
    = 表での表示は.nullで決まります。
    the two values of a boolean; also TRUE and FALSE
    = 真偽値の二つの値。TRUEとFALSEも使える
    A predicate compares: where done == YES. A boolean key alone is a value: select NOT done.
    = 述語はwhere done == YESのように比較します。真偽値のキーだけなら値になります：select NOT done
    the object itself that a predicate is asked of
    = 述語が調べるオブジェクト自身
    SELF == Item/3 is true of that object alone.
    = SELF == Item/3は、そのオブジェクトだけで真になります。
    a value as it is written
    = そのまま書いた値
    A text stands in quotes, with \n, \" and \u8a95 in it; a list in braces. A date, a uuid or a
    decimal is written as a text: its key says how it is read.
    = 文字列は引用符で囲み、\n、\"、\u8a95が使えます。リストは波括弧で囲みます。日付、uuid、decimalは
    = 文字列として書きます。どう読むかはキーで決まります。
    a value or objects under a name, until Kura is left
    = Kuraを終了するまで使える、名前を付けた値やオブジェクト
    A variable stands wherever a value does. --arg NAME VALUE on the command line gives one. One
    that let has given a predicate stands where a predicate does: where $home AND done == NO.
    = 変数は値が書けるところならどこにでも書けます。コマンドラインの--arg NAME VALUEでも与えられます。
    = letで述語を与えた変数は、述語として書けます：where $home AND done == NO
    what is not read, up to the line's end
    = 行末まで読み飛ばす文字列
    Blanks stand around the two dashes, or the ends of the line.
    = 二つのハイフンの前後には空白を置きます（行の端では不要）。
    the open objects with what is changed and not saved
    = 開いているオブジェクトと、保存していない変更
    Statements change objects in memory; changes lists what, save writes it, rollback takes it
    back. A session that is ended from outside keeps what is unsaved: .help .recover.
    = 文はメモリ上のオブジェクトを変更します。changesで一覧、saveで保存、rollbackで元に戻します。
    = 外から終了させられたセッションの変更は残ります：.help .recover
    each statement that changes is one step, which undo takes back
    = 変更する文は、それぞれ一つの操作としてundoで取り消せる
    Also after a save; the next save writes that it was taken back. .undo levels limits them.
    = 保存のあとでも取り消せます。次の保存で、取り消したことが書かれます。.undo levelsで数を制限します。
    a place to try changes, which come in together or not at all
    = 変更を試す場所。すべて反映するか、すべて破棄する
    begin opens one, also in another. commit makes one undo step of it, cancel drops it.
    = beginで開きます（中でさらに開けます）。commitで一つの操作として反映し、cancelで破棄します。
    a file of JSON with a model and objects, and a journal beside it
    = モデルとオブジェクトのJSONファイルと、そばのジャーナル
    save appends to STORE.journal, which is folded into the document by itself. Several sessions
    may have a store open; who saves takes in what others have saved.
    = saveはSTORE.journalに追記し、ジャーナルは自動で文書にまとめられます。一つのストアを複数の
    = セッションで開けます。saveすると、ほかの人が保存した内容も取り込みます。
    """#
}
