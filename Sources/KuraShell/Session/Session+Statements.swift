import KuraDiagnostics
import KuraScript

extension Session {
  /// Does what a statement says; each kind is done in its own file.
  mutating func perform(_ statement: Statement, in source: SourceText) throws {
    switch statement.kind {
    case .fetch(let fetch): try show(fetch, in: source)
    case .request(let request): try define(request)
    case .run(let run): try self.run(run, in: source)
    case .explain(let explain): try self.explain(explain, in: source)
    case .dropRequest(let name): try dropRequest(name)
    case .print(let expressions): try show(expressions, in: source)
    case .letValue(let name, let expression): try bind(name, to: expression, in: source)
    case .letFetch(let name, let fetch): try bind(name, to: fetch, in: source)
    case .letInsert(let name, let insert): try bind(name, to: insert, in: source)
    case .insert(let insert): try reportInsertion(insert, in: source)
    case .update(let update): try self.update(update, in: source)
    case .delete(let target): try delete(target, in: source)
    case .undo(let undo): try self.undo(undo, in: source)
    case .redo(let redo): try self.redo(redo, in: source)
    case .begin(let name): begin(name)
    case .commit: try commit()
    case .cancel: try cancel()
    case .changes: try showChanges()
    case .alter(let alter): try self.alter(alter, in: source)
    case .dropEntity(let name, let all): try dropEntity(name, all: all)
    case .entity(let declaration): try define(declaration, in: source)
    case .model(let format): try showModel(as: format)
    case .describe(let entity): try describe(entity)
    case .save(let file, let replaces): try save(to: file, replaces: replaces)
    case .rollback: try rollback()
    case .setting(let setting): try change(setting, in: source)
    }
  }
}
