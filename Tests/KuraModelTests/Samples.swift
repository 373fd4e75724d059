import Foundation
import KuraDiagnostics
import KuraJSON
import KuraModel
import KuraValues
import Testing

enum Sample {
  static let tokyo = ZoneRules(TimeZone(identifier: "Asia/Tokyo"))

  /// The manual's model, which uses everything that a model can have at least once.
  static let todo = """
    {
      "entities": {
        "Category": {
          "attributes": {
            "name": {"type": "string"}
          },
          "relationships": {
            "items": {"destination": "Item", "toMany": true, "inverse": "parentCategory", \
    "deleteRule": "cascade"}
          },
          "unique": [["name"]]
        },
        "Item": {
          "attributes": {
            "title": {"type": "string", "min": 1, "matches": "\\\\S.*"},
            "done": {"type": "boolean", "default": false},
            "dueDate": {"type": "date", "optional": true, "min": "1935-06-11", \
    "max": "2100-01-01T12:00:00+09:00"},
            "price": {"type": "decimal", "default": "0.1"},
            "weight": {"type": "float", "default": 0.1},
            "icon": {"type": "binary", "default": "5piv"},
            "extra": {"type": "json", "default": {"a": [1, null, "誕"]}, "userInfo": {"b": 2.50}}
          },
          "relationships": {
            "parentCategory": {"destination": "Category", "inverse": "items"},
            "tags": {"destination": "Tag", "toMany": true, "inverse": "items"}
          },
          "unique": [["title", "parentCategory"]]
        },
        "Tag": {
          "attributes": {
            "first name": {"type": "string"}
          },
          "relationships": {
            "items": {"destination": "Item", "toMany": true, "inverse": "tags"}
          }
        },
        "Task": {
          "parent": "Item",
          "attributes": {
            "priority": {"type": "integer", "default": 0, "min": 0, "max": 5}
          },
          "relationships": {
            "steps": {"destination": "Task", "toMany": true, "optional": false, "ordered": true, \
    "minCount": 1, "maxCount": 9}
          }
        },
        "Base": {
          "abstract": true
        }
      },
      "requests": {
        "Birthdays": "() = fetch MemoDate where title CONTAINS \\"誕生日\\" sort date"
      },
      "userInfo": {"version": "1"}
    }

    """

  /// Returns a model that must not have problems.
  static func model(_ json: String, sourceLocation: Testing.SourceLocation = #_sourceLocation)
    -> Model
  {
    let read = ModelDocument(json: json, zone: tokyo)
    #expect(read.problems.map(\.facts.sentence) == [], sourceLocation: sourceLocation)
    return read.model
  }
}

extension ModelDocument {
  /// Reads a text as JSON.
  init(json: String, zone: ZoneRules = .utc) {
    let source = SourceText(json)
    let node = try? JSONNode(reading: source.bytes)
    self.init(node ?? JSONNode(.null), in: source, zone: zone)
  }
}
