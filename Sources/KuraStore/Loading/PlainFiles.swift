import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraSentences

/// Several inputs of plain JSON that are read into one graph.
package struct PlainFiles {
  private let readers: [StoreReader]

  package init(_ readers: [StoreReader]) { self.readers = readers }

  /// The entity of a union, which contains the objects of all inputs.
  private static let unionName = "input"
  /// The key of a union whose value is the name of the row's file.
  private static let fileKey = "file"
}

extension PlainFiles {
  package func read(isUnion: Bool) throws(StoreProblems) -> StoreContents {
    isUnion ? try readUnion() : try readApart()
  }

  /// Reads each input as its own entities. A name that is taken gets a number: `items2`.
  private func readApart() throws(StoreProblems) -> StoreContents {
    var graph = Graph()
    var warnings: [Diagnostic] = []
    for reader in readers {
      let contents = try reader.read()
      guard !contents.isStore else { throw reader.storeAmongFiles }
      for (entity, table) in zip(contents.graph.model.entities, contents.graph.tables) {
        var entity = entity
        entity.name = entity.name.unless(in: Set(graph.model.entities.map(\.name)))
        graph = graph.adding(entity, table.columns, count: table.count)
      }
      warnings += contents.warnings
    }
    return contents(graph, warnings)
  }

  /// Reads the rows of all inputs into one entity, in the order of the inputs. Its last key is the name of the input.
  private func readUnion() throws(StoreProblems) -> StoreContents {
    var builder = EntityBuilder(name: Self.unionName, isInferred: true, dates: .utc)
    defer { builder.free() }
    var files = Column(.attribute(.string), dictionary: TextDictionary())
    var warnings: [Diagnostic] = []
    for reader in readers {
      let first = builder.rowCount
      warnings += try reader.addRows(to: &builder)
      for _ in first..<builder.rowCount { files.append(.text(reader.name)) }
    }
    builder.seal()
    let columns = builder.inferredColumns()
    var entity = builder.inferredEntity(columns)
    let key = Self.fileKey.unless(in: Set(entity.attributes.map(\.name)))
    entity.attributes.append(Attribute(name: key, type: .string, isOptional: true))
    let graph = Graph().adding(entity, columns.map(\.column) + [files], count: builder.rowCount)
    let plain = StoreContents(plain: PlainJSON(graph: graph, repeated: builder.problems))
    return contents(graph, warnings + plain.warnings)
  }

  private func contents(_ graph: Graph, _ warnings: [Diagnostic]) -> StoreContents {
    var contents = StoreContents(graph: graph, isStore: false)
    contents.warnings = warnings
    return contents
  }
}

extension StoreReader {
  fileprivate var storeAmongFiles: StoreProblems {
    StoreProblems([Diagnostic(StoreProblem.storeAmongFiles(path: path))])
  }

  /// The warning that lists what was repaired or skipped.
  private var repairs: [Diagnostic] {
    lenient?.noting(name, StoreContents(graph: Graph(), isStore: false)).warnings ?? []
  }

  /// Adds the rows of an array, of JSON Lines or of one object; returns the warnings.
  fileprivate func addRows(to builder: inout EntityBuilder) throws(StoreProblems) -> [Diagnostic] {
    defer { progress.end() }
    do throws(LoadFailure) {
      var loader = try open()
      guard try loader.skipToValue() else { return repairs }
      let byte = loader.scanner.p.pointee
      if byte == 0x7B, case .store = try loader.lookAhead() { throw .isStore }
      repeat {
        if byte == 0x5B, loader.scanner.p.pointee == 0x5B {
          try loader.rows(into: &builder)
        } else {
          try loader.row(into: &builder, inArray: false)
        }
      } while try loader.skipToValue()
      return repairs
    } catch .isStore {
      throw storeAmongFiles
    } catch {
      throw problems(error)
    }
  }
}
