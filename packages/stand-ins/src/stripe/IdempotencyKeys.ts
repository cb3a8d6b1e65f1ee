import { createHash } from "node:crypto"
import type { Ledger, StoredAnswer } from "./Ledger.ts"
import { Refusal } from "./Refusal.ts"

/** For how long the answer of a request is stored. */
export const keptSeconds = 24 * 3600
const longest = 255

const hashOf = (text: string): string =>
  createHash("sha256")
    .update(JSON.stringify([...new URLSearchParams(text)].sort()))
    .digest("base64")

const refused = (status: number, message: string, code?: string) =>
  new Refusal(status, { type: "idempotency_error", message, ...(code !== undefined && { code }) })

/** Performs each request with an `Idempotency-Key` once. */
export class IdempotencyKeys {
  private readonly inFlight = new Set<string>()
  private readonly ledger: Ledger

  constructor(ledger: Ledger) {
    this.ledger = ledger
  }

  /** Returns the stored answer of the same request, or reserves the key for this request until `end`. */
  begin(key: string, endpoint: string, body: string, now: number): StoredAnswer | undefined {
    if (key.length > longest) throw refused(400, `An Idempotency-Key has at most ${longest} characters.`)
    if (this.inFlight.has(key)) {
      throw refused(409, `A request with the Idempotency-Key ${key} is not done yet.`, "idempotency_key_in_use")
    }
    const stored = this.ledger.get("kept_answer", key)
    if (stored === undefined || stored.created + keptSeconds < now) {
      this.inFlight.add(key)
      return undefined
    }
    if (stored.endpoint !== endpoint || stored.params !== hashOf(body)) {
      throw refused(400, `The Idempotency-Key ${key} was used for another request: each needs its own.`)
    }
    return stored
  }

  /** Stores the answer of a request, in the transaction of its changes. */
  store(key: string, body: string, answer: Omit<StoredAnswer, "params">): void {
    this.ledger.put("kept_answer", key, { ...answer, params: hashOf(body) })
  }

  end(key: string): void {
    this.inFlight.delete(key)
  }
}
