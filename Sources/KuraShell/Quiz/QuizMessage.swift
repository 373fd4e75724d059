import KuraDiagnostics
import KuraSentences

/// A sentence of a quiz, as facts, with its text in both languages.
enum QuizMessage {
  case begun(entity: String, seed: UInt64)
  case write(entity: String, words: String)
  case count(statement: String)
  case whichFails(predicate: String, objects: [String])
  case same(String, String)
  case right
  case wrong(answer: String)
  case mastered(level: Int)
  case masteredAll
  case next
  case again
  case differ(seed: UInt64)
  case equal
  case ended(right: Int, asked: Int)
  case hint(QuizQuestion.Kind)
  case wanted(QuizQuestion.Kind)
}

extension QuizMessage {
  func text(in language: Language) -> String {
    switch language {
    case .english: english
    case .japanese: japanese
    }
  }

  private var english: String {
    switch self {
    case .begun(let entity, let seed):
      "Questions about \(entity) (seed \(seed)). They get harder after three right answers in a row. quiz end leaves the quiz."
    case .write(let entity, let words):
      "Write a fetch for the \(entity) objects such that \(words)."
    case .count(let statement):
      "What is the result? Answer without running the statement, for example: answer 3\n    \(statement)"
    case .whichFails(let predicate, let objects):
      "One of these objects does not match. Which? For example: answer \(objects[0])\n    \(predicate)\n    \(objects.joined(separator: "  "))"
    case .same(let a, let b):
      "Do these two predicates match the same objects in every store of this model? answer yes or answer no\n    \(a)\n    \(b)"
    case .right: "✓ Right."
    case .wrong(let answer): "✗ No: \(answer)"
    case .mastered(let level):
      "Three in a row: you have mastered level \(level). The questions get harder."
    case .masteredAll: "Three in a row at the highest level: you have mastered all levels."
    case .next: "next asks another question."
    case .again: "You will see this question again."
    case .differ(let seed):
      seed == 0
        ? "They differ in this store." : "They differ in a generated store (seed \(seed))."
    case .equal: "They match the same objects in every store."
    case .ended(let right, let asked): "\(right) of \(asked) right."
    case .hint(.write):
      "Begin with fetch and the entity; the question contains the keys and the values."
    case .hint(.count), .hint(.whichFails): "fetch shows the objects; then check each of them."
    case .hint(.same): "Think of NOT around AND and OR, and of objects whose key is nil."
    case .wanted(.write): "write a fetch"
    case .wanted(.count): "write a whole number"
    case .wanted(.whichFails): "write one of the objects"
    case .wanted(.same): "write yes or no"
    }
  }

  private var japanese: String {
    switch self {
    case .begun(let entity, let seed):
      "\(entity)について出題します（シード\(seed)）。quiz endで終了します。3問続けて正解すると、問題が難しくなります。"
    case .write(let entity, let words): "次の\(entity)を取り出すfetchを書いてください：\(words)"
    case .count(let statement): "結果はいくつですか。ストアで実行せずに答えてください（例：answer 3）。\n    \(statement)"
    case .whichFails(let predicate, let objects):
      "この述語が偽になるものが一つあります。どれですか（例：answer \(objects[0])）。\n    \(predicate)\n    \(objects.joined(separator: "  "))"
    case .same(let a, let b):
      "このモデルのどのストアでも、次の二つは同じ結果になりますか（answer yesまたはanswer no）。\n    \(a)\n    \(b)"
    case .right: "✓ 正解です。"
    case .wrong(let answer): "✗ 違います。答え：\(answer)"
    case .mastered(let level): "3問続けて正解しました。レベル\(level)は合格です。次から難しくなります。"
    case .masteredAll: "最も難しいレベルで3問続けて正解しました。合格です。"
    case .next: "nextで次の問題に進みます。"
    case .again: "この問題はあとでもう一度出題します。"
    case .differ(let seed):
      seed == 0 ? "このストアで結果が異なります。" : "自動生成したストア（シード\(seed)）で結果が異なります。"
    case .equal: "どのストアでも同じ結果になります。"
    case .ended(let right, let asked): "\(asked)問中\(right)問正解でした。"
    case .hint(.write): "fetchとエンティティの名前で始めます。キーと値は問題文の中にあります。"
    case .hint(.count), .hint(.whichFails): "fetchでオブジェクトを表示し、一つずつ確かめます。"
    case .hint(.same): "ANDやORに掛かるNOTと、キーがnilの場合を考えてみてください。"
    case .wanted(.write): "fetchを書いてください"
    case .wanted(.count): "数を書いてください"
    case .wanted(.whichFails): "オブジェクトを一つ書いてください"
    case .wanted(.same): "yesまたはnoと書いてください"
    }
  }
}
