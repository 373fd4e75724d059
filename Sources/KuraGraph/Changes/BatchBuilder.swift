/// Puts objects of one entity with the same keys into one batch, in their order.
struct BatchBuilder {
  private(set) var batches: [ObjectBatch] = []

  mutating func add(
    _ entity: String, _ number: Int64, _ values: [(key: String, value: ChangeValue)]
  ) {
    let last = batches.count - 1
    let fits =
      last >= 0 && batches[last].entity == entity
      && batches[last].columns.elementsEqual(values) { $0.key == $1.key }
    guard fits else {
      batches.append(
        ObjectBatch(
          entity: entity, numbers: [number],
          columns: values.map { ChangeColumn(key: $0.key, values: [$0.value]) }))
      return
    }
    batches[last].numbers.append(number)
    for i in values.indices { batches[last].columns[i].values.append(values[i].value) }
  }
}

/// The same for updates.
struct UpdateBuilder {
  private(set) var batches: [UpdatedObjects] = []

  mutating func add(
    _ entity: String, _ number: Int64, _ values: [(key: String, old: ChangeValue, new: ChangeValue)]
  ) {
    let last = batches.count - 1
    let fits =
      last >= 0 && batches[last].entity == entity
      && batches[last].columns.elementsEqual(values) { $0.key == $1.key }
    guard fits else {
      batches.append(
        UpdatedObjects(
          entity: entity, numbers: [number],
          columns: values.map { UpdatedColumn(key: $0.key, old: [$0.old], new: [$0.new]) }))
      return
    }
    batches[last].numbers.append(number)
    for i in values.indices {
      batches[last].columns[i].old.append(values[i].old)
      batches[last].columns[i].new.append(values[i].new)
    }
  }
}
