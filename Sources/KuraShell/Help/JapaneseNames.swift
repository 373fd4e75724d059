extension HelpTopic {
  /// Japanese words that lead to a topic.
  static let japaneseNames: [String: [String]] = [
    "fetch": ["検索", "取得", "フェッチ", "抽出"], "count": ["件数", "数える"], "exists": ["存在"],
    "print": ["表示", "計算"], "insert": ["追加", "挿入", "作成", "新規"],
    "update": ["更新", "変更", "編集"], "delete": ["削除", "消す"], "save": ["保存"],
    "undo": ["取り消し", "元に戻す", "アンドゥ"], "redo": ["やり直し", "リドゥ"],
    "rollback": ["ロールバック", "破棄"], "changes": ["変更点", "未保存"], "let": ["代入"],
    "entity": ["エンティティ", "実体"], "alter": ["モデル変更", "マイグレーション"], "drop": ["エンティティ削除"],
    "model": ["モデル"], "describe": ["説明", "構造"], "explain": ["実行計画"],
    "request": ["フェッチ要求", "リクエスト"], "begin": ["開始"], "commit": ["確定", "コミット"],
    "cancel": ["キャンセル", "中止"], "sort": ["並び替え", "並べ替え", "ソート", "順序", "並び順"],
    "where": ["条件", "絞り込み"], "limit": ["上限"], "select": ["選択", "列"],
    "group": ["集計", "グループ", "グループ化"], "section": ["セクション"], "distinct": ["重複"],
    "predicate": ["述語"], "sort descriptor": ["ソート記述子"], "key path": ["キーパス", "キー"],
    "relationship": ["関連", "リレーション", "リレーションシップ"], "inverse": ["逆関連", "逆"],
    "delete rule": ["削除ルール", "削除規則"], "objectID": ["オブジェクトID", "識別子"],
    "NULL": ["ヌル", "空", "値なし"], "variable": ["変数"], "literal": ["リテラル", "定数"],
    "context": ["コンテキスト", "文脈"], "scratch context": ["スクラッチ", "試し"],
    "undo steps": ["履歴"], "store": ["ストア", "ファイル"], "operators": ["演算子"],
    "functions": ["関数"], "types": ["型", "データ型"], "formats": ["形式", "書式", "出力形式"],
    "date": ["日付", "日時"], "now": ["現在", "今"], "today": ["今日"], "string": ["文字列"],
    "integer": ["整数"], "boolean": ["真偽値"], "CONTAINS": ["含む"], "BEGINSWITH": ["始まる"],
    "ENDSWITH": ["終わる"], "MATCHES": ["正規表現"], "IN": ["含まれる"], "help": ["ヘルプ", "使い方"],
    "quit": ["終了"], "open": ["開く"], "read": ["読み込み"], "output": ["出力"], "mode": ["表示形式"],
    "recover": ["復元", "回復"], "timezone": ["時間帯", "タイムゾーン"], "locale": ["ロケール", "地域"],
    "concepts": ["用語", "概念"],
  ]
}
