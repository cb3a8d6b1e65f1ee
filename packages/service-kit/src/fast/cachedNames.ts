import { isFast } from "./pieces.ts"

/** Returns a function that converts names as the given one does, each name once. Statements have few names, and rows repeat them. */
export const cachedNames = (convert: (name: string) => string) => {
  const known = new Map<string, string>()
  return (name: string): string => {
    if (!isFast("naming")) return convert(name)
    const converted = known.get(name) ?? convert(name)
    known.set(name, converted)
    return converted
  }
}
