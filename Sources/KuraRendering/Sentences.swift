/// What stands under a table: `(17 rows; not shown: date, notifiable)`.
func footer(rows: Int, hidden: [String]) -> String {
  let count = rows == 1 ? "1 row" : "\(rows) rows"
  return hidden.isEmpty ? "(\(count))" : "(\(count); not shown: \(hidden.joined(separator: ", ")))"
}
