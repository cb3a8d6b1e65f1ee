import { Schema } from "effect"

/**
 * What may go wrong with a request. Before: nothing was done. After: it was done, and nobody hears of it, or hears of an error.
 * `timeOut` never answers, `hangUp` ends the connection, `fail` answers 500, `rateLimit` 429; `delay` waits before it begins.
 */
export const Trouble = Schema.Struct({
  method: Schema.optionalKey(Schema.Literals(["GET", "POST"])),
  /** In which a star stands for one part: an id. */
  path: Schema.String,
  /** How many requests it happens to: one unless said. */
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
  /** How long a `delay` is; how long a `rateLimit` says that it lasts, where it says so. */
  millis: Schema.optionalKey(Schema.Int)
})
export type Trouble = typeof Trouble.Type

const isPath = (pattern: string, path: string): boolean => {
  const parts = pattern.split("/")
  const given = path.split("/")
  return parts.length === given.length && parts.every((part, at) => part === "*" || part === given[at])
}

/** The trouble that waits for requests to come. */
export class Troubles {
  private waiting: Array<{ readonly trouble: Trouble; left: number }> = []

  add(trouble: Trouble): void {
    this.waiting.push({ trouble, left: trouble.times ?? 1 })
  }

  clear(): void {
    this.waiting = []
  }

  /** What happens to a request, of which there is then one less to come. */
  take(method: string, path: string): Trouble | undefined {
    const found = this.waiting.find(
      ({ left, trouble }) => left > 0 && (trouble.method ?? method) === method && isPath(trouble.path, path)
    )
    if (found !== undefined) found.left -= 1
    return found?.trouble
  }
}

/** What becomes of an answer in a trouble that keeps it from whoever asked: it comes, it does not, or the connection ends. */
export const inTrouble = async <A>(
  trouble: Trouble | undefined,
  answer: () => Promise<A>
): Promise<A | "silence" | "hangUp"> => {
  if (trouble?.does === "timeOutBefore") return "silence"
  if (trouble?.does === "hangUpBefore") return "hangUp"
  const answered = await answer()
  if (trouble?.does === "timeOutAfter") return "silence"
  return trouble?.does === "hangUpAfter" ? "hangUp" : answered
}
