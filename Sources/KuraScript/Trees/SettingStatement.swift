/// `.mode json`: the name without the dot, and the words behind it.
package struct SettingStatement: Sendable {
  package var name: Name
  package var arguments: [Name]

  package init(name: Name, arguments: [Name]) {
    self.name = name
    self.arguments = arguments
  }
}
