/// The words of each class of parts: `=` before words, `~` before a regular expression that matches
/// the text from a part on.
///
/// Replacements can use the named groups of an expression.
enum RepairWords {
  static let table = #"""
    verb = fetch count exists
    filler = all every each the only please of my a me just now here it that 全部 すべて 全て だけ のみ を の は です 下さい ください をすべて 全件 一覧 表示
    leading = select where fetch from show with columns only だけ のみ の を
    leadword = with where whose having by for of in has
    particle = が は に を も の で と
    andword = and & ＆ と plus + かつ および 且つ そして しかも なおかつ それと で but also
    orword = または 又は もしくは か あるいは | // ｜
    joining = , 、 ， ・ & ＆ / + ( ) [ ] と や の を and
    choosing = か または もしくは でも 、 , | || or nor
    article = the word words text letters string a value phrase
    order = == = != <> < > <= >= =< =>
    textoperator = like contains beginswith endswith matches
    without = no without lacking
    type = string integer date boolean decimal double uuid data
    aggregate = @count @sum @avg @min @max
    turning = 以外 でない ではない ない not except without neither nor no ! ≠
    list = select distinct sort order group section by
    asker = which what who fetch show list get find give
    rising = lowest least fewest smallest shortest oldest earliest cheapest minimum min
    falling = most highest largest biggest greatest longest newest latest maximum max
    keyword = column key field attribute property
    rowword = one first top any only just
    option ~ (?i)[cdnlw]{1,4}(?!\w)
    fraction ~ [0-9]{1,2}(?![0-9])|[0-9]{4,9}
    operation ~ (?i)(?:contains|beginswith|endswith|like|matches|in|==?|!=|<>|[<>]=?)(?:\[[a-z]{1,4}\])?\s*(?:"[^"\n]*"|'[^'\n]*'|\{[^}\n]*\}|[0-9.]+(?!\w)|(?:yes|no|true|false|null|nil)(?!\w))
    textual ~ (?i)(?:contains|beginswith|endswith|like|matches)(?:\[[a-z]{1,4}\])?
    slashed ~ /(?<slashed>[^/\n]+)/(?!\w)
    assign ~ [-+]?=
    hash ~ #(?!")
    enclosed ~ [「『“"'`(（\[<](?<enclosed>[^"'`]{3,180})[」』”"'`)）\]>]\s*$
    glued ~ (?i)(?<verb>fetch|count|exists|describe)(?<name>[a-z]\w*)
    limited ~ (?i)(?<word>limit|offset|batch)(?<number>[0-9]+)
    touching ~ (?i)(?<word>not|any|all|none|and|or)(?<name>[a-z]\w*)
    criterion ~ ["']?(?<sign>[<>=!]{0,2})(?<value>[^")<>=!]{1,60}?)["']?(?=\s*\))
    pattern ~ (?!["'])\S+
    blob ~ (?=\S*[?*])(?!["'])\S+
    apostrophe ~ '(?<apostrophe>[^'"\\\n]{0,60}\w'\w[^'"\\\n]{0,60})'(?!\w)
    doubled ~ (?<quote>["'])(?<one>[^"'\n]+)\k<quote>\k<quote>(?<two>[^"'\n]+)\k<quote>
    unclosed ~ (?<quote>["'])(?<text>[^"'\n]*?)(?<end>[)},\s]*)$
    mixed ~ (?<quote>["'])(?<text>[^"'\n]*)(?!\k<quote>)["']
    lonequote ~ ["']\s*$
    filled ~ (?<open>["'][^"'\n]*)%[@dsi](?<close>[^"'\n]*["'])\s*,\s*["']?(?<value>[^"']*)["']?$
    range ~ \{? {0,2}(?<low>[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{1,40}") {0,2}(?:〜|～|~|\.\.\.?|から|–|—|\bto\b) {0,2}(?<high>[0-9]{1,16}(?:\.[0-9]{1,8})?|"[^"\n]{1,40}")(?:まで)? {0,2}\}?
    nth ~ (?:[\/\\.#№:(\[／・ー_\-]|の|\s|(?i:row|number|no|nr|object|id|item)\b){0,6}(?<nth>[0-9０-９]{1,18}|[一二三四五六七八九十])(?:番目?|行目?|つ目|だけ|のみ|を|[)\]"'」』”`。.]){0,3}\s*$
    amount ~ (?<amount>[0-9０-９]{1,18}|[一二三四五六七八九十])(?:件|個)(?:だけ|のみ|を){0,2}\s*$
    numbered ~ #(?<number>[0-9]+)
    negation ~ (?i:(?:does|do|is)(?:\s?n['’]?t|\s+not)|not)(?!\w)
    unlike ~ 以外|(?:じゃ|で)[はも]?(?:ない|ありません)
    caseless ~ (?i:ignor(?:e|ing)\s?case|(?:collate\s)?nocase|case\s?-?\s?insensitive)|大?文字?小文字(?:を無視|を区別しない|無視)
    accentless ~ (?i:ignor(?:e|ing)\s(?:accents|diacritics))
    ordered ~ (?=[^=<>"]*\b(?i:asc|desc)\b)[\w.,]+(?:[\s,]+[\w.]+)*
    computed ~ ["'0-9$(]|[a-z]\w*(?=\()
    ending ~ の?(?:もの|物|データ)?(?:だけ|のみ)?(?:を|は)?(?:取得|表示|検索|一覧|見せて)?(?:する|して|ください|下さい)*\s*$
    """#
}

/// All rules. A line with a mistake, `⇒` and its correction precedes a line with the pattern, `⇒`
/// and the replacement.
///
/// The rules after a `#` have one rank. `any`: they also apply to valid statements; `joined`: all
/// matches of all rules are one fix; `modest`: they can also correct a second mistake.
enum RepairTable {
  static let line = #"""
    # offered: settings
    mode json ⇒ .mode json
      ^ @ <setting> ⇒ .<setting>
    set mode = csv ⇒ .mode csv
      ^ set <setting> = ⇒ .<setting>
    :q ⇒ .quit
      ^ : q|quit|wq|x $ ⇒ .quit
    set language ja ⇒ .language ja
      ^ set <setting> ⇒ .<setting>
    # offered any: what is printed
    print title ⇒ fetch MemoDate select title
      ^ print @ <anykey> ⇒ fetch <likely> select <anykey>
    print SUBQUERY(items, $x, $x.done == YES) ⇒ fetch Category select SUBQUERY(items, $x, $x.done == YES)
      ^ print <noentity> <rest> @ <anykey> ⇒ fetch <likely> select <rest><anykey>
    # offered any: how many
    fetch the last 3 Items ⇒ fetch Item sort objectID desc limit 3
      ^ <asker> <filler>? last <howmany> <entity> $ ⇒ fetch <entity> sort objectID desc limit <howmany>
    how many Items are not done? ⇒ count Item where done == NO
      ^ how many <entity> are|is <truth> <boolkey> ?? $ ⇒ count <entity> where <boolkey> == <truth>
    how many Items have priority 3? ⇒ count Item where priority == 3
      ^ how many <entity> has|have|with|of <valuekey> <value> ?? $ ⇒ count <entity> where <valuekey> == <value>
    # beside joined any: objects
    fetch Item where parentCategory IN {Category1, Category2} ⇒ fetch Item where parentCategory IN {Category/1, Category/2}
      <gluedobject> ⇒ <gluedobject>
    # beside any: values
    fetch Item select priority, count group by priority ⇒ fetch Item select priority, count(SELF) group by priority
      select|,:before count (? )? <finished> ⇒ <before> count(SELF)
    fetch Item where parentCategory/name == "x" ⇒ fetch Item where parentCategory.name == "x"
      <key> :|/ :? _<word> ⇒ <key>.<word>
    fetch Item sort title, desc ⇒ fetch Item sort title desc
      sort|,:before <path> , desc|asc:word ⇒ <before> <path> <word>
    fetch Item where priority == max ⇒ fetch Item where priority == (fetch Item select max(priority))
      <valuekey> <order> max|min|avg:name ⇒ <valuekey> <order> <name>(<valuekey>)
    fetch Item order by most priority ⇒ fetch Item sort priority desc
      order|sort by? <superlative> <path> ⇒ sort <path> <superlative>
    fetch Item where any(tags.name == "x") ⇒ fetch Item where any tags.name == "x"
      any|all|none|some:word _( <inside> ) ⇒ <word> <inside>
    fetch Item where dateByAdding(dueDate, 3, day) > now() ⇒ fetch Item where dateByAdding(dueDate, 3, "day") > now()
      datebyadding:call ( <rest> , year|month|week|day|hour|minute|second:unit ) ⇒ <call>(<rest>, <unit">)
    fetch Item where title == ("a" || "b") ⇒ fetch Item where title IN {"a", "b"}
      <key> =|== ( <choices> ) ⇒ <key> IN {<choices>}
    fetch Item without dueDate ⇒ fetch Item where dueDate == NULL
      ^ <verb> <entity> with? <without> <key> ⇒ <verb> <entity> where <key> == NULL
    fetch Tag where items.max.priority == 3 ⇒ fetch Tag where items.@max.priority == 3
      <manykey> . count|sum|avg|min|max:name ⇒ <manykey>.@<name>
    # beside joined: types before names
    entity Note { string title; date due } ⇒ entity Note { title: string; due: date }
      {|;|,:before <type> <word> ⇒ <before> <word>: <type>
    entity Note { kind: "a" | "b" } ⇒ entity Note { kind: string check (kind IN {"a", "b"}) }
      {|;|,:before <word> : enum? (? <choices> )? ⇒ <before> <word>: string check (<word> IN {<choices>})
    entity Note { items: Item[] } ⇒ entity Note { items: [Item] }
      {|;|,:before <word> : <entity> [ ] ⇒ <before> <word>: [<entity>]
    entity Note { items: list of Item } ⇒ entity Note { items: [Item] }
      {|;|,:before <word> : array|list|collection of|(? <entity> )? ⇒ <before> <word>: [<entity>]
    # beside joined: entities of programs
    struct Note { let title: string; var due: date? } ⇒ entity Note { title: string; due: date? }
      ^ struct|class|record|model|table|schema <word> { ⇒ entity <word> {
    # certain any: the whole line
    kura> fetch MemoDate ⇒ fetch MemoDate
      ^ kura <touched>? > ⇒
    「fetch MemoDate」 ⇒ fetch MemoDate
      ^ <enclosed> $ ⇒ <enclosed>
    fetchMemoDate sort title ⇒ fetch MemoDate sort title
      ^ <glued> ⇒ <verb> <name>
    COUNTA(dueDate) ⇒ count Item where dueDate != NULL
      ^ =? count|counta ( <anykey> ) $ ⇒ count <likely> where <anykey> != NULL
    =COUNTIF(category,"<>Private") ⇒ count MemoDate where category != "Private"
      ^ =? countif|countifs ( <anykey> ,|; <criterion> ) $ ⇒ count <likely> where <anykey> <sign=> <value=>
    count dueDate ⇒ count Item where dueDate != NULL
      ^ count <anykey> $ ⇒ count <likely> where <anykey> != NULL
    fetch Item where due date == nil ⇒ fetch Item where dueDate == nil
      <twowords> ⇒ <twowords>
    fetch Item where ISBLANK(dueDate) ⇒ fetch Item where dueDate == NULL
      isblank|isempty|isnull|isnil|isna ( <path> ) ⇒ <path> == NULL
    # certain any: objects
    fetch Item where parentCategory == Category 2 ⇒ fetch Item where parentCategory == Category/2
      <order> <entity> <number> ⇒ <order> <entity>/<number>
    fetch Item.head(3) ⇒ fetch Item limit 3
      ^ fetch <entity> .|[ head|take|first|top|limit? :|( <number> )|] ⇒ fetch <entity> limit <number>
    fetch MemoDate #7 ⇒ fetch MemoDate/7
      ^ <show> <entity> <nth> $ ⇒ <show> <entity>/<nth#>
    fetch MemoDate 三件 ⇒ fetch MemoDate limit 3
      ^ <show> <entity> <amount> $ ⇒ <show> <entity> limit <amount#>
    fetch "MemoDate/7" ⇒ fetch MemoDate/7
      ^ <show> <string> $ ⇒ <show> <string'>
    fetch MemoDate MemoDate/7 ⇒ fetch MemoDate/7
      ^ <show> <entity> <object> $ ⇒ <show> <object>
    fetch 7 ⇒ fetch MemoDate/7
      ^ fetch|print <number> $ ⇒ fetch <likely>/<number>
    MemoDate 7 ⇒ fetch MemoDate/7
      ^ <entity> <number> $ ⇒ fetch <entity>/<number>
    delete Item#6 ⇒ delete Item/6
      <entity> _<numbered> ⇒ <entity>/<number>
    # certain: several objects
    delete Item/1, Item/2 ⇒ delete Item where SELF IN {Item/1, Item/2}
      ^ fetch|count|exists|delete:verb <severalof> <objects> $ ⇒ <verb> <severalof> where SELF IN {<objects>}
    update Item/1, Item/2 set done = YES ⇒ update Item set done = YES where SELF IN {Item/1, Item/2}
      ^ update <severalof> <objects> <rest> $ ⇒ update <severalof> <rest> where SELF IN {<objects>}
    # certain any: which objects
    fetch done Items ⇒ fetch Item where done == YES
      ^ <show> <filler>? <boolkey> <entity> $ ⇒ <show> <entity> where <boolkey> == YES
    fetch Item not done ⇒ fetch Item where done == NO
      ^ <verb> <entity> not <boolkey> $ ⇒ <verb> <entity> where <boolkey> == NO
    fetch MemoDate after "2025-06-01" ⇒ fetch MemoDate where date > "2025-06-01"
      ^ <verb> <entity> in|after|before|since|until:word <value> $ ⇒ <verb> <entity> where <timekey> <word> <value>
    fetch Item with more than 2 tags ⇒ fetch Item where tags.@count > 2
      ^ <verb> <entity> with|having <said> <number> <manykey> $ ⇒ <verb> <entity> where <manykey>.@count <said> <number>
    fetch Item with more than 2 priority ⇒ fetch Item where priority > 2
      ^ <verb> <entity> with|having <said> <number> <valuekey> $ ⇒ <verb> <entity> where <valuekey> <said> <number>
    fetch Item newest first ⇒ fetch Item sort dueDate desc
      ^ <verb> <entity> <timeorder> first <rest>? $ ⇒ <verb> <entity> sort <timekey> <timeorder> <rest>
    sum priority of Item ⇒ fetch Item select sum(priority)
      ^ <function> of? <path> of|in|for <entity> $ ⇒ fetch <entity> select <function>(<path>)
    fetch the oldest Item where done == NO ⇒ fetch Item where done == NO sort dueDate nulls last limit 1
      ^ <asker> <filler:one>? <filler:two>? <timeorder> <howmany> <entity> <rest>? $ ⇒ fetch <entity> <rest> sort <timekey> <timeorder> limit <howmany>
    fetch the 3 newest Items ⇒ fetch Item sort dueDate desc limit 3
      ^ <asker> <filler:one>? <filler:two>? <number> <timeorder> <entity> <rest>? $ ⇒ fetch <entity> <rest> sort <timekey> <timeorder> limit <number>
    which Item has the highest priority? ⇒ fetch Item sort priority desc limit 1
      ^ <asker> <filler:one>? <filler:two>? <howmany> <entity> has|have|with the? <superlative> <valuekey> ?? $ ⇒ fetch <entity> sort <valuekey> <superlative> limit <howmany>
    which Category has the most items? ⇒ fetch Category sort items.@count desc limit 1
      ^ <asker> <filler:one>? <filler:two>? <howmany> <entity> has|have|with the? <superlative> <manykey> ?? $ ⇒ fetch <entity> sort <manykey>.@count <superlative> limit <howmany>
    fetch Item select title[0:2] ⇒ fetch Item select substring(title, 0, 2)
      <path> [ 0? : <number> ] ⇒ substring(<path>, 0, <number>)
    # certain any: columns
    fetch MemoDate title date ⇒ fetch MemoDate select title, date
      ^ fetch|select <entity> <leading>? <keys> <leading>? $ ⇒ fetch <entity> select <keys>
    select title, date from MemoDate ⇒ fetch MemoDate select title, date
      ^ fetch|select <leading>? <keys> <leading>? <entity> $ ⇒ fetch <entity> select <keys>
    fetch title and date ⇒ fetch MemoDate select title, date
      ^ fetch <severalkeys> $ ⇒ fetch <likely> select <severalkeys>
    # certain joined any: days
    fetch MemoDate where date >= Jan 6 2026 and date < Jan 7 2026 ⇒ fetch MemoDate where date >= "2026-01-06" and date < "2026-01-07"
      <order> <day> ⇒ <order> <day>
    # certain any: lists and values of objects
    fetch Item where priority BETWEEN {1, 2, 3} ⇒ fetch Item where priority IN {1, 2, 3}
      between <longlist> ⇒ IN <longlist>
    fetch Item where priority > 2 * priority of Item/4 ⇒ fetch Item where priority > 2 * Item/4.priority
      <valuekey> <order> <factor>? <key:other> of|( <anobject> )? ⇒ <valuekey> <order> <factor><anobject>.<other>
    fetch Item where priority > twice Item4.priority ⇒ fetch Item where priority > 2 * Item/4.priority
      <valuekey> <order> <factor>? <anobject> .|/|の? <key:other> ⇒ <valuekey> <order> <factor><anobject>.<other>
    fetch Item where priority > 2 * Item/4 ⇒ fetch Item where priority > 2 * Item/4.priority
      <valuekey> <order> <factor>? <anobject> ⇒ <valuekey> <order> <factor><anobject>.<valuekey>
    """#

  static let conditions = #"""
    # likely: signs
    let $x = 3; print ${x} ⇒ let $x = 3; print $x
      $|＄ _{ _<word> _} ⇒ $<word>
    fetch Item where capitalizedString(title) == "Cafe" ⇒ fetch Item where FUNCTION(title, "capitalizedString") == "Cafe"
      <method> _( <inside> ) ⇒ FUNCTION(<inside>, <method">)
    fetch Item select avg priority ⇒ fetch Item select avg(priority)
      <function> of? <word> ⇒ <function>(<word>)
    fetch Tag where @count(items) > 1 ⇒ fetch Tag where items.@count > 1
      <aggregate> ( <manykey> ) ⇒ <manykey>.<aggregate>
    fetch Item select avg(CAST(priority == 3, "NSNumber")) ⇒ fetch Item select avg(TERNARY(priority == 3, 1, 0))
      cast ( <rest:one> @ <rest:other> , <string> ) ⇒ TERNARY(<one> <other>, 1, 0)
    fetch Item select sum(priority > 2) ⇒ fetch Item select sum(TERNARY(priority > 2, 1, 0))
      sum|avg|average:name ( <rest:one> @ <rest:other> ) ⇒ <name>(TERNARY(<one> <other>, 1, 0))
    fetch Item select count(done == YES) ⇒ fetch Item select sum(TERNARY(done == YES, 1, 0))
      count|countif ( <rest:one> @ <rest:other> ) ⇒ sum(TERNARY(<one> <other>, 1, 0))
    fetch Item where exists priority ⇒ fetch Item where priority != NULL
      exists|has (? <key> )? ⇒ <key> != NULL
    fetch Category where exists (fetch Item where done == NO) ⇒ fetch Category where (exists Item where done == NO)
      exists ( fetch <entity> ⇒ (exists <entity>
    count MemoDate where category {"Office", "Private"} ⇒ count MemoDate where category IN {"Office", "Private"}
      <key> <bracedlist> ⇒ <key> IN <bracedlist>
    fetch MemoDate where title != nil date desc ⇒ fetch MemoDate where title != nil sort date desc
      @ <ordered> ⇒ sort <ordered>
    fetch Item top 3 by priority ⇒ fetch Item sort priority desc limit 3
      top|best|highest <number> by? <amountkey> ⇒ sort <amountkey> desc limit <number>
    fetch MemoDate top 3 by title ⇒ fetch MemoDate sort title limit 3
      <topword> <number> by <path> ⇒ sort <path> limit <number>
    fetch MemoDate sort date Z-A ⇒ fetch MemoDate sort date desc
      z _- _a ⇒ desc
    # likely modest: decimals
    fetch Item where priority > 1,5 ⇒ fetch Item where priority > 1.5
      <number> _, _<fraction> ⇒ <number>.<fraction>
    # likely: what is not
    fetch MemoDate where category isn't "Private" ⇒ fetch MemoDate where category != "Private"
      isn't ⇒ !=
    fetch Item where neither priority == 1 nor done == YES sort title ⇒ fetch Item where NOT (priority == 1 OR done == YES) sort title
      neither <rest:one> nor <condition:other> ⇒ NOT (<one> OR <other>)
    fetch Item where dueDate !< "2026-02-01" ⇒ fetch Item where NOT dueDate < "2026-02-01"
      <path> ! _<order> ⇒ NOT <path> <order>
    fetch MemoDate where category =/= "Private" ⇒ fetch MemoDate where category != "Private"
      <unequal> ⇒ <unequal>
    # likely joined any: Japanese statements
    MemoDate から category が "Office" のものを取得 ⇒ fetch MemoDate where category == "Office"
      ^ <entity> の|で? 中|中で|から? ⇒ fetch <entity> where
    fetch MemoDate で title が "x" ⇒ fetch MemoDate where title == "x"
      ^ fetch|count:verb <entity> の|で|から|を|は|中で ⇒ <verb> <entity> where
    fetch MemoDate where title に "x" を含まない ⇒ fetch MemoDate where NOT title CONTAINS "x"
      <path> <particle>? <value> を? 含まない|含まず|を含まない ⇒ NOT <path> CONTAINS <value>
    MemoDateの中でnotifiableがYES のもの ⇒ fetch MemoDate where notifiable == YES
      <ending> $ ⇒
    fetch MemoDate where date が 1970-01-01 より前 ⇒ fetch MemoDate where date < "1970-01-01"
      <path> <particle>? =|==|＝? <value> <saidafter> ⇒ <path> <saidafter> <value>
    fetch MemoDate where categoryがOffice ⇒ fetch MemoDate where category == "Office"
      <path> が|は|に|を|も|で <value> ⇒ <path> == <value>
    fetch Item where dueDate が空ではない ⇒ fetch Item where dueDate != NULL
      <path> <particle>? 空ではない|空でない|空じゃない ⇒ <path> != NULL
    fetch Item where dueDateが空 ⇒ fetch Item where dueDate == NULL
      <path> <particle>? 値が? 空|なし|ない|無し|無い|未設定|未定|nil|null の|である|もの? ⇒ <path> == NULL
    fetch Item where done が NO で priority が 1 ⇒ fetch Item where done == NO AND priority == 1
      かつ|および|そして|しかも|なおかつ|で|と|、 ⇒ AND
    fetch Item where priority が 3 もしくは done が NO ⇒ fetch Item where priority == 3 OR done == NO
      または|もしくは|あるいは ⇒ OR
    # likely: Japanese limits
    fetch Item sort priority 3件 ⇒ fetch Item sort priority limit 3
      @ 上位|先頭|最初? の? <number> 件|件だけ|件まで|件のみ|個|行 ⇒ limit <number>
    # likely placeholder: patterns
    fetch MemoDate where title MATCHES ^[A-Z]+ and title != NULL ⇒ fetch MemoDate where title MATCHES "^[A-Z]+" and title != NULL
      matches:sign <pattern> ⇒ <sign> <pattern">
    fetch MemoDate where title LIKE ?生* ⇒ fetch MemoDate where title LIKE "?生*"
      like|matches:sign <blob> ⇒ <sign> <blob">
    fetch MemoDate where title LIKE[c] *生? ⇒ fetch MemoDate where title LIKE[c] "*生?"
      ] <blob> ⇒ ] <blob">
    fetch Item where title ?2 ⇒ fetch Item where title LIKE "?2"
      <key> <blob> ⇒ <key> LIKE <blob">
    # likely joined any modest: letters
    ｃｏｕｎｔ MemoDate ｗｈｅｒｅ objectID == ２ ⇒ count MemoDate where objectID == 2
      <fullwidth> ⇒ <fullwidth>
    # likely modest: texts
    fetch MemoDate where title == 'Dad's day' ⇒ fetch MemoDate where title == "Dad's day"
      <apostrophe> ⇒ <apostrophe">
    insert MemoDate title = 'Dad''s day' ⇒ insert MemoDate title = 'Dad\'s day'
      <doubled> ⇒ <quote><one>\<quote><two><quote>
    fetch MemoDate where title == N'x' ⇒ fetch MemoDate where title == 'x'
      n|u|e|b|r|f|l _<string> ⇒ <string>
    fetch MemoDate where title == ""父"" ⇒ fetch MemoDate where title == "父"
      ""|'' _<word> _""|'' ⇒ <word">
    # likely: arrays of Objective-C
    fetch Item where title IN @[@"a", @"b"] ⇒ fetch Item where title IN {"a", "b"}
      @|＠ _[ <inside> ] ⇒ {<inside>}
    # likely any: comments
    fetch Item where done == NO --open ⇒ fetch Item where done == NO -- open
      - _- <any> ⇒ -- <any>
    fetch Item where done == NO // open ⇒ fetch Item where done == NO -- open
      / _/ <any> ⇒ -- <any>
    fetch Item where done == NO # open ⇒ fetch Item where done == NO -- open
      <hash> ⇒ --
    # likely: other orders
    fetch Item limit3 ⇒ fetch Item limit 3
      <limited> ⇒ <word> <number>
    fetch Item select sum(priority) by done ⇒ fetch Item select done, sum(priority) group by done
      select <rest> by|per|each <keys> ⇒ select <keys>, <rest> group by <keys>
    count Item group by priority ⇒ fetch Item select priority, count(SELF) group by priority
      ^ count <entity> <rest>? @ group|per|by|each by? <rest:keys> $ ⇒ fetch <entity> <rest> select <keys>, count(SELF) group by <keys>
    fetch title, date from MemoDate where category == "x" ⇒ fetch MemoDate where category == "x" select title, date
      ^ fetch <rest:columns> from <entity> <rest>? $ ⇒ fetch <entity> <rest> select <columns>
    count distinct category from MemoDate ⇒ print (fetch MemoDate select distinct category).@count
      ^ count <rest:columns> from <entity> <rest>? $ ⇒ print (fetch <entity> <rest> select <columns>).@count
    count MemoDate select distinct category ⇒ print (fetch MemoDate select distinct category).@count
      ^ count <rest> $ ⇒ print (fetch <rest>).@count
    fetch Item, Tag ⇒ fetch Item; fetch Tag
      ^ <verb> <entity:one> ,|and|& <entity:two> $ ⇒ <verb> <one>; <verb> <two>
    count Item and Category and Tag ⇒ count Item; count Category; count Tag
      ^ <verb> <entity:one> ,|and|& <entity:two> ,|and|& <entity:three> $ ⇒ <verb> <one>; <verb> <two>; <verb> <three>
    # likely: quotes
    fetch MemoDate where (category == "Office) ⇒ fetch MemoDate where (category == "Office")
      <unclosed> ⇒ <quote><text><quote><end>
    fetch MemoDate where title == '掃除" ⇒ fetch MemoDate where title == '掃除'
      <mixed> ⇒ <quote><text><quote>
    fetch MemoDate where category == Office" ⇒ fetch MemoDate where category == "Office"
      <asks> <words> _<lonequote> $ ⇒ <asks> <words">
    fetch Item where title LIKE "*%@*", "掃" ⇒ fetch Item where title LIKE "*掃*"
      <filled> ⇒ <open><value><close>
    # likely: lists
    fetch MemoDate where category == "Office" "Private" ⇒ fetch MemoDate where category IN {"Office", "Private"}
      =|== <values> ⇒ IN {<values>}
    fetch MemoDate where year(date) in 1970, 1935 ⇒ fetch MemoDate where year(date) in {1970, 1935}
      in <values> ⇒ in {<values>}
    # likely: options
    fetch MemoDate where title CONTAINS(c) "x" ⇒ fetch MemoDate where title CONTAINS[c] "x"
      <operator> (|{ <option> )|} ⇒ <operator>[<option>]
    fetch Item where title CONTAINS cd "x" ⇒ fetch Item where title CONTAINS[cd] "x"
      <operator> <option> ⇒ <operator>[<option>]
    fetch MemoDate where title CONTAINS[c] AND CONTAINS[d] "cafe" ⇒ fetch MemoDate where title CONTAINS[cd] "cafe"
      <operator> [ <option:one> ] and <operator> [ <option:two> ] ⇒ <operator>[<one!><two!>]
    fetch MemoDate where title CONTAINS "cat" ignoring case ⇒ fetch MemoDate where title CONTAINS[c] "cat"
      <operator> <string> <caseless> ⇒ <operator>[c] <string>
    fetch MemoDate where title CONTAINS "cat" ignoring accents ⇒ fetch MemoDate where title CONTAINS[d] "cat"
      <operator> <string> <accentless> ⇒ <operator>[d] <string>
    # likely any: options after the value
    fetch MemoDate where title CONTAINS "誕生" [cd] ⇒ fetch MemoDate where title CONTAINS[cd] "誕生"
      <operator> <string> [ <option> ] ⇒ <operator>[<option>] <string>
    # likely: ranges
    fetch Item where priority 1-3 ⇒ fetch Item where priority BETWEEN {1, 3}
      <key> が|は|in? <number:low> _- _<number:high> ⇒ <key> BETWEEN {<low>, <high>}
    fetch Item where priority が 1以上3以下 ⇒ fetch Item where priority BETWEEN {1, 3}
      <key> が|は? <number:low> 以上 、? <number:high> 以下 ⇒ <key> BETWEEN {<low>, <high>}
    fetch MemoDate where date == * ⇒ fetch MemoDate where date != NULL
      =|== * ⇒ != NULL
    fetch MemoDate where category != * ⇒ fetch MemoDate where category == NULL
      != * ⇒ == NULL
    # likely: conditions
    fetch Item where done == NO sort title where title == "a" OR title == "b" limit 3 ⇒ fetch Item where done == NO AND (title == "a" OR title == "b") sort title limit 3
      where <condition:one> <rest>? @ where|and <condition:two> ⇒ where <one)> AND <two)> <rest>
    fetch MemoDate "誕生" ⇒ fetch MemoDate where title CONTAINS "誕生"
      ^ <verb> <entity> <string> $ ⇒ <verb> <entity> where <textkey> CONTAINS <string>
    delete Item "大掃除" ⇒ delete Item where title == "大掃除"
      ^ delete|remove|update:verb <entity> <string> ⇒ <verb> <entity> where <textkey> == <string>
    insert Item "x" ⇒ insert Item title = "x"
      ^ insert|add|create <entity> <string> $ ⇒ insert <entity> <textkey> = <string>
    fetch MemoDate where CONTAINS "記念" ⇒ fetch MemoDate where title CONTAINS "記念"
      where @ <textoperator> <string> ⇒ where <textkey> <textoperator> <string>
    fetch MemoDate CONTAINS "誕生" ⇒ fetch MemoDate where title CONTAINS "誕生"
      ^ <verb> <entity> <textoperator> <string> ⇒ <verb> <entity> where <textkey> <textoperator> <string>
    fetch Item where BETWEEN {1, 3} ⇒ fetch Item where priority BETWEEN {1, 3}
      where between|in:sign { ⇒ where <numberkey> <sign> {
    # likely joined: where once more
    fetch MemoDate where title != NULL and where date != NULL ⇒ fetch MemoDate where title != NULL and date != NULL
      and|or:sign where ⇒ <sign>
    # likely: exclusions
    fetch Item where has no tags ⇒ fetch Item where tags.@count == 0
      where has? <without> <manykey> ⇒ where <manykey>.@count == 0
    fetch MemoDate except category == "Office" ⇒ fetch MemoDate where NOT category == "Office"
      ^ <verb> <entity> except|excluding <asking> <condition> ⇒ <verb> <entity> where NOT <condition>
    # likely any: sources
    fetch * ⇒ fetch MemoDate
      ^ <verb> *|all|everything|anything|全部|すべて|全て $ ⇒ <verb> <likely>
    fetch count MemoDate where title == "x" ⇒ count MemoDate where title == "x"
      ^ fetch count|exists:what <rest> $ ⇒ <what> <rest>
    fetch MemoDate count ⇒ count MemoDate
      ^ fetch <entity> count $ ⇒ count <entity>
    print MemoDate ⇒ fetch MemoDate
      ^ print <entity> $ ⇒ fetch <entity>
    fetch MemoDate.title ⇒ fetch MemoDate select title
      ^ fetch <entity> . <rest> $ ⇒ fetch <entity> select <rest>
    fetch MemoDate limit all ⇒ fetch MemoDate
      ^ <verb> <rest> limit? <filler> $ ⇒ <verb> <rest>
    undo all ⇒ rollback
      ^ undo|rollback all|everything|全部|すべて|全て $ ⇒ rollback
    list all Items that are not done ⇒ fetch Item where done == NO
      ^ <word> <filler>? <entity> that|which are|is <truth> <key> $ ⇒ fetch <entity> where <key> == <truth>
    # likely any: conditions as they are spoken
    fetch MemoDate where category doesn't equal "Private" ⇒ fetch MemoDate where category != "Private"
      <path> <negation> equal|equals ⇒ <path> !=
    fetch MemoDate where title does not contain "x" ⇒ fetch MemoDate where NOT title CONTAINS "x"
      <path> <negation> <said> ⇒ NOT <path> <said>
    fetch Item where title contains the word "x" ⇒ fetch Item where title contains "x"
      <article>+ <string> ⇒ <string>
    fetch Item where priority is either 3 or 0 ⇒ fetch Item where priority IN {3, 0}
      <key> が|は? =|==|＝|is? either? <choices> か? ⇒ <key> IN {<choices>}
    fetch Item where priority neither 0 nor 1 ⇒ fetch Item where NOT priority IN {0, 1}
      <key> !=|neither (? <choices> )? ⇒ NOT <key> IN {<choices>}
    fetch Item where priorityが0でも1でもない ⇒ fetch Item where NOT priority IN {0, 1}
      <key> が|は? <choices> <unlike> ⇒ NOT <key> IN {<choices>}
    fetch Item where done == N0 ⇒ fetch Item where done == NO
      <lookalike> ⇒ <lookalike>
    fetch Item where NOTdone == YES ⇒ fetch Item where NOT done == YES
      <touching> ⇒ <word> <name>
    # likely any: what an operator is for
    fetch Item where title MATCHES "[0-9]{4" ⇒ fetch Item where title MATCHES "[0-9]{4}"
      matches:sign <badpattern> ⇒ <sign> <badpattern>
    fetch Item where title MATCHES "*sea*" ⇒ fetch Item where title LIKE "*sea*"
      matches <wildtext> ⇒ LIKE <wildtext>
    fetch Item where title MATCHES "(a" ⇒ fetch Item where title CONTAINS "(a"
      matches <nopattern> ⇒ CONTAINS <nopattern>
    fetch Item where title LIKE 2 ⇒ fetch Item where title LIKE "2"
      <textoperator> <number> ⇒ <textoperator> <number">
    # likely: a key and its value
    fetch MemoDate with category: Office ⇒ fetch MemoDate where category == "Office"
      ^ <verb> <entity> <leadword>? <key> :|→|=|＝? <phrase> $ ⇒ <verb> <entity> where <key> == <phrase>
    """#

  static let neighbors = #"""
    # foreign modest: words
    fetch MemoDate take 3 ⇒ fetch MemoDate limit 3
      <near> <foreign> ⇒ <foreign>
    fetch Item sort priority descnding ⇒ fetch Item sort priority descending
      <near> <misspelled> ⇒ <misspelled>
    # foreign: beginnings
    fetch the first 3 MemoDates ⇒ fetch MemoDate limit 3
      ^ fetch <filler>? <topword>? <number> <entity> <rest>? $ ⇒ fetch <entity> <rest> limit <number>
    $y = 4 ⇒ let $y = 4
      ^ @ <variable> = ⇒ let <variable> =
    y = 4 ⇒ let $y = 4
      ^ @ <word> = ⇒ let $<word> =
    In("x") ⇒ run In("x")
      ^ @ <any> ⇒ run <any>
    MemoDate ⇒ fetch MemoDate
      ^ @ <any> ⇒ fetch <any>
    2 + 3 ⇒ print 2 + 3
      ^ @ <computed> ⇒ print <computed>
    count title == "x" ⇒ count MemoDate where title == "x"
      ^ <verb> <asking> <anykey> @ ⇒ <verb> <likely> where <anykey>
    fetch where objectID == 2 ⇒ fetch MemoDate where objectID == 2
      ^ <verb> <any> @ ⇒ <verb> <likely> <any>
    fetch ⇒ fetch MemoDate
      ^ <verb> @ ⇒ <verb> <likely>
    # fragments: parts of a fetch alone
    where category == "Office" sort date ⇒ fetch MemoDate where category == "Office" sort date
      ^ @ <clause> ⇒ fetch <likely> <clause>
    filter category = "Office" ⇒ fetch MemoDate where category = "Office"
      ^ @ <foreignwhere> <asking> <anykey> ⇒ fetch <likely> where <anykey>
    notifiable == YES ⇒ fetch MemoDate where notifiable == YES
      ^ @ <asking> <anykey> ⇒ fetch <likely> where <anykey>
    title date ⇒ fetch MemoDate select title, date
      ^ @ <severalkeys> $ ⇒ fetch <likely> select <severalkeys>
    dueDate ⇒ fetch Item select dueDate
      ^ @ <telling> <anykey> ⇒ fetch <likely> select <anykey>
    # neighbors: what is missing
    fetch Category where SUBQUERY(items, $i, $i.done == YES)@count > 0 ⇒ fetch Category where SUBQUERY(items, $i, $i.done == YES).@count > 0
      <operand> @ <aggregate> ⇒ <operand>.<aggregate>
    fetch Item select title select done ⇒ fetch Item select title, done
      <any:one> @ select <any:two> ⇒ <one>, <two>
    fetch Item sort title done ⇒ fetch Item sort title, done
      <operand:one> @ <operand:two> ⇒ <one>, <two>
    count MemoDate category == "Office" ⇒ count MemoDate where category == "Office"
      <nowhere> <operand:one> @ <operand:two> ⇒ <one> where <two>
    fetch MemoDate select year(date) y, title ⇒ fetch MemoDate select year(date) as y, title
      <operand:one> @ <word:two> ⇒ <one> as <two>
    fetch MemoDate where category == "Office" title CONTAINS "会" ⇒ fetch MemoDate where category == "Office" AND title CONTAINS "会"
      <unlisted> <operand:one> @ <operand:two> ⇒ <one> AND <two>
    fetch MemoDate year(date) ⇒ fetch MemoDate select year(date)
      <word:one> @ <word:two> ⇒ <one> select <two>
    # neighbors modest: words and commas
    fetch Item where priority > 1,500 ⇒ fetch Item where priority > 1500
      <near> , ⇒
    fetch Item where title length(parentCategory.name) ⇒ fetch Item where title == length(parentCategory.name)
      <unlisted> <operand:one> @ <operand:two> ⇒ <one> == <two>
    fetch MemoDate sort desc date ⇒ fetch MemoDate sort date desc
      <near> <plainword:one> <plainword:two> ⇒ <two> <one>
    # neighbors: other words and signs
    fetch Item where priority == 1 but done == NO ⇒ fetch Item where priority == 1 AND done == NO
      <near> <andword> ⇒ AND
    fetch MemoDate select title; date ⇒ fetch MemoDate select title, date
      <near> ;|、|，|and|&|＆|と|plus|+|then ⇒ ,
    fetch MemoDate where category == "Office", title CONTAINS "父" ⇒ fetch MemoDate where category == "Office" AND title CONTAINS "父"
      <near> <inwhere> <any> ,|、|， ⇒ <any> AND
    # neighbors joined: names between backquotes
    fetch Item where `title` == "x" ⇒ fetch Item where title == "x"
      ` <any> ` ⇒ <any>
    # brackets: brackets
    fetch Item where done == NO AND {priority == 2 OR priority == 3} ⇒ fetch Item where done == NO AND (priority == 2 OR priority == 3)
      {|[ <rest> }|] ⇒ (<rest>)
    fetch Category where SUBQUERY(items, $i, $i.done == NO.@count > 0 ⇒ fetch Category where SUBQUERY(items, $i, $i.done == NO).@count > 0
      <open> <most> ⇒ <open><most><closing>
    fetch Item where parentCategory IN Category where name == "x" ⇒ fetch Item where parentCategory IN (fetch Category where name == "x")
      <entity> @ <clause> <most> ⇒ (fetch <entity> <clause> <most>)
    # quotes: texts without quotes
    fetch Item where title == Big Cleaning ⇒ fetch Item where title == "Big Cleaning"
      <asks> <words> ⇒ <asks> <words">
    # removals: what is too much
    fetch MemoDate where category == "Office") ⇒ fetch MemoDate where category == "Office"
      <near> <removable> ⇒
    fetch MemoDate as m sort date ⇒ fetch MemoDate sort date
      as <word> ⇒
    """#
}
