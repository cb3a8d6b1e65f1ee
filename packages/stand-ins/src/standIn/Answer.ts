/** The answer to a request. A text is sent as it is, any other body as JSON. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a caller gets: an answer, none, or the end of the connection. */
export type Reply = Answer | "silence" | "hangUp"
