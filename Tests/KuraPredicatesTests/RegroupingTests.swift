import KuraPredicates
import Testing

@Suite struct RegroupingTests {
  @Test func anIndexAfterADotOffersTheTreeThatWasMeant() throws {
    for (written, meant) in [
      ("a.d[0]", "(a.d)[0]"), ("a.b.d[0][1]", "(a.b.d)[0][1]"),
      ("SELF.d[FIRST]", "(SELF.d)[FIRST]"),
      ("$a.$b[0]", "($a.$b)[0]"), ("a[0].b[1]", "(a[0].b)[1]"),
    ] {
      let tree = try ExpressionTree(parsing: written)
      guard case .indexAfterDot = tree.kind else {
        Issue.record("\(written) is \(tree.kind)")
        continue
      }
      #expect(tree.withIndexOutside.expressionFormat == meant)
      #expect(try ExpressionTree(parsing: meant) == tree.withIndexOutside)
    }
  }
}
