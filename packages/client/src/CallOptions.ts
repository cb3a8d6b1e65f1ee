/** What a single call may set. */
export interface CallOptions {
  /** Names the operation, so that it takes effect once. Without it, each call of a method that changes something makes its own. */
  readonly idempotencyKey?: string | undefined
  /** Ends the call. It then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The time for each attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** How often a failed attempt is repeated. */
  readonly maxRetries?: number | undefined
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}
