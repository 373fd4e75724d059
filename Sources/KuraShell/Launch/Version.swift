/// The version of the shell.
package enum Version {
  package static let current = "0.1.0"
}
