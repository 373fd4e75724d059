import KuraPredicates
import Testing

@Suite struct FunctionCatalogueTests {
  @Test func everySelectorAndNameIsThereOnce() {
    let selectors = FunctionCatalogue.all.map(\.selector)
    #expect(Set(selectors).count == selectors.count)
    let names = FunctionCatalogue.all.flatMap { $0.names.map { $0.lowercased() } }
    #expect(Set(names).count == names.count)
  }

  @Test func everyFunctionIsFoundByItsNamesInAnyCase() {
    for function in FunctionCatalogue.all {
      #expect(FunctionCatalogue.signature(selector: function.selector) == function)
      for name in function.names {
        #expect(FunctionCatalogue.signature(called: name.uppercased()) == function)
      }
    }
  }

  @Test func everyExampleIsRead() throws {
    for function in FunctionCatalogue.all {
      let tree = try ExpressionTree(parsing: function.example.call)
      guard case .function(let call) = tree.kind else {
        Issue.record("\(function.example.call) is no call")
        continue
      }
      #expect(call.selector == function.selector)
      #expect(function.arguments.accepts(call.arguments.count))
      #expect(try ExpressionTree(parsing: tree.expressionFormat) == tree)
      #expect(!function.summary.isEmpty && !function.example.result.isEmpty)
    }
  }

  @Test func ownFunctionsHaveNoColonsAndOthersDo() {
    for function in FunctionCatalogue.all where !["random", "now"].contains(function.selector) {
      #expect(function.isOwn == !function.selector.contains(":"), "\(function.selector)")
    }
  }
}
