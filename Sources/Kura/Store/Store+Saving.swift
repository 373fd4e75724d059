import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore

extension ManagedObjectContext {
  /// Saves the changes: into the file, or, of a child, to its parent as one undo group.
  ///
  ///     try context.save()
  ///
  /// It returns when what it wrote outlasts a loss of power. Where others have saved meanwhile, the
  /// changes come on top of that by `mergePolicy`. What can be undone stays so. Linear in the
  /// changes and the model, and in the history where one is kept, without regard to the size of the
  /// store; but where others have saved meanwhile the file is read, and now and then, when its
  /// journal has grown to a quarter of it, written anew.
  ///
  /// A store in memory is asked its rules, and has no unsaved changes then; plain JSON that was read is no
  /// store, and throws ``StoreError/notKept``.
  ///
  /// Throws ``StoreError/invalid(_:)`` for broken rules, ``StoreError/conflicts(_:)``, and other
  /// ``StoreError``s; nothing is saved then, and the changes are still here.
  @discardableResult public func save(actionName: String = "child context") throws -> SaveResult {
    switch home {
    case .store(let connection):
      try connection.save(storage, mergePolicy, author: transactionAuthor)
    case .parent(let parent, let version): try commit(to: parent, version, actionName)
    }
  }
}

extension Store {
  /// Where it is; nil in memory.
  public var path: String? { connection.path }

  /// Why it cannot be saved; nil if it can.
  public var readOnlyReason: String? { connection.readOnlyReason }

  /// Takes in what others have saved, below the unsaved changes; nil if nobody has. Which objects came or
  /// changed, `context.changes` tells.
  ///
  ///     try store.refresh()?.settledConflicts
  ///
  /// Linear in what others have saved where nothing is unsaved here; else, and behind a folded journal,
  /// in the file. Throws as a save does; nothing is taken in then.
  @discardableResult public func refresh() throws -> SaveResult? {
    try connection.refresh(context.storage, context.mergePolicy)
  }

  /// Writes everything to another file, and goes on there.
  ///
  /// Linear in the store. Throws ``StoreError/exists(path:)`` where there is a file that is not to be
  /// replaced.
  public func save(as path: String, replacing: Bool = false) throws {
    try connection.save(context.storage, as: path, replaces: replacing)
  }

  /// Ends it: a small store that was saved is one file then. What is not saved is gone.
  ///
  /// Gives what there is to know, as that the file was taken away. A store that is not closed loses
  /// nothing: its saves stand in a journal beside it. Linear in the store where it is small and has
  /// a journal, else constant time.
  @discardableResult public func close() -> [String] { connection.close(context.storage) }
}
