import type { Ledger } from "./Ledger.ts"

/** What an operation works with. */
export interface Call {
  readonly ledger: Ledger
  /** Now, in milliseconds. */
  readonly now: number
  /** Whether conferences are still being made, and have no link yet. */
  readonly areLinksLate: boolean
  /** Whether nobody pays for the account, which may do less then. */
  readonly isFree: boolean
  /** Where the stand-in listens. */
  readonly url: string
}
