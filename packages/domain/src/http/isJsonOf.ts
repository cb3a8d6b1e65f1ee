import type { Schema } from "effect"

/** How deep and how much a JSON value may be, and which texts it may have, as values and as keys. */
interface JsonBounds {
  readonly maxDepth: number
  readonly maxValues: number
  readonly isText: (text: string) => boolean
  readonly isKey?: (key: string) => boolean
}

const isLeaf = (value: unknown, isText: (text: string) => boolean): boolean =>
  value === null || typeof value === "boolean" || (typeof value === "string" ? isText(value) : Number.isFinite(value))

/**
 * True for a JSON value within bounds. With a list of its own instead of recursion, and with what is still to be looked at
 * counted: the work is bounded whatever comes in.
 */
export const isJsonOf =
  ({ isText, isKey = isText, maxDepth, maxValues }: JsonBounds) =>
  (root: unknown): root is Schema.Json => {
    let level: ReadonlyArray<unknown> = [root]
    let count = 1
    for (let depth = 0; level.length > 0; depth += 1) {
      const next: Array<unknown> = []
      for (const value of level) {
        if (typeof value !== "object" || value === null) {
          if (!isLeaf(value, isText)) return false
          continue
        }
        const keys = Array.isArray(value) ? [] : Object.keys(value)
        count += Array.isArray(value) ? value.length : keys.length
        if (depth === maxDepth || count > maxValues || !keys.every(isKey)) return false
        const children: ReadonlyArray<unknown> = Array.isArray(value) ? value : Object.values(value)
        for (const child of children) next.push(child)
      }
      level = next
    }
    return true
  }
