package import KuraModel
import KuraPredicates
package import KuraValues

extension ChangeConflict {
  /// The conflict with its three values as literals.
  package func facts(in model: Model, _ zone: ZoneRules) -> ChangeFacts {
    .conflict(
      self, old: literal(old, model, zone), new: literal(new, model, zone),
      present: literal(present, model, zone))
  }

  private func literal(_ value: ChangeValue, _ model: Model, _ zone: ZoneRules) -> String {
    guard let key, let property = model.property(named: key, of: object.entity) else { return "" }
    switch property {
    case .attribute(let attribute):
      let value = value.cell.value(as: attribute.type)
      return value.isNull ? "NULL" : attribute.type.literal(value, in: zone)
    case .relationship(let relationship):
      let names = value.numbers.map { "\(relationship.destination)/\($0)" }
      if relationship.isToMany { return "{\(names.joined(separator: ", "))}" }
      return names.first ?? "NULL"
    }
  }
}
