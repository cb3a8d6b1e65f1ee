/** Returns the text at a path inside a JSON value. Throws if there is none. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const found = path.reduce<unknown>((inner, step) => Object(inner)[step], value)
  if (typeof found === "string") return found
  throw new Error(`There is no text at ${path.join(".")} in ${JSON.stringify(value).slice(0, 300)}`)
}
