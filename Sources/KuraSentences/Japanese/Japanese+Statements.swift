extension JapaneseSentences {
  package static let statements = #"""
    there is no statement %1
    = %1という文はありません
    .once %1 writes the next answer there; .again is the last one
    = .once %1で次の結果をそこに書きます。.againで直前の結果を出せます
    no statement begins with %1
    = %1で始まる文はありません
    %1 with more behind it begins with a dot
    = 後ろに語を続ける%1は「.」で始めます
    %1 is no clause of this statement
    = %1はこの文の句ではありません
    %1 is given twice
    = %1が2回書かれています
    %1 is set twice
    = %1に2回代入しています
    no %1 stands after %2
    = %2の後ろに%1は書きません
    limit takes one number
    = limitには数を一つ書きます
    columns stand without brackets
    = 列は括弧で囲まずに書きます
    %1 wants a whole number, 0 or more, or a variable
    = %1には0以上の整数か変数が必要です
    %1 is none of the choices
    = %1は選択肢にありません
    a variable begins with $, %1 does not
    = 変数は$で始めますが、%1は$で始まっていません
    a setting stands on a line of its own
    = 設定は単独の行に書きます
    expected the name of a setting after the dot
    = 「.」の後ろに設定名が必要です
    the JSON is not complete
    = JSONが途中で終わっています
    expected "%1", found %2
    = 「%1」が必要ですが、%2があります
    write its name alone, without brackets
    = 括弧を付けず、名前だけを書きます
    "help" lists them all
    = 「help」で一覧が見られます
    here it is %1
    = ここでは%1と書きます
    write it behind the statement, or on a line indented deeper; at a prompt end the line before with \
    = 文の後ろに続けるか、字下げした行に書きます。プロンプトでは前の行を\で終えます
    the line before was a whole statement: end it with \ or with %1, and go on behind that
    = 前の行で文が終わっています。前の行を\か%1で終えて、続けて書きます
    JSON is opened by its file's name; from a pipe: kura - 'count input'
    = JSONはファイル名で開きます。パイプからはkura - 'count input'のように渡します
    write .%1
    = .%1と書きます
    there are %1
    = 使えるのは%1です
    write offset %1 limit %2
    = offset %1 limit %2と書きます
    write select title, date
    = select title, dateと書きます
    write %1 alone, without %2
    = %2を外し、%1だけを書きます
    write $%1
    = $%1と書きます
    an entity
    = エンティティ
    the name of a request
    = 取り出し要求の名前
    key = value, or JSON
    = 「キー = 値」またはJSON
    a string in quotes
    = 引用符で囲んだ文字列
    a type or an entity
    = 型またはエンティティ
    ";" or a new line
    = 「;」または改行
    where PREDICATE
    = 「where 述語」
    say what is asked: %1 where PREDICATE; each part of it is answered
    = 調べる述語を続けて書きます：%1 where 述語。述語の各部分の結果が示されます
    where PREDICATE, or all
    = 「where 述語」または「all」
    a number of steps
    = 回数
    a number of steps, or list
    = 回数または「list」
    add, drop, rename or change
    = add、drop、rename、changeのどれか
    entity or request
    = 「entity」または「request」
    a name, or nothing
    = 名前、または何もなし
    the number of a lesson, a file in quotes, or end
    = レッスンの番号、引用符で囲んだファイル名、またはend
    a whole number, 0 or more
    = 0以上の整数
    a clause or the end
    = 句か末尾
    the end
    = 末尾
    for instance title = "x", or {"title": "x"}
    = 例: title = "x"、または{"title": "x"}
    for instance title = "x", or tags += Tag/1
    = 例: title = "x"、またはtags += Tag/1
    for some of them: %1 where …; for every one: %2 all
    = 一部なら%1 where …、すべてなら%2 allと書きます
    for instance add note: string?, or rename title to name
    = 例: add note: string?、またはrename title to name
    for instance string, date?, Category? or [Item]
    = 例: string、date?、Category?、[Item]
    "lesson" alone lists them
    = 「lesson」だけで一覧が見られます
    """#
}
