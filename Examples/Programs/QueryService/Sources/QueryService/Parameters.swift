import Foundation

extension QueryService {
  /// The same for the parameters as forms write them, in which `+` is a blank: `where=done%20==%20NO`.
  ///
  /// What is not such a text is refused, and never the question of everything that it would be without
  /// parameters.
  public func answer(form: String) async -> Answer {
    do { return await answer(try parameters(form)) } catch { return refusal(error) }
  }
}

/// The parameters of a form. One that stands twice is refused: whoever stands before the service may
/// have looked at the other.
private func parameters(_ form: String) throws -> [String: String] {
  if form.isEmpty { return [:] }
  guard form.utf8.count <= QueryLimits.longestForm,
    let items = URLComponents(string: "?" + form.replacing("+", with: "%20"))?.queryItems
  else { throw Refusal("these are no parameters") }
  return try Dictionary(
    items.map { ($0.name, $0.value ?? "") },
    uniquingKeysWith: { _, _ in throw Refusal("a parameter stands twice") })
}
