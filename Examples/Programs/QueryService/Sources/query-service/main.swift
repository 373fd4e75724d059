import FlyingFox
import Foundation
import Kura
import QueryService

// Run query-service todo.json 8080, then: curl 'localhost:8080/items?where=done%20==%20NO&sort=due'
let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else {
  print("usage: query-service STORE [PORT]")
  exit(64)
}
let todo = try ContextActor(opening: path)
let service = QueryService(
  todo, entity: "Item", columns: ["title", "done", "due", "category.name"],
  QueryLimits(keyPaths: ["title", "done", "due", "category", "category.name"]))

// The server listens on this machine only. For the internet, put a proxy in front of it, which
// rejects long lines, slow and idle connections, and too many calls from one caller.
let port = UInt16(arguments.dropFirst().first ?? "") ?? 8080
let server = try HTTPServer(address: .inet(ip4: "127.0.0.1", port: port))
await server.appendRoute("GET /items") { request in
  let answer = await service.answer(form: request.target.query())
  return HTTPResponse(
    statusCode: HTTPStatusCode(answer.status, phrase: ""),
    headers: [.contentType: "application/json"], body: answer.body)
}
try await server.run()
