extension RepairTable {
  /// Habits of other query languages, and short forms of conditions. These rules preserve the
  /// meaning by themselves and bypass `FixGate`.
  static let queries = #"""
    # offered any: statements
    =COUNT(MemoDate) ⇒ count MemoDate
      ^ print? =? count|counta|rows ( <entity> <rest>? ) $ ⇒ count <entity> <rest>
    fetch(MemoDate where notifiable == YES) ⇒ fetch MemoDate where notifiable == YES
      ^ fetch|exists|describe:verb ( <entity> <rest>? ) $ ⇒ <verb> <entity> <rest>
    print count Item where done == YES ⇒ print (count Item where done == YES)
      ^ print fetch|count|exists:verb <entity> <rest>? $ ⇒ print (<verb> <entity> <rest>)
    trace Item where done == NO for 1 ⇒ trace Item/1 where done == NO
      ^ trace <entity> <rest> for|of|on|in <entity:again>? /? <number> $ ⇒ trace <entity>/<number> <rest>
    model Item ⇒ describe Item
      ^ model|schema|structure|fields|columns <entity> $ ⇒ describe <entity>
    fetch Category/2 items ⇒ fetch Category/2.items
      ^ fetch <object> /|\? <manykey> <rest>? $ ⇒ fetch <object>.<manykey> <rest>
    fetch Item/2 title ⇒ fetch Item/2 select title
      ^ fetch <object> /|\? <keys> $ ⇒ fetch <object> select <keys>
    print Item/2/title ⇒ print Item/2.title
      ^ print <object> /|\ <key> ⇒ print <object>.<key>
    select Item.* ⇒ fetch Item
      ^ select <entity> . * $ ⇒ fetch <entity>
    # offered any: programs
    Item.priority.max() ⇒ fetch Item select max(priority)
      ^ <entity> . <valuekey> . <function> ( ) $ ⇒ fetch <entity> select <function>(<valuekey>)
    Item[Item.priority > 3] ⇒ fetch Item where priority > 3
      ^ <entity> [ <entity> . <rest> ] $ ⇒ fetch <entity> where <rest>
    Item[Item["priority"] > 3] ⇒ fetch Item where priority > 3
      ^ <entity> [ <entity> [ <string> ] <rest> ] $ ⇒ fetch <entity> where <string'> <rest>
    df[df['priority'] > 3] ⇒ fetch Item where priority > 3
      ^ df [ df [ <string> ] <rest> ] $ ⇒ fetch <likely> where <string'> <rest>
    df[df['priority'] > 3].sort_values('title') ⇒ fetch Item where priority > 3 sort title
      ^ df [ df [ <string> ] <rest> ] . sort_values ( <string:order> ) $ ⇒ fetch <likely> where <string'> <rest> sort <order'>
    fetch Item where priority in range(1, 3) ⇒ fetch Item where (priority >= 1 AND priority < 3)
      <path> in range ( <number:low> , <number:high> ) ⇒ (<path> >= <low> AND <path> < <high>)
    # offered any: windows
    fetch Item select title, rank() over (order by priority desc) where done == NO ⇒ fetch Item select title, rank() where done == NO sort priority desc
      rank ( ) over ( order by <inside> ) <rest>? $ ⇒ rank() <rest> sort <inside>
    fetch Item select title, sum(priority) over (order by dueDate) ⇒ fetch Item select title, runningSum(priority) sort dueDate
      sum ( <inside:value> ) over ( order by <inside> ) <rest>? $ ⇒ runningSum(<value>) <rest> sort <inside>
    fetch Item select title, row_number() over (order by dueDate) ⇒ fetch Item select title, runningSum(1) sort dueDate
      row_number|rownumber ( ) over ( order by <inside> ) <rest>? $ ⇒ runningSum(1) <rest> sort <inside>
    fetch Item select title, row_number() ⇒ fetch Item select title, runningSum(1)
      row_number|rownumber|rownum ( ) ⇒ runningSum(1)
    # offered any: times and collections
    fetch MemoDate where date > now() - 7d ⇒ fetch MemoDate where date > dateByAdding(now(), -7, "day")
      now|today:base (? )? <duration> ⇒ dateByAdding(<base>(), <duration>)
    fetch MemoDate where date + 2 weeks > now() ⇒ fetch MemoDate where dateByAdding(date, 2, "week") > now()
      <datekey> <duration> ⇒ dateByAdding(<datekey>, <duration>)
    fetch Category where exists items ⇒ fetch Category where items.@count > 0
      exists|has (? <manykey> )? ⇒ <manykey>.@count > 0
    # beside joined: types of columns
    entity Note { price: decimal(10,2) } ⇒ entity Note { price: decimal }
      : decimal|double|float|integer:type _( <inside> ) ⇒ : <type>
    entity Note { title: varchar(20); done: boolean } ⇒ entity Note { title: string max 20; done: boolean }
      : varchar|nvarchar|char|character|string|text _( <number> ) ⇒ : string max <number>
    # beside any: several keys, values and comparisons
    fetch Item where (title or parentCategory.name) contains "x" ⇒ fetch Item where (title contains "x" or parentCategory.name contains "x")
      ( <path:one> or|and:sign <path:two> ) <operation> ⇒ (<one> <operation> <sign> <two> <operation>)
    fetch Item where title or parentCategory.name contains "x" ⇒ fetch Item where (title contains "x" or parentCategory.name contains "x")
      <path:one> or|and:sign <path:two> <operation> ⇒ (<one> <operation> <sign> <two> <operation>)
    fetch Item where title, parentCategory.name contains "x" ⇒ fetch Item where (title contains "x" or parentCategory.name contains "x")
      where|(:before <path:one> , <path:two> <operation> ⇒ <before> (<one> <operation> or <two> <operation>)
    fetch Item where title contains {"a", "b"} ⇒ fetch Item where (title contains "a" OR title contains "b")
      <path> <textual> { <string:one> , <string:two> } ⇒ (<path> <textual> <one> OR <path> <textual> <two>)
    fetch Item where title like {"a", "b", "c"} ⇒ fetch Item where (title like "a" OR title like "b" OR title like "c")
      <path> <textual> { <string:one> , <string:two> , <string:three> } ⇒ (<path> <textual> <one> OR <path> <textual> <two> OR <path> <textual> <three>)
    fetch Item where priority >= 1 <= 3 ⇒ fetch Item where priority >= 1 AND priority <= 3
      <path> <order:one> <constant:low> <order:two> <constant:high> ⇒ <path> <one> <low> AND <path> <two> <high>
    fetch Item where priority = 1〜3 ⇒ fetch Item where priority BETWEEN {1, 3}
      =|==|が|は|from|in|between? <range> ⇒ BETWEEN {<low>, <high>}
    fetch Item where 1..3 contains priority ⇒ fetch Item where priority BETWEEN {1, 3}
      (? <range> )? contains <key> ⇒ <key> BETWEEN {<low>, <high>}
    fetch Item where not parentCategory ⇒ fetch Item where parentCategory == NULL
      not|! <blankkey> <finished> ⇒ <blankkey> == NULL
    fetch Item select done, sum(priority) group by done having count > 1 ⇒ fetch Item select done, sum(priority) group by done having count(SELF) > 1
      having|and|or:before count (? )? <order> ⇒ <before> count(SELF) <order>
    fetch Item where title MATCHES /x.*/ ⇒ fetch Item where title MATCHES "x.*"
      matches|like <slashed> ⇒ MATCHES <slashed">
    # beside any: objects of a relationship
    fetch Category where any items.priority > 1 and < 3 ⇒ fetch Category where SUBQUERY(items, $x, $x.priority > 1 AND $x.priority < 3).@count > 0
      any|some <manykey> . <touched:key> <order:one> <constant:low> and <order:two> <constant:high> ⇒ SUBQUERY(<manykey>, $x, $x.<key> <one> <low> AND $x.<key> <two> <high>).@count > 0
    fetch Category where ANY items where priority > 1 and done == NO ⇒ fetch Category where SUBQUERY(items, $x, $x.priority > 1 and $x.done == NO).@count > 0
      any|some <manykey> where|that|whose|with <touched> <operation> and|or:sign <condition> ⇒ SUBQUERY(<manykey>, $x, <touched> <operation> <sign> <condition>).@count > 0
    fetch Category where ANY items where priority > 1 ⇒ fetch Category where ANY items.priority > 1
      any|all|none|some:word <manykey> where|that|whose|with <touched> <operation> <finished> ⇒ <word> <manykey>.<touched> <operation>
    fetch Category where items.all(priority > 1) ⇒ fetch Category where all items.priority > 1
      <manykey> . any|all|none|some:word _( <touched> <operation> ) ⇒ <word> <manykey>.<touched> <operation>
    fetch Category where items.any(priority > 1 and done == NO) ⇒ fetch Category where SUBQUERY(items, $x, $x.priority > 1 and $x.done == NO).@count > 0
      <manykey> . any|some|contains _( <inside> ) ⇒ SUBQUERY(<manykey>, $x, <inside>).@count > 0
    fetch Category select items.@sum(priority) ⇒ fetch Category select items.@sum.priority
      . <aggregate> _( <touched> ) ⇒ .<aggregate>.<touched>
    # beside any: columns and sorts
    fetch Item where parentCategory->name == "x" ⇒ fetch Item where parentCategory.name == "x"
      <key> _- _> _<word> ⇒ <key>.<word>
    fetch Item select title || parentCategory.name ⇒ fetch Item select concat(title, parentCategory.name)
      select|,:before <joinedvalues> ⇒ <before> concat(<joinedvalues>)
    fetch Item select title.substring(0, 3) ⇒ fetch Item select substring(title, 0, 3)
      <path> . <function> _( <inside> ) ⇒ <function>(<path>, <inside>)
    fetch Item where title[0] == "x" ⇒ fetch Item where substring(title, 0, 1) == "x"
      <stringkey> [ <number> ] ⇒ substring(<stringkey>, <number>, 1)
    fetch Item select title as "the title" ⇒ fetch Item select title as #"the title"
      as <string> ⇒ as #<string>
    fetch Item select Item.* ⇒ fetch Item select *
      select <entity> . * ⇒ select *
    fetch Item sort (title desc) ⇒ fetch Item sort title desc
      sort|by:word ( <inside> ) <finished> ⇒ <word> <inside>
    fetch Item sort title limit 3 desc ⇒ fetch Item sort title desc limit 3
      sort <path> limit <number> desc|asc|descending|ascending:order ⇒ sort <path> <order> limit <number>
    fetch Item desc title ⇒ fetch Item sort title desc
      @ desc|asc|descending|ascending:order by? <path> ⇒ sort <path> <order>
    """#
}
