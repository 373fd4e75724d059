extension JapaneseSentences {
  package static let altering = #"""
    %1 has a key "%2" already
    = %1には「%2」というキーがすでにあります
    %1 inherits "%2" from %3
    = %1は「%2」を%3から継承しています
    "%1" is not optional and has no default, and there are objects without it: %2
    = 「%1」は省略できず、デフォルト値もありませんが、値のないオブジェクトがあります：%2
    "%1" cannot be both an attribute and a relationship
    = 「%1」を属性と関係の両方にはできません
    "%1" is read by %2
    = 「%1」は%2で使われています
    it cannot be told whether %1 means this "%2"
    = %1がこの「%2」を指すのかどうかわかりません
    nothing was changed, for an object stands in the way
    = 妨げになるオブジェクトが1個あるため、何も変更していません
    nothing was changed, for %1 objects stand in the way
    = 妨げになるオブジェクトが%1個あるため、何も変更していません
    to give it another type: alter entity %1 change %2: …
    = 型を変えるには：alter entity %1 change %2: …
    alter %1
    = %1のほうを変更します
    give it a default, as in %1: … = VALUE, or make it optional with ?
    = 「%1: … = VALUE」のようにデフォルト値を付けるか、?で省略できるようにします
    drop it, then add %1 anew
    = 削除してから、%1を新しく追加します
    change that first: %1
    = 先にそちらを変更します：%1
    drop that first: drop request %1
    = 先にそちらを削除します：drop request %1
    change or drop that first
    = 先にそちらを変更するか削除します
    mend what is listed here, then try again
    = ここに挙げたものを直してから、もう一度試してください
    %1 added
    = %1を追加
    %1 changed
    = %1を変更
    %1 dropped
    = %1を削除
    %1 renamed to %2
    = %1を%2に名前変更
    unique changed
    = uniqueを変更
    renamed to %1
    = %1に名前変更
    also in %1
    = %1でも変更
    with it %1
    = それとともに%1
    %1 is its inverse
    = %1を逆の関係に設定
    %1 has no inverse any more
    = %1の逆の関係を解除
    %1 and %2 more
    = %1ほか%2件
    entity altered: %1
    = エンティティを変更しました：%1
    entity altered: %1: %2
    = エンティティを変更しました：%1（%2）
    unique (%1) of %2
    = %2のunique (%1)
    request altered: %1
    = 取り出し要求を変更しました：%1
    """#
}
