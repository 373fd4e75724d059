import Foundation

// Runs trials for some time, each for its share; Scripts/torture describes the arguments.
signal(SIGPIPE, SIG_IGN)
do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if let slice = try Slice(arguments) {
    slice.run()
    exit(0)
  }
  let order = try Order(arguments)
  if order.isListing {
    Report.list()
    exit(0)
  }
  exit(Supervisor(order).run() ? 0 : 1)
} catch {
  Report.say("\(error)")
  exit(64)
}
