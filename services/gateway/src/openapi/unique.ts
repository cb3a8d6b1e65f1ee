/** The values that are not the same JSON as one before them. */
export const unique = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<Value> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values()
]
