import type { Books } from "./Books.ts"

/** What an operation works with. */
export interface Call {
  readonly books: Books
  /** Now, in milliseconds. */
  readonly now: number
  /** Whether anybody is told of events. */
  readonly hasWebhook: boolean
  /** Whether conferences are still being made, and have no link yet. */
  readonly areLinksLate: boolean
  /** Where the stand-in listens. */
  readonly url: string
}
