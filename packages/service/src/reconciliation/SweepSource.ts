import type { Difference } from "@care/domain/reconciliation"
import type { Effect } from "effect"

/** The result of one page of a source. Everything it changed is stored when it is returned. */
export interface SweptPage {
  /** Where the next page begins, in a format of the source. It is stored after the changes of the page. */
  readonly cursor: string
  /** Whether the sweep has reached the end of the source for now. */
  readonly isLast: boolean
  readonly compared: number
  readonly differences: ReadonlyArray<Omit<Difference, "source">>
}

/**
 * A list at a provider that a sweep compares with our rows, page by page. Pages are bounded, and call nobody inside a transaction.
 * A page must be idempotent: it is compared again if its process ended before the cursor was stored.
 */
export interface SweepSource {
  readonly name: string
  /** Compares the page at a cursor, or the first page without one. A failure is a defect. */
  readonly page: (cursor: string | undefined) => Effect.Effect<SweptPage>
}
