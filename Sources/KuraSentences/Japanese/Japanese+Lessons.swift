extension JapaneseSentences {
  package static let lessons = #"""
    a lesson begins with a line ---, its fields, and another line ---
    = レッスンは、---の行、項目、もう一つの---の行で始めます
    a lesson has no field "%1"
    = レッスンに「%1」という項目はありません
    %1 is a number, not "%2"
    = %1には数が必要ですが、「%2」があります
    the lesson does not say its %1
    = レッスンに%1がありません
    nothing closes this block
    = このブロックが閉じられていません
    this %1 stands before the first task
    = この%1は最初の課題より前にあります
    a lesson has no blocks "%1"
    = レッスンに「%1」というブロックはありません
    results are not compared by "%1"
    = 「%1」という結果の比べ方はありません
    this %1 is empty
    = この%1は空です
    the lesson has no task
    = レッスンに課題がありません
    this task has no answer
    = この課題に解答がありません
    nothing is said of this wrong try
    = この誤答に説明がありません
    this names no word
    = 語がありません
    for instance: lesson: 1, title: Objects, store: MemoDates.json
    = 例: lesson: 1、title: Objects、store: MemoDates.json
    write %1: … between the lines ---
    = ---の行の間に「%1: …」と書きます
    end it with a line of as many back quotes
    = 同じ数のバッククォートの行で終えます
    a task begins with a heading ##
    = 課題は見出し##で始めます
    write a statement between the fences
    = ブロックの中に文を書きます
    write a heading ## and a block ```answer below it
    = 見出し##と、その下に```answerのブロックを書きます
    write a block ```answer with the statement that solves it
    = ```answerのブロックに、正解の文を書きます
    write it as the last line: -- why it is wrong
    = 最後の行に「-- 間違いの理由」と書きます
    for instance must: NOT or OR
    = 例: must: NOT or OR
    warning:
    = 警告:
    this answer gives something else than the first: %1
    = この解答の結果は最初の解答と違います：%1
    the answer itself has no %1
    = 解答自体が%1を使っていません
    the answer itself has %1
    = 解答自体が%1を使っています
    this gives the same as the answer everywhere
    = この誤答は、どこでも解答と同じ結果になります
    %1 has %2, and this another number
    = %1は%2ですが、こちらは数が違います
    the statements of this task are not those of %1
    = この課題の文が%1の文と違います
    a block ```vary can show the difference
    = 違いは```varyのブロックで示せます
    %1: %2, %3: all is well
    = %1：%2、%3。すべて正常です
    %1 tasks
    = 課題%1問
    %1 wrong tries
    = 誤答%1個
    Every answer runs and gives what the first one gives, every wrong try
    differs somewhere, every varied store keeps the rules of its model, and a
    translation has the same statements.
    = すべての解答が動いて最初の解答と同じ結果になり、すべての誤答はどこかで違う
    = 結果になり、内容を変えたストアはどれもモデルのルールを満たし、翻訳には同じ文が
    = あることを確かめます。
    A row for each file of answers, a column for each task. In such a file the
    statements of a task stand behind a line with its number: -- 6.2
    = 解答のファイルごとに1行、課題ごとに1列で示します。解答のファイルでは、課題の
    = 番号の行（-- 6.2）の後ろに、その課題の文を書きます。
    there is no lesson %1
    = レッスン%1はありません
    there is no task %1
    = 課題%1はありません
    there is no store "%1"
    = 「%1」というストアはありません
    there are unsaved changes
    = 保存していない変更があります
    there is nothing to answer: no lesson and no quiz is open
    = 答えるものがありません。レッスンもクイズも始まっていません
    there is nothing to %1: no lesson and no quiz is open
    = %1ものがありません。レッスンもクイズも始まっていません
    there are 1 to %1; "lesson" lists them
    = レッスンは1から%1までです。「lesson」で一覧が見られます
    the lesson has %1
    = このレッスンにあるのは%1です
    put it beside the lesson's file, or take %1
    = レッスンのファイルのそばに置くか、%1を使います
    save or rollback, then begin the lesson
    = saveまたはrollbackしてから、レッスンを始めます
    lesson 1 begins the first lesson, quiz a quiz
    = lesson 1で最初のレッスン、quizでクイズを始めます
    there is too little to ask about: no entity has %1 objects
    = 出題には数が足りません。オブジェクトが%1個あるエンティティがありません
    there is too little to ask about: %1 has fewer than %2 objects
    = 出題には数が足りません。%1のオブジェクトは%2個より少ないです
    nothing can be asked about %1: its objects are all alike
    = %1については出題できません。オブジェクトがすべて同じだからです
    "%1" is no answer: %2
    = 「%1」は解答になりません：%2
    .open FILE opens a store with more of them; lesson 1 brings its own
    = .open FILEでオブジェクトの多いストアを開きます。lesson 1にはストアが付いています
    quiz ENTITY asks about another one
    = quiz ENTITYで別のエンティティから出題します
    """#
}
