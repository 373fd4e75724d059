import Foundation

extension QueryService {
  /// Answers a query whose parameters are encoded like a form: `where=done%20==%20NO`. A `+` is a
  /// space.
  ///
  /// A malformed text is rejected. It is never treated as a query without parameters, which would
  /// return all objects.
  public func answer(form: String) async -> Answer {
    do { return await answer(try parameters(form)) } catch { return refusal(error) }
  }
}

/// Returns the parameters of a form. A repeated parameter is rejected, because a proxy in front of
/// the service may have checked the other value.
private func parameters(_ form: String) throws -> [String: String] {
  if form.isEmpty { return [:] }
  guard form.utf8.count <= QueryLimits.longestForm,
    let items = URLComponents(string: "?" + form.replacing("+", with: "%20"))?.queryItems
  else { throw Refusal("malformed or too long parameters") }
  return try Dictionary(
    items.map { ($0.name, $0.value ?? "") },
    uniquingKeysWith: { _, _ in throw Refusal("a parameter occurs twice") })
}
