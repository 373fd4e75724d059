extension JapaneseSentences {
  package static let store = #"""
    something else
    = それ以外のもの
    standard input
    = 標準入力
    a positive integer
    = 正の整数
    a list of objectIDs
    = オブジェクトIDのリスト
    an objectID
    = オブジェクトID
    "%1" has %2 names (hard links), and is read only
    = 「%1」には名前が%2個あるため（ハードリンク）、読み出し専用です
    "%1.journal" has %2 names (hard links), and the store is read only
    = 「%1.journal」には名前が%2個あるため（ハードリンク）、ストアは読み出し専用です
    the folder of "%1" cannot be written (%2), and the store is read only
    = 「%1」のフォルダに書き込めないため（%2）、ストアは読み出し専用です
    "%1" cannot be written (%2), and is read only
    = 「%1」に書き込めないため（%2）、読み出し専用です
    the file system of "%1" has no locks (%2), and it is read only
    = 「%1」のファイルシステムではロックが使えないため（%2）、読み出し専用です
    "%1" was changed by something else than Kura, and "%2.journal" has saves that belong to what it was; it is read only
    = 「%1」がKura以外で変更され、「%2.journal」には変更前の内容に対する保存があります。読み出し専用です
    the first line of "%1.journal" is damaged; "%2" is here without its saves, to be read only
    = 「%1.journal」の1行目が破損しています。「%2」を保存内容なしで開き、読み出し専用にしました
    save %1 of "%2.journal" is damaged%3; %4 here, to be read only
    = 「%2.journal」の%1番目の保存が破損しています%3。%4だけを読み、読み出し専用にしました
    , and not the last
    = （最後の保存ではありません）
    what was there before it is
    = それより前の内容
    the saves before it are
    = それより前の保存
    "%1" was changed by something else than Kura, and "%2.journal" has saves that belong to what it was
    = 「%1」がKura以外で変更され、「%2.journal」には変更前の内容に対する保存があります
    the first line of "%1.journal" is damaged
    = 「%1.journal」の1行目が破損しています
    save %1 of "%2.journal" is damaged
    = 「%2.journal」の%1番目の保存が破損しています
    "%1.journal" was put in the place of one that had saves which are here
    = 「%1.journal」が、ここにある保存内容を持つものと入れ替えられました
    a save would part it from its other names: copy it, and open the copy
    = saveするとほかの名前のファイルと別になります。コピーして、コピーを開いてください
    a save would change what its other names lead to: take them away
    = saveするとほかの名前の内容も変わります。その名前を取り除いてください
    save "FILE" writes it elsewhere
    = save "FILE"で別のファイルに書けます
    kura --no-lock, where nobody else opens it
    = ほかに開く人がいなければ、kura --no-lockで開きます
    put the old document back and it goes on; or keep the new one and give up those saves: rename "%1.journal"
    = 元の文書を戻せば続けられます。新しい文書を使い、その保存内容を捨てるなら「%1.journal」の名前を変えます
    kura --drop-damaged-save gives up what it held; or bring the journal back from a backup
    = kura --drop-damaged-saveで内容を捨てるか、バックアップからジャーナルを戻します
    kura --drop-damaged-save gives up that save; or bring the journal back from a backup
    = kura --drop-damaged-saveでその保存を捨てるか、バックアップからジャーナルを戻します
    save "FILE" keeps what is here; or bring the journal back from a backup
    = save "FILE"でここにある内容を残すか、バックアップからジャーナルを戻します
    nothing was taken in, and what is here is whole: save "FILE" writes it elsewhere
    = 何も取り込んでおらず、ここにある内容は完全です。save "FILE"で別のファイルに書けます
    cannot open "%1": %2
    = 「%1」を開けません：%2
    there is no folder "%1" for "%2"
    = 「%2」を入れるフォルダ「%1」がありません
    cannot read "%1": %2
    = 「%1」を読めません：%2
    cannot write "%1": %2
    = 「%1」に書けません：%2
    "%1" is a folder, not a file
    = 「%1」はファイルではなく、フォルダです
    "%1" is there already
    = 「%1」はすでにあります
    there is nothing in it; a store or JSON was expected
    = 中身がありません。ストアかJSONが必要です
    this is %1, not JSON in UTF-8
    = これは%1で、UTF-8のJSONではありません
    this is no JSON
    = JSONではありません
    the format is %1, and this Kura reads "kura/1"
    = 形式は%1ですが、このKuraが読めるのは"kura/1"です
    %1 is no time zone
    = %1というタイムゾーンはありません
    a store has no key "%1"
    = ストアに「%1」というキーはありません
    the value of "%1" has another form
    = 「%1」の値の形が違います
    the next objectID of "%1" is no positive integer
    = 「%1」の次のオブジェクトIDが正の整数ではありません
    the model has no entity "%1"
    = モデルに「%1」というエンティティはありません
    the store has no "model"
    = ストアに"model"がありません
    in a pipe "format" and "model" must stand before "objects"
    = パイプでは、"format"と"model"を"objects"の前に書きます
    and %1 more like these
    = 同様の問題がほかに%1件あります
    to make a new store: kura --create "%1"
    = 新しいストアを作るには：kura --create "%1"
    make it first: mkdir -p "%1"
    = 先に作ります：mkdir -p "%1"
    there is no folder "%1": make it first
    = フォルダ「%1」がありません。先に作ってください
    ask its owner for the right to it
    = 所有者に権限を求めてください
    name a file in it
    = その中のファイル名を書きます
    an empty list is written [], and a new store is made by kura --create
    = 空のリストは[]と書きます。新しいストアはkura --createで作ります
    convert it: iconv -f UTF-16 -t UTF-8
    = 変換します：iconv -f UTF-16 -t UTF-8
    unpack it: gzip -dc
    = 展開します：gzip -dc
    a newer Kura may read it
    = 新しいバージョンのKuraなら読めるかもしれません
    write its name, as in "Asia/Tokyo"
    = "Asia/Tokyo"のような名前を書きます
    an empty one is {"entities": {}}
    = 空のモデルは{"entities": {}}です
    or write it to a file first: a file is read in any order
    = または先にファイルに書きます。ファイルなら順序は自由です
    it is an object: {"Entity": [{…}, {…}]}
    = オブジェクトを書きます：{"Entity": [{…}, {…}]}
    it is an object: {"Entity": 18}
    = オブジェクトを書きます：{"Entity": 18}
    its rows stand in a list: [{…}, {…}]
    = 行はリストに入れます：[{…}, {…}]
    row %1 of %2
    = %2の%1行目
    %1 has no key %2 (in %3)
    = %1に%2というキーはありません（%3）
    %1: %2 is %3, and this is %4
    = %1：%2は%3ですが、%4があります
    row %1 of %2 is no object
    = %2の%1行目がオブジェクトではありません
    %1 has no value for %2, which is not optional
    = %1の必須の%2に値がありません
    the objectID of %1 is there twice
    = %1というオブジェクトIDが重複しています
    %1: %2 leads to %3/%4, which is not there
    = %1：%2の先の%3/%4がありません
    %1: %2 contradicts %3, its inverse
    = %1：%2が逆の関係の%3と一致しません
    %1: %2 has %3/%4 twice
    = %1：%2に%3/%4が2回あります
    give it a value, or make the attribute optional in the model
    = 値を与えるか、モデルで省略できる属性にします
    a row is an object: {"key": value}
    = 行はオブジェクトです：{"key": value}
    leave out one of the two, and it gets a free number
    = どちらかのオブジェクトIDを省くと、空いた番号が付きます
    write one side and leave out the key of the other
    = 片方だけを書き、もう一方のキーは省きます
    put them under one of its subentities
    = サブエンティティのどれかに入れます
    it begins like HTML or XML: was a page saved in the place of the data?
    = HTMLかXMLのようです。データの代わりにWebページを保存していませんか？
    Kura reads JSON: make some of CSV first, and give scripts by -f FILE
    = Kuraが読むのはJSONです。CSVは先に変換し、スクリプトは-f FILEで渡します
    it is not text, perhaps an archive or a picture
    = テキストではありません。アーカイブか画像のようです
    the JSON ends in the middle
    = JSONが途中で終わっています
    %1 is expected, not %2
    = %2ではなく、%1が必要です
    the string is not closed
    = 文字列が閉じられていません
    %1 must be escaped in a string
    = 文字列の中の%1はエスケープが必要です
    these bytes are not UTF-8
    = UTF-8ではないバイトがあります
    there is no such escape in JSON
    = JSONにこのエスケープはありません
    half of a surrogate pair is no character
    = サロゲートペアの片方だけでは文字になりません
    this is no number of JSON
    = JSONの数値として正しくありません
    the number is beyond what 64 bits hold
    = 数値が64ビットに収まりません
    the key "%1" is there twice
    = キー「%1」が重複しています
    there are more than %1 different keys
    = キーの種類が%1を超えています
    more than %1 brackets are open
    = 括弧の入れ子が%1段を超えています
    something stands behind the end of the JSON
    = JSONの末尾の後ろに余分なものがあります
    the file may have been cut off: get it again
    = ファイルが途中で切れているかもしれません。もう一度入手してください
    convert the file, as by iconv -f SHIFT_JIS -t UTF-8
    = iconv -f SHIFT_JIS -t UTF-8などでファイルを変換します
    write 0.5, 1.0, -3, 1e9
    = 0.5、1.0、-3、1e9のように書きます
    is the closing quote missing?
    = 閉じる引用符を忘れていませんか？
    JSON has double quotes: "x"
    = JSONでは二重引用符を使います："x"
    a key stands in double quotes: "title"
    = キーは二重引用符で囲みます："title"
    escapes are \" \\ \/ \b \f \n \r \t \uXXXX
    = エスケープは\" \\ \/ \b \f \n \r \t \uXXXXです
    a line break
    = 改行
    a control character
    = 制御文字
    this
    = これ
    a key in quotes
    = 引用符で囲んだキー
    a key in quotes or "}"
    = 引用符で囲んだキーか「}」
    "," or "]"
    = 「,」か「]」
    "," or "}"
    = 「,」か「}」
    """#
}
