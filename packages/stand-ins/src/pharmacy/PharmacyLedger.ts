import { createHash, randomUUID } from "node:crypto"
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { Schema } from "effect"
import { Change } from "./sendChange.ts"

/**
 * How the pharmacy behaves: `slow` and `loseAnswer` take the order, and nobody hears of it in time; `reject` is final, and `busy`
 * is not.
 */
export const Behaviour = Schema.Literals(["accept", "reject", "busy", "slow", "down", "hangUp", "loseAnswer"])
export type Behaviour = typeof Behaviour.Type

/** What it reads of an order; the rest is kept while it lives, for whoever asks. */
export const ReceivedOrder = Schema.Struct({
  externalId: Schema.String,
  pharmacyId: Schema.String,
  prescriptionItems: Schema.Array(Schema.Struct({ drugId: Schema.String }))
})

const Taken = Schema.Struct({
  pharmacyOrderId: Schema.String,
  pharmacyName: Schema.String,
  items: Schema.Array(Schema.Struct({ name: Schema.String })),
  /** A hash of the body that it came with. */
  bodyHash: Schema.String
})

const Ledger = Schema.Struct({ orders: Schema.Record(Schema.String, Taken), changes: Schema.Array(Change) })
const decodeLedger = Schema.decodeUnknownSync(Schema.fromJsonString(Ledger))

const readLedger = (file: string | undefined): typeof Ledger.Type =>
  file === undefined || !existsSync(file) ? { orders: {}, changes: [] } : decodeLedger(readFileSync(file, "utf8"))

const hashOf = (body: string): string => createHash("sha256").update(body).digest("hex")

const drugName = (drugId: string): string => {
  const words = drugId.replace(/[-_]+/g, " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * What a pharmacy knows: the orders that it took, each once, and what happened to them, kept in a file if there is one; and how it is to
 * behave.
 */
export class PharmacyLedger {
  private readonly taken: Map<string, typeof Taken.Type>
  private readonly received = new Map<string, Array<unknown>>()
  private readonly told: Array<Change>
  private readonly behaviours = new Map<string, Array<Behaviour>>()
  private readonly file: string | undefined

  constructor(file: string | undefined) {
    this.file = file
    const { changes, orders } = readLedger(file)
    this.taken = new Map(Object.entries(orders))
    this.told = [...changes]
  }

  /** How the next orders for a pharmacy are answered, one after the other; the last one stays. */
  script(pharmacyId: string, answers: ReadonlyArray<Behaviour>): void {
    this.behaviours.set(pharmacyId, [...answers])
  }

  next(pharmacyId: string): Behaviour {
    const answers = this.behaviours.get(pharmacyId) ?? []
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? "accept"
  }

  /** Notes that an order came, whatever becomes of it. */
  note(externalId: string, body: unknown): void {
    this.received.set(externalId, [...(this.received.get(externalId) ?? []), body])
  }

  /** Whether an order was taken, with another body. */
  isOther(externalId: string, body: string): boolean {
    const bodyHash = this.taken.get(externalId)?.bodyHash
    return bodyHash !== undefined && bodyHash !== hashOf(body)
  }

  /** Takes an order: the same id again is the same order again. */
  take({ externalId, prescriptionItems }: typeof ReceivedOrder.Type, body: string): typeof Taken.Type {
    const known = this.taken.get(externalId)
    if (known !== undefined) return known
    const order = {
      bodyHash: hashOf(body),
      pharmacyOrderId: `RX-${randomUUID().slice(0, 8).toUpperCase()}`,
      pharmacyName: "Sandbox Pharmacy",
      items: prescriptionItems.map(({ drugId }) => ({ name: drugName(drugId) }))
    }
    this.taken.set(externalId, order)
    this.write()
    return order
  }

  noteChange(change: Change): void {
    this.told.push(change)
    this.write()
  }

  /**
   * What happened to orders after a page, the oldest first: a page of it, and what the next one is asked for with. After a page that it
   * does not know, because its file is another one, it begins anew.
   */
  changes(after: string | null, limit: number) {
    const from = Number(after ?? 0) <= this.told.length ? Number(after ?? 0) : 0
    const changes = this.told.slice(from, from + limit)
    const next = from + changes.length
    return { changes, next: String(next), hasMore: next < this.told.length }
  }

  /** What is known of an order: whether it was taken, and all that came of it. */
  show(externalId: string) {
    return { taken: this.taken.get(externalId) ?? null, received: this.received.get(externalId) ?? [] }
  }

  private write(): void {
    if (this.file === undefined) return
    const complete = `${this.file}.${process.pid}`
    writeFileSync(complete, JSON.stringify({ orders: Object.fromEntries(this.taken), changes: this.told }), {
      mode: 0o600
    })
    renameSync(complete, this.file)
  }
}
