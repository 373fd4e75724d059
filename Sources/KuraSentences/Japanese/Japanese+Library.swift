extension JapaneseSentences {
  /// What programs meet.
  package static let library = #"""
    %1: the model has no entity "%2"
    = %1：モデルに「%2」というエンティティはありません
    %1.%2: %3 has no key "%4"
    = %1.%2：%3に「%4」というキーはありません
    %1 encodes no keys, and cannot be an object
    = %1はキーをエンコードしないため、オブジェクトにできません
    say the entity's name: static let entityName
    = static let entityNameでエンティティの名前を指定してください
    %1.%2 is no to-many relationship
    = %1.%2は対多の関係ではありません
    give it another value: update(_:_:)
    = 値を変えるにはupdate(_:_:)を使います
    expected alter entity
    = alter entityが必要です
    as in alter entity Item add note: string?
    = 例：alter entity Item add note: string?
    expected entity or request
    = entityまたはrequestが必要です
    expected a fetch
    = fetchが必要です
    it begins with fetch, count or exists
    = fetch、count、existsのいずれかで始めます
    %1 cannot be renamed to %2: one of the two is not there
    = %1の名前を%2に変えられません。どちらかがありません
    %1 was another entity before
    = %1は前には別のエンティティでした
    %1 would inherit otherwise than before, from %2
    = %1が前とは違って%2を継承することになります
    old names are of the store's model, new ones of the one that is to be
    = 古い名前はストアのモデルの、新しい名前はこれからのモデルのものです
    change the model in two steps
    = モデルを2回に分けて変えてください
    make an entity of another name, and insert its objects anew
    = 別の名前のエンティティを作り、オブジェクトを新しく挿入してください
    the predicate has %1 bytes; %2 are allowed
    = 述語が%1バイトあります。%2バイトまで使えます
    the predicate is %1 levels deep; %2 are allowed
    = 述語の入れ子が%1段あります。%2段まで使えます
    the predicate has more than %1 parts
    = 述語の部分が%1個を超えています
    the key path %1 is not allowed here
    = ここではキーパス%1を使えません
    the function %1 is not allowed here
    = ここでは関数%1を使えません
    MATCHES is not allowed here
    = ここではMATCHESを使えません
    only some keys may be read here, and this reads any
    = ここで読めるキーは決まっていますが、これはどのキーでも読みます
    LIKE has the wildcards * and ?
    = LIKEではワイルドカードの*と?が使えます
    %1 in quotes is text, and takes no argument
    = 引用符の中の%1は文字列で、引数を受け取りません
    write %1 alone, and give it the whole text as its argument
    = %1だけを書き、文字列全体を引数にしてください
    %1 failed: %2
    = %1に失敗しました：%2
    the predicate takes more than %1
    = 述語の評価が%1を超えました
    data is written in base64
    = データはbase64で書きます
    """#
}
