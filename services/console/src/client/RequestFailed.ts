import { ErrorAnswer } from "@care/domain/admin"
import { Cause, Schema } from "effect"
import { type Mistakes, mistakesIn, mistakesInWords } from "./mistakes.ts"

/** Why a request to the admin API failed, in words for a person. */
export class RequestFailed extends Error {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly title: string
  /** When what the text says was done. */
  readonly at: Date | undefined
  readonly requestId: string | undefined
  /** What is wrong in the input, where it was found before anything was sent. */
  readonly mistakes: Mistakes
  /** Whether the same request may have another answer a moment later. */
  readonly isTransient: boolean

  constructor(fields: {
    readonly status?: number | undefined
    readonly code?: string | undefined
    readonly title: string
    readonly text: string
    readonly at?: Date | undefined
    readonly requestId?: string | undefined
    readonly mistakes?: Mistakes
    readonly isTransient?: boolean
  }) {
    super(fields.text)
    this.status = fields.status
    this.code = fields.code
    this.title = fields.title
    this.at = fields.at
    this.requestId = fields.requestId
    this.mistakes = fields.mistakes ?? {}
    this.isTransient = fields.isTransient ?? false
  }
}

/** Tells whether what was asked for is unknown, or not for the eyes of the person. The server does not say which. */
export const isUnseen = (error: unknown): boolean => error instanceof RequestFailed && error.status === 404

/** Returns the failure of a request from what its effect failed with. */
export const requestFailed = (cause: Cause.Cause<unknown>): RequestFailed => {
  const error = Cause.squash(cause)
  if (error instanceof ErrorAnswer) {
    const { at, code, requestId, status, text, title = "The request was refused" } = error
    const isTransient = status >= 500
    const when = at === undefined ? undefined : new Date(at)
    return new RequestFailed({ status, code, title, text, at: when, requestId, isTransient })
  }
  if (Cause.hasInterruptsOnly(cause)) return new RequestFailed({ title: "Stopped", text: "The request was stopped." })
  if (Schema.isSchemaError(error)) {
    const mistakes = mistakesIn(error.issue)
    return new RequestFailed({ title: "Nothing was sent", text: `Look at ${mistakesInWords(mistakes)}.`, mistakes })
  }
  if (error instanceof Error && Cause.isTimeoutError(error.cause)) {
    return new RequestFailed({ title: "No answer in time", text: "The server did not answer. Try again in a moment." })
  }
  return new RequestFailed({
    isTransient: true,
    title: "No answer",
    text: "The server did not answer as expected. Check your connection, and try again."
  })
}
