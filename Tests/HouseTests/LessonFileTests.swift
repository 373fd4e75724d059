import Foundation
import KuraLessons
import Testing

@Suite("The lessons in the program")
struct LessonFileTests {
  @Test("are exactly those in Examples")
  func all() {
    let files = PackageFolder.files(in: "Examples/Lessons", suffixes: ".md", ".json").map(\.path)
      .map { ($0 as NSString).lastPathComponent }
    #expect(Set(LessonLibrary.fileNames) == Set(files).subtracting(["README.md"]))
    #expect(LessonLibrary.fileNames.count == Set(LessonLibrary.fileNames).count)
  }
}
