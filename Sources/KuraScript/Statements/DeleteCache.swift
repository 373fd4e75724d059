import KuraPredicates

/// `deleteCache "Root"`, `deleteCache all`
package enum DeleteCacheStatement: StatementTree {
  case one(Name)
  case all
}

extension StatementSyntax {
  static let deleteCache = StatementSyntax(
    "deleteCache", synopsis: "deleteCache \"NAME\"\ndeleteCache all",
    summary: "removes an order that cache \"NAME\" keeps beside the store, or all",
    example: "deleteCache \"Root\""
  ) { parser throws(SyntaxError) in
    parser.predicates.noteEnd(.words(["all"]))
    if parser.takeWord("all") != nil { return DeleteCacheStatement.all }
    return DeleteCacheStatement.one(try parser.takeString())
  }
}
