extension JapaneseSentences {
  package static let summaries = #"""
    changes an entity, and what its objects hold
    = エンティティと、そのオブジェクトの内容を変更する
    whether two predicates say the same, and if not, where and why
    = 二つの述語が同じ意味か、違うならどこがなぜ違うかを示す
    defines an entity with its attributes, relationships and rules
    = 属性、関係、ルールとともにエンティティを定義する
    how a fetch is answered; with analyze what passes each node, and the time
    = 取り出しの実行方法を示す。analyzeを付けると各段階の件数と時間も示す
    the objects of an entity that a predicate lets through, or values of them
    = 述語に合うエンティティのオブジェクト、またはその値を取り出す
    how many objects a predicate lets through
    = 述語に合うオブジェクトを数える
    whether a predicate lets any object through
    = 述語に合うオブジェクトがあるかどうかを調べる
    makes a new object, or with JSON one or several
    = 新しいオブジェクトを作る。JSONなら一つ以上作れる
    lists the lessons, begins one, or goes back to the store that was open
    = レッスンの一覧を表示する、レッスンを始める、または元のストアに戻る
    helps with the task of a lesson or a quiz
    = レッスンやクイズの課題のヒントを表示する
    shows the answer of a task behind a try, or answers a question of a quiz
    = 一度試した課題の解答を表示する、またはクイズに答える
    goes on to the next task of a lesson or a quiz
    = レッスンやクイズの次の課題に進む
    makes the store of a lesson what it was, and begins the task anew
    = レッスンのストアを元に戻し、課題を始めからやり直す
    what is solved of each lesson
    = 各レッスンで正解した課題を表示する
    asks about the objects of the open store; three right in a row, and it gets harder
    = 開いているストアから出題する。3問続けて正解すると難しくなる
    gives a value, the objects of a fetch, a new object or a predicate a name
    = 値、取り出したオブジェクト、新しいオブジェクト、述語に名前を付ける
    the model, as statements that rebuild it or as a diagram
    = モデルを、作り直すための文か図で表示する
    an entity's keys, types and rules
    = エンティティのキー、型、ルールを表示する
    the values of expressions
    = 式の値を表示する
    keeps a fetch in the model under a name
    = 取り出し要求に名前を付けてモデルに保存する
    does what a saved request says
    = 保存した取り出し要求を実行する
    takes an entity, with all its objects, or a saved request out of the model
    = エンティティ（とそのすべてのオブジェクト）、または保存した取り出し要求をモデルから削除する
    writes the changes into the store, or everything into a new one
    = 変更をストアに書く。または全体を新しいストアに書く
    takes back everything since the last save: objects and entities
    = 最後の保存以降の変更をすべて、モデルも含めて元に戻す
    what was inserted, updated (old and new values) and deleted since the last save
    = 最後の保存以降に挿入、更新（前と後の値）、削除したものを表示する
    opens a scratch context: what is changed in it is seen elsewhere at commit only
    = 作業用コンテキストを開く。その中の変更はcommitまで外から見えない
    takes the scratch context's changes into the context around it, as one step
    = 作業用コンテキストの変更を、一つの操作として外側のコンテキストに反映する
    drops the scratch context and what was changed in it
    = 作業用コンテキストを、その中の変更とともに破棄する
    a fetch as its tree, in words, or in another language
    = 取り出し要求を木、言葉、または別の言語で表示する
    why objects are in or out: each part of a predicate with the values it met
    = オブジェクトが一致する、しない理由を、述語の各部分と値で示す
    what each part of a fetch leaves, as it is written: how many are YES, nil and NO
    = 取り出しの各部分で残る件数を、書いた順にYES、nil、NOで示す
    takes back the last statement that changed something, or the last N
    = 最後の変更、または最後のN個の変更を取り消す
    does again what was undone last
    = 最後に取り消した変更をやり直す
    gives keys of objects other values; += and -= for to-manys and numbers
    = オブジェクトのキーに別の値を代入する。+=と-=は対多の関係と数値に使う
    deletes objects, and what their delete rules say of others
    = オブジェクトと、削除ルールに従うほかのオブジェクトを削除する
    Bars: a number for each row, or how often one column's values come.
    = 棒グラフ。各行の数値、または一つの列の値ごとの件数。
    One JSON array for each result, with an object a line.
    = 結果ごとに一つのJSON配列。オブジェクトごとに1行。
    One JSON object a line.
    = 1行に一つのJSONオブジェクト。
    A line for each value, an empty line between rows.
    = 値ごとに1行。行の間は空行。
    A table in GitHub's Markdown.
    = GitHubのMarkdownの表。
    A line for each row, tabs between its values; no heading, no frame.
    = 1行に1件、値の間はタブ。見出しも枠もなし。
    Comma-separated values with a header; null is empty, "" an empty text.
    = 見出し付きのCSV。nullは空、空文字列は""。
    As csv, with tabs between the values.
    = csvと同じで、値の間はタブ。
    A drawn table that fits the terminal; off a terminal nothing is cut.
    = 端末の幅に合わせた表。端末以外では切り詰めない。
    equal, not equal; also = and <>
    = 等しい、等しくない。=と<>も使える
    in the order of numbers, dates and texts
    = 数値、日付、文字列の大小
    from the first to the second, both included
    = 最初の値から最後の値まで（両端を含む）
    a text has this one in it
    = 文字列がこれを含む
    a text begins with this one
    = 文字列がこれで始まる
    a text ends with this one
    = 文字列がこれで終わる
    * is any text, ? is one character
    = *は任意の文字列、?は任意の1文字
    a regular expression, over all of it
    = 全体が正規表現に一致する
    without regard to case, to marks, to both
    = 大文字と小文字、濁点など、その両方を区別しない
    by the locale, or byte by byte
    = ロケールに従う、またはバイト単位で比べる
    one of these
    = この中のどれか
    for at least one; also SOME
    = 少なくとも一つについて。SOMEも使える
    for each of them
    = すべてについて
    for not one of them
    = 一つもない
    those that
    = 条件に合う要素
    over a collection
    = コレクション全体の値
    also && || !
    = && || ! も使える
    with numbers
    = 数値の計算
    with the bits of integers
    = 整数のビット演算
    by which key
    = キーを指定する
    under this name
    = 名前を付ける
    the smallest first
    = 小さい順
    the largest first
    = 大きい順
    what has no value comes first
    = 値のないものを先頭にする
    what has no value comes last
    = 値のないものを末尾にする
    numbers in texts by their size
    = 文字列の中の数を数値の順にする
    every object
    = すべてのオブジェクト
    which keys get which values
    = キーに値を代入する
    """#
}
