/** What a request with an `Idempotency-Key` was answered. */
export interface KeptAnswer {
  readonly endpoint: string
  /** A hash of its parameters. */
  readonly params: string
  readonly requestId: string
  readonly status: number
  readonly body: unknown
  /** In seconds. */
  readonly created: number
}
