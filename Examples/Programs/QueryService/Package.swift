// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "QueryService",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "kura", path: "../../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // The queries, their limits and their responses, without HTTP.
    .target(name: "QueryService", dependencies: [.product(name: "Kura", package: "kura")]),
    // The HTTP server.
    .executableTarget(
      name: "query-service",
      dependencies: [
        "QueryService", .product(name: "Kura", package: "kura"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ]),
    .testTarget(
      name: "QueryServiceTests",
      dependencies: ["QueryService", .product(name: "Kura", package: "kura")]),
  ]
)
