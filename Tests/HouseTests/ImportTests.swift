import Testing

/// SwiftPM lets a module import a module that it does not declare, so this test checks the imports.
@Suite("The modules import")
struct ImportTests {
  private let manifest: PackageManifest

  init() throws {
    manifest = PackageManifest(try PackageFolder.File(path: "Package.swift").text())
  }

  private func imports(
    of target: PackageManifest.Target
  ) throws -> [(file: PackageFolder.File, name: String)] {
    try PackageFolder.files(in: target.folder, suffixes: ".swift").flatMap { file in
      try file.code().imports.map { (file, $0) }
    }
  }

  @Test func areRead() {
    #expect(manifest.targets.count > 15)
    #expect(manifest.target("KuraScript")?.imports.first == "KuraSentences")
    #expect(manifest.target("KuraCommand")?.imports.contains("KuraTerminal") == true)
  }

  @Test func onlyWhatThePackageDeclaresForThem() throws {
    let ours = Set(manifest.targets.map(\.name))
    for target in manifest.targets {
      for (file, name) in try imports(of: target) where ours.contains(name) {
        #expect(target.imports.contains(name), "\(file) imports \(name), which is not declared")
      }
    }
  }

  @Test func onlyWhatStandsBelowThem() {
    let names = manifest.targets.map(\.name)
    for (place, target) in manifest.targets.enumerated() {
      for name in target.imports where names.contains(name) {
        #expect(names[..<place].contains(name), "\(target.name) imports \(name), which is above")
      }
    }
  }

  @Test func allThatIsDeclaredForThem() throws {
    for target in manifest.targets {
      let used = Set(try imports(of: target).map(\.name))
      // Modules in C include headers instead.
      for name in target.imports where !target.name.hasPrefix("C") {
        #expect(used.contains(name), "\(target.name) declares \(name), which no file imports")
      }
    }
  }

  @Test func theFetchAndTheStoreNotFromEachOther() {
    #expect(manifest.target("KuraFetch")?.imports.contains("KuraStore") == false)
    #expect(manifest.target("KuraStore")?.imports.contains("KuraFetch") == false)
  }

  @Test("nothing of other packages: the build of the command downloads no file")
  func nothingElse() throws {
    #expect(try !PackageFolder.File(path: "Package.swift").text().contains(".package("))
  }

  @Test func theTerminalInItsWiringAlone() {
    let users = manifest.targets.filter { $0.imports.contains("LineEditor") }.map(\.name)
    #expect(Set(users) == ["KuraTerminal"])
  }
}
