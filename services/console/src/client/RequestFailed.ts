import { ErrorAnswer } from "@care/domain/admin"
import { Cause } from "effect"

/** Why a request to the admin API failed, in words for a person. */
export class RequestFailed extends Error {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly title: string
  /** When what the text says was done. */
  readonly at: Date | undefined
  readonly requestId: string | undefined

  constructor(fields: {
    readonly status?: number | undefined
    readonly code?: string | undefined
    readonly title: string
    readonly text: string
    readonly at?: Date | undefined
    readonly requestId?: string | undefined
  }) {
    super(fields.text)
    this.status = fields.status
    this.code = fields.code
    this.title = fields.title
    this.at = fields.at
    this.requestId = fields.requestId
  }
}

/** Returns the failure of a request from what its effect failed with. */
export const requestFailed = (cause: Cause.Cause<unknown>): RequestFailed => {
  const error = Cause.squash(cause)
  if (error instanceof ErrorAnswer) {
    const { at, code, requestId, status, text, title = "The request was refused" } = error
    return new RequestFailed({ status, code, title, text, requestId, ...(at !== undefined && { at: new Date(at) }) })
  }
  if (Cause.hasInterruptsOnly(cause)) return new RequestFailed({ title: "Stopped", text: "The request was stopped." })
  return new RequestFailed({
    title: "No answer",
    text: "The server did not answer as expected. Check your connection, and try again."
  })
}
