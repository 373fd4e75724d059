import KuraFetch
import KuraGraph
import KuraModel
import Synchronization

/// The forms of the entities that were asked for, kept until the model changes.
final class RecordForms: Sendable {
  private let made = Mutex(Made())

  private struct Made {
    var model = Model()
    var forms: [String: RecordForm] = [:]
  }

  /// The form of the objects that a fetch found.
  func form(of result: FetchResult) -> RecordForm {
    made.withLock { made in
      if !made.model.sharesEntities(with: result.snapshot.graph.model) {
        made = Made(model: result.snapshot.graph.model)
      }
      if let form = made.forms[result.entity] { return form }
      let form = RecordForm(result)
      made.forms[result.entity] = form
      return form
    }
  }
}
