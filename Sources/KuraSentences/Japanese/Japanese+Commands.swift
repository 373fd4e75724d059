extension JapaneseSentences {
  package static let commands = #"""
    they are written the same
    = 二つは同じ書き方です
    they agree on these objects
    = これらのオブジェクトでは結果が一致します
    they agree here, and on %1 made-up objects that were tried (seed %2)
    = ここでも、自動生成したオブジェクト%1個（シード%2）でも、結果は一致します
    they agree here, and differ in a made-up store (seed %1):
    = ここでは一致しますが、自動生成したストア（シード%1）では違います：
    no store was made up: the objects that are asked are those of this one
    = ストアは自動生成していません。調べるオブジェクトがこのストアのものだからです
    no store was made up: %1 is an object of this one
    = ストアは自動生成していません。%1がこのストアのオブジェクトだからです
    neither
    = どちらもなし
    found by
    = 一致
    objects
    = 件数
    which
    = オブジェクト
    This %1 %2
    = %2%1
    %1 %2
    = %2 %1件
    %1. Go on? [y/N]:
    = %1。続けますか？ [y/N]:
    there is an entity %1 already
    = %1というエンティティはすでにあります
    there is no type "%1"
    = 「%1」という型はありません
    [%1] is no type: brackets stand for a relationship to many objects of an entity
    = [%1]という型はありません。角括弧はエンティティの複数のオブジェクトへの関係を表します
    %1 is no type: this is a relationship to an entity %2, which is not defined yet
    = %1という型はありません。これはまだ定義されていないエンティティ%2への関係になります
    %1 is for relationships, and "%2" is an attribute
    = %1は関係に使いますが、「%2」は属性です
    %1 is for attributes, and "%2" is a relationship
    = %1は属性に使いますが、「%2」は関係です
    expected a literal, as in = "x" or = 3
    = = "x"や= 3のようなリテラルが必要です
    expected a whole number from 0
    = 0以上の整数が必要です
    choose another name, or take back everything since the last save: rollback
    = 別の名前にするか、rollbackで最後の保存以降をすべて取り消します
    choose another name, or change it: alter entity %1 …
    = 別の名前にするか、変更します：alter entity %1 …
    a list of values is of the type json
    = 値のリストはjson型です
    %1 rollback takes the definition back
    = %1（rollbackで定義を取り消せます）
    or a value that is computed for each object: %1
    = またはオブジェクトごとに計算される値にします：%1
    entity defined: %1
    = エンティティを定義しました：%1
    drops %1 and deletes
    = エンティティ%1とともに削除します
    %1 has %2
    = %1には%2があります
    %1 inherits from %2
    = %1が%2を継承しています
    %1 inherit from %2
    = %1が%2を継承しています
    %1 leads to %2
    = %1の先が%2です
    %1 lead to %2
    = %1の先が%2です
    to drop them too: drop entity %1 all
    = まとめて削除するには：drop entity %1 all
    drop that first: drop entity %1
    = 先にそちらを削除します：drop entity %1
    drop that first: %1
    = 先にそちらを削除します：%1
    entity dropped: %1
    = エンティティを削除しました：%1
    entity dropped: %1, with %2
    = エンティティを削除しました：%1（%2を含む）
    %1 objects
    = オブジェクト%1個
    node
    = ノード
    method
    = 方法
    reached
    = 到達
    passed
    = 通過
    seconds
    = 秒
    expected a JSON object, or a list of them
    = JSONのオブジェクトか、そのリストが必要です
    %1 is no subentity of %2
    = %1は%2のサブエンティティではありません
    "%1" is a relationship: expected an objectID, or a list of them
    = 「%1」は関係なので、オブジェクトIDかそのリストが必要です
    an objectID in JSON is its number alone: 1, or [1, 2]
    = JSONではオブジェクトIDを番号だけで書きます：1、または[1, 2]
    %1 inserted: %2
    = %1件挿入: %2
    %1 deleted: %2
    = %1件削除: %2
    %1 updated: %2
    = %1件更新: %2
    nothing changed
    = 何も変更していません
    there is no request "%1"
    = 「%1」という取り出し要求はありません
    define it: request %1 = fetch ENTITY …
    = 定義します：request %1 = fetch ENTITY …
    write run %1%2
    = run %1%2と書きます
    request defined: %1
    = 取り出し要求を定義しました：%1
    request dropped: %1
    = 取り出し要求を削除しました：%1
    kind
    = 種類
    part
    = 部分
    ← decides
    = ← 決め手
    answer
    = 判定
    values
    = 値
    %1 fails
    = %1 失敗
    %1 in, %2 one leaf away; %3
    = 一致%1件、条件一つの差で不一致%2件；%3
    %1 is for numbers and to-many relationships, and "%2" is neither
    = %1は数値か対多の関係に使いますが、「%2」はどちらでもありません
    hint at
    = ヒントを出す
    go on to
    = 先に進む
    deletes
    = 削除します
    changes
    = 変更します
    reset
    = やり直す
    """#
}
