import type { Charge } from "./Charge.ts"
import type { Customer } from "./Customer.ts"
import type { Delivery } from "./Deliveries.ts"
import type { Dispute } from "./Dispute.ts"
import { Journal } from "./Journal.ts"
import type { KeptAnswer } from "./KeptAnswer.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import type { PaymentMethod } from "./PaymentMethod.ts"
import type { Refund } from "./Refund.ts"
import type { SetupIntent } from "./SetupIntent.ts"
import type { StripeEvent } from "./StripeEvent.ts"
import type { TestClock } from "./TestClock.ts"

/** What is kept, by its kind: what Stripe shows, and what only the stand-in knows. */
export interface Rows {
  readonly customer: Customer
  readonly payment_method: PaymentMethod
  readonly setup_intent: SetupIntent
  readonly payment_intent: PaymentIntent
  readonly charge: Charge
  readonly refund: Refund
  readonly dispute: Dispute
  readonly test_clock: TestClock
  readonly event: StripeEvent
  readonly used_method: { readonly id: string }
  readonly kept_answer: KeptAnswer
  readonly delivery: Delivery
}

export type Kind = keyof Rows

type Tables = { readonly [K in Kind]: Map<string, Rows[K]> }

type Change = { [K in Kind]: readonly [kind: K, id: string, row: Rows[K] | null] }[Kind]

/** All that the stand-in knows, in memory, and in a file if there is one. */
export class Books {
  private readonly tables: Tables = {
    customer: new Map(),
    payment_method: new Map(),
    setup_intent: new Map(),
    payment_intent: new Map(),
    charge: new Map(),
    refund: new Map(),
    dispute: new Map(),
    test_clock: new Map(),
    event: new Map(),
    used_method: new Map(),
    kept_answer: new Map(),
    delivery: new Map()
  }
  private readonly journal: Journal | undefined
  private changes: Array<readonly [kind: Kind, id: string, row: unknown]> = []
  private undo: Array<() => void> = []

  constructor(file: string | undefined) {
    if (file === undefined) return
    this.journal = new Journal(file)
    for (const line of this.journal.read()) {
      const changes: ReadonlyArray<Change> = JSON.parse(line)
      for (const [kind, id, row] of changes) this.apply(kind, id, row)
    }
    this.changes = []
    this.undo = []
    const lines: Array<string> = []
    for (const [kind, table] of Object.entries(this.tables)) {
      for (const [id, row] of table) lines.push(JSON.stringify([[kind, id, row]]))
    }
    this.journal.replace(lines)
  }

  get<K extends Kind>(kind: K, id: string): Rows[K] | undefined {
    return this.tables[kind].get(id)
  }

  /** All of a kind, the newest first. */
  all<K extends Kind>(kind: K): ReadonlyArray<Rows[K]> {
    return [...this.tables[kind].values()].reverse()
  }

  put<K extends Kind>(kind: K, id: string, row: Rows[K]): Rows[K] {
    this.apply(kind, id, row)
    return row
  }

  remove(kind: Kind, id: string): void {
    this.apply(kind, id, null)
  }

  /** All that is changed meanwhile is kept together, or, when it throws, not at all. */
  transact<A>(work: () => A): A {
    try {
      const result = work()
      if (this.changes.length > 0) this.journal?.add(JSON.stringify(this.changes))
      return result
    } catch (error) {
      for (const undo of this.undo.reverse()) undo()
      throw error
    } finally {
      this.changes = []
      this.undo = []
    }
  }

  private apply<K extends Kind>(kind: K, id: string, row: Rows[K] | null): void {
    const table = this.tables[kind]
    const before = table.get(id)
    this.undo.push(() => (before === undefined ? table.delete(id) : table.set(id, before)))
    this.changes.push([kind, id, row])
    if (row === null) table.delete(id)
    else table.set(id, row)
  }
}
