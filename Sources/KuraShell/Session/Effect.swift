import KuraScript

/// What a statement leaves behind.
enum Effect: Sendable {
  /// Nothing but results: `fetch`, `print`, `.help`; and `_`
  case asks
  /// Something in the session: `let`, `.mode`
  case sets
  /// Objects, the model, the store, or something outside: `insert`, `save`, `.read`
  case changes
}

extension Statement.Kind {
  var effect: Effect {
    switch self {
    case .fetch, .explain, .run, .print, .changes, .model, .describe, .undo(.list), .redo(.list):
      .asks
    case .letValue, .letFetch: .sets
    case .setting(let setting): Setting.named(setting.name)?.effect ?? .sets
    case .request, .dropRequest, .letInsert, .insert, .update, .delete, .undo(.steps),
      .redo(.steps), .begin, .commit, .cancel, .alter, .dropEntity, .entity, .save, .rollback:
      .changes
    }
  }
}
