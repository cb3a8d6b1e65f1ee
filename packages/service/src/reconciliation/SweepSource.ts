import type { Difference } from "@care/domain/reconciliation"
import type { Effect } from "effect"

/** What one page of a source led to. All of it is stored when the page is answered. */
export interface SweptPage {
  /** Where the next page begins, in a form that the source alone reads. It is kept after what the page led to. */
  readonly cursor: string
  /** Whether the sweep has nothing more to compare there for now. */
  readonly isLast: boolean
  readonly compared: number
  readonly differences: ReadonlyArray<Omit<Difference, "source">>
}

/**
 * Something at a provider that is compared with what is known here, page by page. A page is bounded, and asks nobody inside a
 * transaction. It is compared again when its process ended before the cursor was kept: the same again changes nothing.
 */
export interface SweepSource {
  readonly name: string
  /** The page that begins at the cursor; the first one of all without. A page that fails is a defect. */
  readonly page: (cursor: string | undefined) => Effect.Effect<SweptPage>
}
