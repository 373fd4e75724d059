import Foundation
import KuraStore
import KuraGraph
import KuraModel
@main
struct Kura {
  static func main() {
    let c = ContinuousClock()
    let s = c.now
    do {
      let opened = try StoreReader(path: CommandLine.arguments[1]).read()
      print(c.now - s)
      for t in opened.graph.tables { print(t.layout.root, t.count, t.columns.map { "\($0.kind)" }) }
      print(opened.graph.tables[0].columns[0].value(5), opened.graph.tables[0].columns[2].value(5), opened.graph.tables[0].columns[1].value(5))
    } catch { for d in error.diagnostics { print(d) } }
  }
}
