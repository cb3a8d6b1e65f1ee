import type { Ledger } from "./Ledger.ts"
import { denied } from "./Refusal.ts"

/** The context of an operation. */
export interface Call {
  readonly ledger: Ledger
  /** Now, in milliseconds. */
  readonly now: number
  /** Whether conferences have no link yet. */
  readonly areLinksLate: boolean
  /** Whether the account has the free plan, which may not book. */
  readonly isFree: boolean
  /** The URL that the stand-in listens on. */
  readonly url: string
}

/** Refuses what only a paid plan allows. */
export const checkPlan = ({ isFree }: Call): void => {
  if (isFree) throw denied("Please upgrade to a paid Calendly account.")
}
