import { createHash, randomUUID } from "node:crypto"
import { Schema } from "effect"
import { StandInLedger } from "../standIn/StandInLedger.ts"

/** The fields of an order that the pharmacy reads. */
export const ReceivedOrder = Schema.Struct({
  externalId: Schema.String,
  pharmacyId: Schema.String,
  prescriptionItems: Schema.Array(Schema.Struct({ drugId: Schema.String }))
})

/** An order that the pharmacy accepted. */
interface TakenOrder {
  readonly pharmacyOrderId: string
  readonly pharmacyName: string
  readonly items: ReadonlyArray<{ readonly name: string }>
  readonly bodyHash: string
}

/** An event of an order, as callbacks and the list of changes show it. */
export interface OrderEvent {
  readonly id: string
  readonly event: {
    readonly type: "order.updated"
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

const hashOf = (body: string): string => createHash("sha256").update(body).digest("hex")

const drugName = (drugId: string): string => {
  const words = drugId.replace(/[-_]+/g, " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Holds the orders of a pharmacy and their changes, in memory and, if there is one, in a file. */
export class PharmacyLedger extends StandInLedger<{ readonly order: TakenOrder; readonly change: OrderEvent }> {
  constructor(file: string | undefined) {
    super({ order: new Map(), change: new Map() }, file)
  }

  /** Returns whether an order was taken with another body. */
  hasOther(externalId: string, body: string): boolean {
    const order = this.get("order", externalId)
    return order !== undefined && order.bodyHash !== hashOf(body)
  }

  /** Takes an order once, and returns what is shown of it. */
  take({ externalId, prescriptionItems }: typeof ReceivedOrder.Type, body: string): Omit<TakenOrder, "bodyHash"> {
    const { bodyHash: _, ...shown } =
      this.get("order", externalId) ??
      this.transact(() =>
        this.put("order", externalId, {
          bodyHash: hashOf(body),
          pharmacyOrderId: `RX-${randomUUID().slice(0, 8).toUpperCase()}`,
          pharmacyName: "Sandbox Pharmacy",
          items: prescriptionItems.map(({ drugId }) => ({ name: drugName(drugId) }))
        })
      )
    return shown
  }

  addChange(change: OrderEvent): void {
    this.transact(() => this.put("change", String(this.all("change").length), change))
  }

  /** Returns a page of changes, the oldest first. After a page of another file it begins anew. */
  changesAfter(after: number, limit: number) {
    const all = this.all("change").toReversed()
    const from = after <= all.length ? after : 0
    const changes = all.slice(from, from + limit)
    const next = from + changes.length
    return { changes, next: String(next), hasMore: next < all.length }
  }
}
