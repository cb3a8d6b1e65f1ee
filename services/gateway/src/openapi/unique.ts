/** Returns the values without those whose JSON occurred before. */
export const unique = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<Value> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values()
]
