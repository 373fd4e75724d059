extension JapaneseSentences {
  package static let model = #"""
    %1 has no %2
    = %1に%2はありません
    %1 is %2, not %3
    = %1は%3ではなく、%2です
    %1 needs %2
    = %1には%2が必要です
    there is no type %1
    = %1という型はありません
    there is no delete rule %1
    = %1という削除ルールはありません
    %1: %2
    = %1：%2
    %1 is a whole number from 0
    = %1は0以上の整数です
    %1 needs a name
    = %1には名前が必要です
    %1 is every object's identity and cannot be a key
    = %1はすべてのオブジェクトの識別子なので、キーにできません
    there are two entities %1
    = エンティティ%1が二つあります
    %1 has two keys %2
    = %1にキー%2が二つあります
    %1 inherits %2 from %3
    = %1は%2を%3から継承しています
    there are two requests %1
    = 取り出し要求%1が二つあります
    there is no entity %1
    = %1というエンティティはありません
    inherits from
    = →
    %1 means nothing for %2
    = %1は%2には使えません
    %1 is above %2
    = %1が%2より大きくなっています
    the default breaks the rule %1
    = デフォルト値がルール%1に反しています
    a derived attribute has no default
    = 派生属性にデフォルト値は付けられません
    a default is made before there is an object to ask for %1
    = デフォルト値は、%1を調べるオブジェクトができる前に作られます
    the default cannot be computed: %1
    = デフォルト値を計算できません：%1
    the default does not fit: %1
    = デフォルト値が型に合いません：%1
    %1 is derived from itself
    = %1が自分自身から派生しています
    %1 is derived from itself, over %2
    = %1が自分自身から派生しています（%2を経由）
    , over
    = →
    this is no regular expression: %1
    = 正規表現として正しくありません：%1
    %1 is no regular expression
    = %1は正規表現として正しくありません
    unique needs a key
    = uniqueにはキーが必要です
    %1 is a to-many relationship and cannot be unique
    = %1は対多の関係なので、uniqueにできません
    %1 stands twice in one unique
    = 一つのuniqueに%1が2回書かれています
    %1 is for to-many relationships
    = %1は対多の関係に使います
    a relationship that holds at most 0 objects holds none
    = オブジェクトを最大0個しか持てない関係には、何も入りません
    %1.%2 is an attribute; an inverse is a relationship
    = %1.%2は属性ですが、逆の関係には関係が必要です
    a value that follows from others is derived (…)
    = ほかの値から決まる値はderived (…)にします
    take it out here, or there
    = こちらか継承元のどちらかから取り除きます
    let %1 name %2 as its inverse
    = %1の逆の関係を%2にします
    another object's may be read: derived (parent.depth + 1)
    = ほかのオブジェクトの値は読めます：derived (parent.depth + 1)
    call it another name, such as id; in plain JSON, in the file itself
    = idのような別の名前にします。JSONファイルの場合は、ファイルの中で変えます
    %1 does not fit into %2
    = %1は%2の範囲に入りません
    %1 has a fraction; %2 has none
    = %1には小数部がありますが、%2にはありません
    %1 is no date
    = %1は日付として読めません
    %1 is no date: %2
    = %1は日付として読めません：%2
    %1 cannot be read as %2
    = %1を%2として読めません
    from %1 to %2
    = %1から%2まで
    %1 names %2 as its inverse, which names none
    = %1は%2を逆の関係としていますが、%2には逆の関係がありません
    %1 names %2 as its inverse, which leads to %3
    = %1は%2を逆の関係としていますが、その逆の関係は%3です
    a model
    = モデル
    an attribute
    = 属性
    a relationship
    = 関係
    a request
    = 取り出し要求
    true or false
    = trueかfalse
    an integer16
    = integer16
    an integer32
    = integer32
    a float
    = float
    a uuid
    = UUID
    base64 text
    = Base64の文字列
    dates look like 1935-06-11, 2010-07-20 18:20 or yesterday
    = 日付は1935-06-11、2010-07-20 18:20、昨日のように書きます
    UUIDs look like E621E1F8-C36C-495A-93FC-0C247A3E6E5F
    = UUIDはE621E1F8-C36C-495A-93FC-0C247A3E6E5Fのように書きます
    true or false; in a statement YES or NO, 1 or 0
    = trueかfalse。文ではYESかNO、または1か0
    """#
}
