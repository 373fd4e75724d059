import Foundation

/// The parameters of a query as forms write it, in which `+` is a blank.
func parameters(_ query: String) -> [String: String] {
  let items = URLComponents(string: "?" + query.replacing("+", with: "%20"))?.queryItems ?? []
  return Dictionary(
    items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
}
