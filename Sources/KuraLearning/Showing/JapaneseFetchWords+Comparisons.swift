import KuraPredicates

// Comparisons and their sides
extension JapaneseFetchWords {
  /// `titleが"誕生"を含む`
  func clause(_ subject: String, _ comparison: Comparison) -> JapaneseClause {
    let (stem, ending) = verb(comparison)
    return JapaneseClause("\(subject)が\(stem)", ending, note: ignored(comparison.options))
  }

  private func verb(_ comparison: Comparison) -> (String, JapaneseClause.Ending) {
    let other = words(comparison.right)
    let isDate = facts.kind(of: comparison.left) == .date
    return switch comparison.operation {
    case .equal: (other, .be)
    case .notEqual: (other, .notBe)
    case .less: isDate ? ("\(other)より前", .be) : (other, .smaller)
    case .lessOrEqual: ("\(other)\(isDate ? "以前" : "以下")", .be)
    case .greater: isDate ? ("\(other)より後", .be) : (other, .larger)
    case .greaterOrEqual: ("\(other)\(isDate ? "以降" : "以上")", .be)
    case .contains: (other, .contain)
    case .beginsWith: (other, .begin)
    case .endsWith: (other, .end)
    case .like: ("パターン\(other)（*は任意の文字列、?は1文字）", .match)
    case .matches: ("全体として正規表現\(other)", .match)
    case .in: ("\(other)のどれか", .be)
    case .between: (bounds(comparison.right, isDate: isDate), .be)
    case .selector(let name): ("\(name)に\(other)", .answer)
    case .unsupported(let word): ("\(word) \(other)", .be)
    }
  }

  private func bounds(_ tree: ExpressionTree, isDate: Bool) -> String {
    guard case .aggregate(let parts) = tree.kind, parts.count == 2 else {
      return "\(words(tree))の間"
    }
    let (from, to) = isDate ? ("以降", "以前") : ("以上", "以下")
    return "\(words(parts[0]))\(from)\(words(parts[1]))\(to)"
  }
}

extension JapaneseFetchWords {
  func words(_ tree: ExpressionTree) -> String {
    tree.descending {
      switch tree.kind {
      case .constant(let constant): typed.texts.text(of: constant.value)
      case .evaluatedObject: "そのオブジェクト"
      case .keyPath(let path): words(path, tree)
      case .aggregate(let parts) where parts.count <= 8:
        parts.map(words).joined(separator: "、")
      default: typed.texts.text(of: tree)
      }
    }
  }

  /// `parentCategoryのname`, `itemsの数`, `itemsのpriceの合計`
  private func words(_ path: KeyPathTree, _ tree: ExpressionTree) -> String {
    if let base = path.base, case .variable = base.kind {
    } else if path.base != nil {
      return typed.texts.text(of: tree)
    }
    guard let place = path.components.firstIndex(where: { $0.kind == .collectionOperator }) else {
      return plain(path.components[...], path.base)
    }
    guard let name = Self.aggregates[path.components[place].name], place > 0 else {
      return typed.texts.text(of: tree)
    }
    var rest = path.components
    rest.remove(at: place)
    return "\(plain(rest[...], path.base))の\(name)"
  }

  private static let aggregates = [
    "count": "数", "sum": "合計", "avg": "平均", "min": "最小値", "max": "最大値",
  ]

  private func plain(_ components: ArraySlice<KeyComponent>, _ base: ExpressionTree?) -> String {
    let names = components.map(\.name)
    if let base { return ([typed.texts.text(of: base)] + names).joined(separator: ".") }
    return names.joined(separator: "の")
  }
}
