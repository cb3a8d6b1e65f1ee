import type { Schema } from "effect"

/** The bounds of a JSON value: its depth, the number of its values, and the allowed texts and keys. */
interface JsonBounds {
  readonly maxDepth: number
  readonly maxValues: number
  readonly isText: (text: string) => boolean
  readonly isKey?: (key: string) => boolean
}

const isLeaf = (value: unknown, isText: (text: string) => boolean): boolean =>
  value === null || typeof value === "boolean" || (typeof value === "string" ? isText(value) : Number.isFinite(value))

/** Whether a value is JSON within bounds. It works level by level without recursion, so that its work is bounded. */
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
