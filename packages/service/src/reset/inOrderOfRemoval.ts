interface Referring {
  readonly name: string
  readonly references: ReadonlyArray<string>
}

/** Orders tables so that each comes before those that its foreign keys name. */
export const inOrderOfRemoval = <Table extends Referring>(tables: ReadonlyArray<Table>): ReadonlyArray<Table> => {
  const ordered: Array<Table> = []
  let rest = tables
  while (rest.length > 0) {
    const named = new Set(rest.flatMap(({ name, references }) => references.filter((reference) => reference !== name)))
    const free = rest.filter(({ name }) => !named.has(name))
    if (free.length === 0) throw new Error(`Foreign keys form a circle: ${rest.map(({ name }) => name).join(", ")}`)
    ordered.push(...free)
    rest = rest.filter(({ name }) => named.has(name))
  }
  return ordered
}
