import { Schema } from "effect"

/**
 * A failure of requests to come. With `...Before` the operation is not performed, with `...After` it is. `timeOut` never answers,
 * `hangUp` ends the connection, `fail` answers 500, `rateLimit` 429, and `delay` waits before the operation.
 */
export const Trouble = Schema.Struct({
  method: Schema.optionalKey(Schema.Literals(["GET", "POST"])),
  /** A star stands for one part, such as an id. */
  path: Schema.String,
  /** How many requests fail: one by default. */
  times: Schema.optionalKey(Schema.Int),
  does: Schema.Literals([
    "timeOutBefore",
    "timeOutAfter",
    "hangUpBefore",
    "hangUpAfter",
    "failBefore",
    "failAfter",
    "rateLimit",
    "delay"
  ]),
  /** The length of a `delay`, and the `retry-after` of a `rateLimit`. */
  millis: Schema.optionalKey(Schema.Int)
})
export type Trouble = typeof Trouble.Type

const isPath = (pattern: string, path: string): boolean => {
  const parts = pattern.split("/")
  const segments = path.split("/")
  return parts.length === segments.length && parts.every((part, at) => part === "*" || part === segments[at])
}

/** Holds the troubles of requests to come. */
export class Troubles {
  private waiting: Array<{ readonly trouble: Trouble; left: number }> = []

  add(trouble: Trouble): void {
    this.waiting.push({ trouble, left: trouble.times ?? 1 })
  }

  clear(): void {
    this.waiting = []
  }

  /** Returns the trouble of a request, and counts it. */
  take(method: string, path: string): Trouble | undefined {
    const found = this.waiting.find(
      ({ left, trouble }) => left > 0 && (trouble.method ?? method) === method && isPath(trouble.path, path)
    )
    if (found !== undefined) found.left -= 1
    return found?.trouble
  }
}
