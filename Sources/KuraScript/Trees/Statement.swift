package import KuraDiagnostics
package import KuraPredicates

/// A statement or setting as a value, with its place in the text.
package struct Statement: Sendable {
  package var kind: Kind
  package var span: SourceSpan
  /// What was read and was perhaps not meant: `title MATCHES "\d+"`
  package var warnings: [Diagnostic]

  package init(_ kind: Kind, span: SourceSpan, warnings: [Diagnostic] = []) {
    self.kind = kind
    self.span = span
    self.warnings = warnings
  }

  /// Behind a reference: a statement is handed on several times before it is run.
  package indirect enum Kind: Sendable {
    /// `fetch MemoDate where title CONTAINS[cd] "誕生" sort date desc limit 5`,
    /// `count MemoDate where notifiable == YES`, `exists MemoDate`
    case fetch(FetchTree)
    /// `explain analyze fetch Item where done == NO`
    case explain(ExplainStatement)
    /// `request Overdue($today) = fetch Item where dueDate < $today`
    case request(RequestStatement)
    /// `run Overdue(today())`
    case run(RunStatement)
    /// `drop request Overdue`
    case dropRequest(Name)
    /// `print 1 + 2, today()`
    case print([ExpressionTree])
    /// `let $soon = dateByAdding(today(), 7, "day")`
    case letValue(name: Name, ExpressionTree)
    /// `let $old = fetch MemoDate where date < "1950-01-01"`
    case letFetch(name: Name, FetchTree)
    /// `let $home = insert Category name = "Home"`
    case letInsert(name: Name, InsertStatement)
    /// `insert MemoDate title = "x", date = today()`
    case insert(InsertStatement)
    /// `update Item set done = YES where title == "x"`
    case update(UpdateStatement)
    /// `delete Item where done == YES`
    case delete(ChangeTarget)
    /// `undo`, `undo 3`, `undo list`
    case undo(UndoStatement)
    /// `redo`, `redo 3`
    case redo(UndoStatement)
    /// `begin "add a date"`
    case begin(Name?)
    /// `commit`
    case commit
    /// `cancel`
    case cancel
    /// `changes`
    case changes
    /// `alter entity Item add note: string?`
    case alter(AlterStatement)
    /// `drop entity Item all`
    case dropEntity(Name, all: Bool)
    /// `entity Item: Task { title: string }`, `abstract entity Base { }`
    case entity(EntityDeclaration)
    /// `model`, `model as mermaid`
    case model(format: Name?)
    /// `describe Item`
    case describe(Name)
    /// `save`, `save "FILE" replacing`
    case save(file: Name?, replacing: Bool)
    /// `rollback`
    case rollback
    /// `.mode json`
    case setting(SettingStatement)
  }
}
