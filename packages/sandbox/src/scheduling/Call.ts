import type { SchedulingBooks } from "./SchedulingBooks.ts"

/** What an operation works with. */
export interface Call {
  readonly books: SchedulingBooks
  /** Now, in milliseconds. */
  readonly now: number
  /** Whether anybody is told of events. */
  readonly hasWebhook: boolean
  /** Where the stand-in listens. */
  readonly url: string
}
