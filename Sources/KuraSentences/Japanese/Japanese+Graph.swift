extension JapaneseSentences {
  package static let graph = #"""
    %1: "%2"%3: %4
    = %1: 「%2」%3：%4
    is %1
    = は%1です
    %1: "%2" would be one object, and there are %3: %4
    = %1：「%2」を対1にするには、%3個あるオブジェクトが多すぎます：%4
    %1: "%2" is %3, and that is no %4
    = %1：「%2」は%3ですが、%4ではありません
    %1 is abstract and has no objects of its own
    = %1は抽象エンティティで、自身のオブジェクトを持ちません
    %1 is no objectID: they go from 1 to %2
    = %1はオブジェクトIDになりません。1から%2までです
    %1 is there already
    = %1はすでにあります
    the key "%1" is given twice
    = キー「%1」が2回書かれています
    "%1" is objects of %2
    = 「%1」の値は%2のオブジェクトの集まりです
    "%1" is one object of %2
    = 「%1」の値は%2のオブジェクト一つです
    "%1" is one object, and these are %2
    = 「%1」の値はオブジェクト一つですが、%2個あります
    "%1" leads to %2, and %3 is none
    = 「%1」の先は%2ですが、%3は%2ではありません
    %1.%2 leads to %3, which is not defined yet
    = %1.%2の先は%3ですが、%3はまだ定義されていません
    %1.%2 is derived and cannot be set
    = %1.%2は派生属性なので、代入できません
    %1: "%2" cannot be derived: %3
    = %1：派生属性「%2」を計算できません：%3
    the default of "%1" cannot be computed: %2
    = 「%1」のデフォルト値を計算できません：%2
    %1: "%2" is derived from itself, over other objects
    = %1：「%2」が、ほかのオブジェクトを経由して自分自身から派生しています
    the store was saved by somebody else, and changes of the model are not merged with that
    = ほかの人がストアを保存しました。モデルの変更はその保存と統合できません
    "%1" cannot be turned round: %2 has been changed by somebody else since
    = 「%1」は元に戻せません。その後、ほかの人が%2を変更しました
    insert an object of one of its subentities
    = サブエンティティのオブジェクトを挿入します
    leave out the objectID to get the next free one
    = オブジェクトIDを書かなければ、次の空き番号になります
    write {%1/1, %2/2}
    = {%1/1, %2/2}のように書きます
    write NULL for none
    = 値がないときはNULLと書きます
    choose one of them, as with limit 1
    = limit 1などで一つに絞ります
    define it: entity %1 { … }
    = 定義します：entity %1 { … }
    leave it out: it is computed after each statement
    = 書かないでください。文が終わるごとに計算されます
    the objects lead in a circle: let one of them lead nowhere
    = オブジェクトが循環しています。どれか一つの関係の先を空にします
    save it as another file: save "FILE"; or rollback, then .refresh
    = save "FILE"で別のファイルに保存するか、rollbackしてから.refreshします
    set what is to be there with update
    = updateで、必要な値を代入します
    give %1 a value, or change the default: alter entity
    = %1に値を与えるか、alter entityでデフォルト値を変えます
    %1: "%2" %3 (%4)
    = %1: 「%2」%3 (%4)
    cannot be compared with "%1": %2
    = を「%1」と照合できません：%2
    cannot be held to its rule: check (%1): %2
    = をルールcheck (%1)で検証できません：%2
    does not keep its rule: check (%1)
    = がルールcheck (%1)に反しています
    is what %1 has already, and is unique
    = が%1の値と重複しています（unique）
    has no value, and is not optional
    = に値がありません（必須の属性または関係です）
    has fewer objects than %1
    = のオブジェクトが%1個より少なくなっています
    has more objects than %1
    = のオブジェクトが%1個より多くなっています
    has %1, and that denies its deletion
    = に%1があるため、削除できません（deny）
    leads to %1, which is deleted
    = の先の%1が削除されています
    is larger than %1
    = が%1より大きくなっています
    is smaller than %1
    = が%1より小さくなっています
    is later than %1
    = が%1より後になっています
    is sooner than %1
    = が%1より前になっています
    is longer than %1
    = が%1文字より長くなっています
    is shorter than %1
    = が%1文字より短くなっています
    does not match "%1"
    = が「%1」に一致しません
    %1 was %2; here it is %3 now, and in the store %4
    = %1は%2でしたが、ここでは%3、ストアでは%4に変更されています
    %1 was changed here, and deleted in the store
    = %1はここで変更され、ストアでは削除されています
    %1 was deleted here, and in the store its "%2" is %3 now
    = %1はここで削除されましたが、ストアでは「%2」が%3に変更されています
    %1 leads to %2, which was deleted in the store
    = %1の先の%2は、ストアでは削除されています
    %1 would be deleted with %2, to which somebody else has added it in the store
    = %1は%2とともに削除されますが、ストアではほかの人が%2に追加しています
    %1 leads to %2 in the store, which was deleted here
    = ストアでは%1の先が%2ですが、%2はここで削除されました
    %1 was given by somebody else in the store, and would be changed with %2
    = %1はストアでほかの人が設定した値ですが、%2とともに変更されてしまいます
    %1 was deleted here together with %2, which stays
    = %1はここで%2とともに削除されましたが、%2は残ります
    %1 objects, %2 among them
    = %2など%1個のオブジェクト
    """#
}
