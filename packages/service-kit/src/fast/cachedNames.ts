import { isFast } from "./pieces.ts"

/** Returns a function that converts each name once. Statements have few names, and rows repeat them. */
export const cachedNames = (convert: (name: string) => string) => {
  const cache = new Map<string, string>()
  return (name: string): string => {
    if (!isFast("naming")) return convert(name)
    const converted = cache.get(name) ?? convert(name)
    cache.set(name, converted)
    return converted
  }
}
