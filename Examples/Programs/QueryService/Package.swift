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
    // What a caller may ask, and the answer; knows no HTTP.
    .target(name: "QueryService", dependencies: [.product(name: "Kura", package: "kura")]),
    // The answers over HTTP.
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
