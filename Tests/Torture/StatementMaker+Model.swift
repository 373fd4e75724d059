import KuraModel
import TestSupport

extension StatementMaker {
  /// `entity Item { … }`
  func definition(_ numbers: inout SeededNumbers) -> String {
    let name = numbers.pick(Self.names)
    var parts = (0..<(1 + numbers.below(5))).map { _ in
      attribute(numbers.pick(Self.names), of: name, &numbers)
    }
    if !model.entities.isEmpty, numbers.flip() { parts.append(relationship(of: name, &numbers)) }
    let parent = numbers.oneIn(4) && !model.entities.isEmpty ? ": " + anEntity(&numbers) : ""
    let abstract = numbers.oneIn(12) ? "abstract " : ""
    return "\(abstract)entity \(name.asName)\(parent) { \(parts.joined(separator: "; ")) }"
  }

  private func attribute(
    _ name: String, of entity: String, _ numbers: inout SeededNumbers
  ) -> String {
    let type = numbers.pick(Self.types)
    var text = "\(name.asName): \(type)\(numbers.oneIn(3) ? "" : "?")"
    let known = AttributeType(rawValue: type)
    if numbers.oneIn(3) { text += " = " + expressions.literal(fitting: known, &numbers) }
    if numbers.oneIn(10) { text += " min " + expressions.literal(fitting: known, &numbers) }
    if numbers.oneIn(10) { text += " max " + expressions.literal(fitting: known, &numbers) }
    if numbers.oneIn(14) { text += " unique" }
    if numbers.oneIn(14) {
      text += " check (\(expressions.predicate(of: entity, depth: 1, &numbers)))"
    }
    if numbers.oneIn(14) {
      text += " derived (\(expressions.value(of: entity, depth: 2, &numbers)))"
    }
    if numbers.oneIn(20) {
      text += numbers.pick([" transient", " matches \"a.*\"", " matches \"[\"", " ordered"])
    }
    return text
  }

  private func relationship(of entity: String, _ numbers: inout SeededNumbers) -> String {
    let name = numbers.pick(Self.names)
    let destination = numbers.oneIn(4) ? entity.asName : anEntity(&numbers)
    let others = model.entities.flatMap(\.relationships).map(\.name)
    var text = "\(name.asName): " + (numbers.flip() ? "[\(destination)]" : "\(destination)?")
    if numbers.oneIn(6) { text += " ordered" }
    if !others.isEmpty, numbers.flip() { text += " inverse \(numbers.pick(others).asName)" }
    if numbers.flip() { text += " delete \(numbers.pick(["nullify", "cascade", "deny", "none"]))" }
    return text
  }

  func alteration(_ numbers: inout SeededNumbers) -> String {
    let entity = entity(&numbers)
    let head = "alter entity \(expressions.name(entity, &numbers))"
    let key =
      numbers.oneIn(20) ? "nothing" : (model.keys(of: entity).randomElement(using: &numbers) ?? "n")
    switch numbers.below(7) {
    case 0: return "\(head) add \(attribute(numbers.pick(Self.names), of: entity, &numbers))"
    case 1: return "\(head) add \(relationship(of: entity, &numbers))"
    case 2: return "\(head) drop \(key.asName)"
    case 3: return "\(head) rename \(key.asName) to \(numbers.pick(Self.names).asName)"
    case 4: return "\(head) rename to \(numbers.pick(Self.names).asName)"
    case 5: return "\(head) change \(attribute(key, of: entity, &numbers))"
    default: return "\(head) change \(relationship(of: entity, &numbers))"
    }
  }
}
