extension RepairTable {
  /// Changes in the syntax of other languages. These rules preserve the meaning by themselves and
  /// bypass `FixGate`.
  static let changes = #"""
    # offered joined any modest: an input method
    ふぇtch MemoDate うぇれ title == "x" ⇒ fetch MemoDate where title == "x"
      <kana> ⇒ <kana>
    # offered any: changes
    delete * from Item where done == YES ⇒ delete Item where done == YES
      ^ delete * from <entity> ⇒ delete <entity>
    insert {"title": "x"} into Item ⇒ insert Item {"title": "x"}
      ^ insert <rest> into <entity> $ ⇒ insert <entity> <rest>
    fetch Category named "x" ⇒ fetch Category where name == "x"
      ^ fetch|count|delete|remove|update:verb <entity> named|called|titled <string> ⇒ <verb> <entity> where <textkey> == <string>
    set Item/6.title = "掃除" ⇒ update Item/6 set title = "掃除"
      ^ set <owner> . <word> = ⇒ update <owner> set <word> =
    update Item/1 remove tags Tag/1 ⇒ update Item/1 set tags -= Tag/1
      ^ update <owner> <linksign> <word:key> <owner:value> $ ⇒ update <owner> set <key> <linksign> <value>
    update Item/1 add Tag/1 to tags ⇒ update Item/1 set tags += Tag/1
      ^ update <owner> <linksign> <owner:value> to|from <word:key> $ ⇒ update <owner> set <key> <linksign> <value>
    update Item/1 set priority *= 2 ⇒ update Item/1 set priority = priority * 2
      set|,:before <word> *|/|%:sign _= ⇒ <before> <word> = <word> <sign>
    update Item/1 set priority =+ 1 ⇒ update Item/1 set priority += 1
      set|,:before <word> = _+|-:sign <apart> ⇒ <before> <word> <sign>=
    update Item/1 set priority++ ⇒ update Item/1 set priority += 1
      set|,:before <word> +|-:sign _+|-:sign ⇒ <before> <word> <sign>= 1
    update Item/1 set not done ⇒ update Item/1 set done = NO
      ^ update <rest> set|,:before <truth> <boolkey> <finished> ⇒ update <rest> <before> <boolkey> = <truth>
    update Item/1 set tags = tags + Tag/1 ⇒ update Item/1 set tags += Tag/1
      set|,:before <manykey> = <manykey> +|-:sign <owner> ⇒ <before> <manykey> <sign>= <owner>
    update Item/1 set dueDate += 7 ⇒ update Item/1 set dueDate = dateByAdding(dueDate, 7, "day")
      <datekey> + _= <number> ⇒ <datekey> = dateByAdding(<datekey>, <number>, "day")
    update Item/1 set dueDate -= 7 ⇒ update Item/1 set dueDate = dateByAdding(dueDate, -7, "day")
      <datekey> - _= <number> ⇒ <datekey> = dateByAdding(<datekey>, -<number>, "day")
    mark Item/6 as done ⇒ update Item/6 set done = YES
      ^ mark|set|make <object> as|to? <anykey> $ ⇒ update <object> set <anykey> = YES
    delete parentCategory from Item/6 ⇒ update Item/6 set parentCategory = NULL
      ^ delete|remove|clear|unset <clearkey> from|of|in|on <owner> $ ⇒ update <owner> set <clearkey> = NULL
    delete Item/6 parentCategory ⇒ update Item/6 set parentCategory = NULL
      ^ delete|remove|clear|unset <owner> .? <clearkey> $ ⇒ update <owner> set <clearkey> = NULL
    delete Item/6 tags ⇒ update Item/6 set tags = {}
      ^ delete|remove|clear|unset <owner> .? <manykey> $ ⇒ update <owner> set <manykey> = {}
    delete tags from Item/6 ⇒ update Item/6 set tags = {}
      ^ delete|remove|clear|unset all? <manykey> from|of|in|on <owner> $ ⇒ update <owner> set <manykey> = {}
    remove Tag/3 from Item/1 ⇒ update Item/1 set tags -= Tag/3
      ^ <linksign> <owner:value> from|of|off|to|into|in|on <owner> $ ⇒ update <owner> set <linkkey> <linksign> <value>
    delete the oldest Item where done == NO ⇒ let $found = fetch Item where done == NO sort dueDate nulls last limit 1; delete $found
      ^ delete|remove the? <timeorder> <howmany> <entity> <rest>? $ ⇒ let $found = fetch <entity> <rest> sort <timekey> <timeorder> limit <howmany>; delete $found
    delete the 3 oldest Items ⇒ let $found = fetch Item sort dueDate nulls last limit 3; delete $found
      ^ delete|remove the? <number> <timeorder> <entity> <rest>? $ ⇒ let $found = fetch <entity> <rest> sort <timekey> <timeorder> limit <number>; delete $found
    delete first 3 Items where done == YES ⇒ let $found = fetch Item where done == YES limit 3; delete $found
      ^ delete|remove the? <rowword> <howmany> <entity> <rest>? $ ⇒ let $found = fetch <entity> <rest> limit <howmany>; delete $found
    delete Item where done == YES limit 3 ⇒ let $found = fetch Item where done == YES limit 3; delete $found
      ^ delete|remove from? <entity> <rest> limit|top <number> $ ⇒ let $found = fetch <entity> <rest> limit <number>; delete $found
    update one Item set done = YES where priority == 3 ⇒ let $found = fetch Item where priority == 3 limit 1; update $found set done = YES
      ^ update the? <rowword> <howmany> <entity> set <rest:edits> where <rest> $ ⇒ let $found = fetch <entity> where <rest> limit <howmany>; update $found set <edits>
    update Item set done = YES where priority == 3 limit 2 ⇒ let $found = fetch Item where priority == 3 limit 2; update $found set done = YES
      ^ update <entity> set <rest:edits> where <rest> limit|top <number> $ ⇒ let $found = fetch <entity> where <rest> limit <number>; update $found set <edits>
    delete all done Items ⇒ delete Item where done == YES
      ^ delete|remove <filler>? <boolkey> <entity> $ ⇒ delete <entity> where <boolkey> == YES
    delete Items that are not done ⇒ delete Item where done == NO
      ^ delete|remove <filler>? <entity> that|which are|is <truth> <boolkey> $ ⇒ delete <entity> where <boolkey> == <truth>
    delete Item 6 ⇒ delete Item/6
      ^ delete|update:verb <entity> id|number|no|(|[? <number> )|]? <rest>? $ ⇒ <verb> <entity>/<number> <rest>
    update Category/1 set items.done = YES ⇒ update Category/1.items set done = YES
      ^ update <object> set <manykey> . <word> <assign> <rest> $ ⇒ update <object>.<manykey> set <word> <assign> <rest>
    update Category/1 set items = Item/1, Item/2 ⇒ update Category/1 set items = {Item/1, Item/2}
      <manykey> <assign> <objects> ⇒ <manykey> <assign> {<objects>}
    update Item/1 set title += "!" ⇒ update Item/1 set title = concat(title, "!")
      <stringkey> + _= <string> ⇒ <stringkey> = concat(<stringkey>, <string>)
    insert Item title = "x", parentCategory.name = "y" ⇒ insert Item title = "x", parentCategory = (fetch Category where name == "y")
      ^ insert <rest:start> <onekey> . <word> = <literal> ⇒ insert <start> <onekey> = (fetch <destination> where <word> == <literal>)
    undo the last change ⇒ undo
      ^ undo|redo|rollback:verb the|my? last|previous|that|it|this? change|step|statement? $ ⇒ <verb>
    undo last 2 changes ⇒ undo 2
      ^ undo|redo:verb the|my? last|previous? <number> changes|steps|statements|times? $ ⇒ <verb> <number>
    save as backup.json ⇒ save "backup.json"
      ^ save the? store|all|everything|changes|it? as|to|into|in <touched> $ ⇒ save <touched">
    save the store as "backup.json" ⇒ save "backup.json"
      ^ save the? store|all|everything|changes|it? as|to|into|in <string> $ ⇒ save <string>
    Item/6 の title を "掃除" に 変更 ⇒ update Item/6 set title = "掃除"
      ^ <object> の <word> を|は <constant> に|にする|に変更|に設定 変更|する|更新|設定? $ ⇒ update <object> set <word> = <constant>
    Item を 追加 title = "掃除" ⇒ insert Item title = "掃除"
      ^ <entity> を? 追加|作成|挿入 <rest> $ ⇒ insert <entity> <rest>
    Item/6 を 削除 ⇒ delete Item/6
      ^ <object> を? 削除|消す|消去 する? $ ⇒ delete <object>
    commit all ⇒ save
      ^ commit <filler>? $ ⇒ save
    save changes ⇒ save
      ^ save the|all? all|changes|everything|it|now|store $ ⇒ save
    rename entity Item to Entry ⇒ alter entity Item rename to Entry
      ^ rename entity? <entity> to|as <word> $ ⇒ alter entity <entity> rename to <word>
    create entity Note { title: string } ⇒ entity Note { title: string }
      ^ create|define|new|add|make|declare entity <rest> $ ⇒ entity <rest>
    drop Item/8 ⇒ delete Item/8
      ^ drop <object> $ ⇒ delete <object>
    drop Tag ⇒ drop entity Tag
      ^ drop class? <entity> $ ⇒ drop entity <entity>
    drop entity Tag ⇒ alter entity Item drop tags; drop entity Tag
      ^ drop entity <entity> $ ⇒ <drops>drop entity <entity>
    drop table Tag ⇒ alter entity Item drop tags; drop entity Tag all
      ^ drop table if? exists? <entity> all? $ ⇒ <drops>drop entity <entity> all
    drop Tag all ⇒ alter entity Item drop tags; drop entity Tag all
      ^ drop entity|class? <entity> all $ ⇒ <drops>drop entity <entity> all
    drop entity Item dueDate ⇒ alter entity Item drop dueDate
      ^ drop entity <entity> <key> $ ⇒ alter entity <entity> drop <key>
    delete column dueDate from Item ⇒ alter entity Item drop dueDate
      ^ delete|drop|remove <keyword> <key> from|of <entity> $ ⇒ alter entity <entity> drop <key>
    alter Item add note: string? ⇒ alter entity Item add note: string?
      ^ alter class|model? <entity> add|drop|rename|change:what <rest> $ ⇒ alter entity <entity> <what> <rest>
    alter entity Item add column note string ⇒ alter entity Item add note: string?
      ^ alter entity <entity> add <keyword>? <newkey> :? <type> $ ⇒ alter entity <entity> add <newkey>: <type~>?
    alter entity Item change column title string ⇒ alter entity Item change title: string
      ^ alter entity <entity> change <keyword>? <word> to? <type> $ ⇒ alter entity <entity> change <word>: <type>
    alter entity Item change title to name ⇒ alter entity Item rename title to name
      ^ alter entity <entity> change|rename <keyword>? <key> to|as|into|-|=|→ >? <word> $ ⇒ alter entity <entity> rename <key> to <word>
    alter entity Item rename Entry ⇒ alter entity Item rename to Entry
      ^ alter entity <entity> rename <word> $ ⇒ alter entity <entity> rename to <word>
    alter entity Item remove done ⇒ alter entity Item drop done
      ^ alter entity <entity> remove|delete <keyword>? <key> $ ⇒ alter entity <entity> drop <key>
    alter entity Item drop column done ⇒ alter entity Item drop done
      ^ alter entity <entity> add|drop|rename|change:what <keyword> <rest> $ ⇒ alter entity <entity> <what> <rest>
    alter entity Item modify title: string? ⇒ alter entity Item change title: string?
      ^ alter entity <entity> modify|alter|set|update|edit <keyword>? <rest> $ ⇒ alter entity <entity> change <rest>
    alter entity Item add index on title ⇒ alter entity Item add index title
      ^ alter entity <entity> add|drop:what index on|for|of <key> $ ⇒ alter entity <entity> <what> index <key>
    insert new Item title = "x" ⇒ insert Item title = "x"
      ^ insert|add|create new|a|an|one <entity> <rest> $ ⇒ insert <entity> <rest>
    alter entity Item add stars: integer = 0, note: string? ⇒ alter entity Item add stars: integer = 0; alter entity Item add note: string?
      ^ alter entity <entity> add <rest:one> , <rest:two> $ ⇒ alter entity <entity> add <one>; alter entity <entity> add <two>
    # beside any: nested fetches
    insert Item title = "x", parentCategory = fetch Category where name == "y" ⇒ insert Item title = "x", parentCategory = (fetch Category where name == "y")
      in|=|==|!=:sign fetch <most> ⇒ <sign> (fetch <most>)
    """#
}
