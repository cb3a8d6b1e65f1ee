import type { ErrorAnswer } from "@care/domain/http"
import { Data, Runtime } from "effect"

/** The exit codes of failures. */
export const exitCodes = { failed: 1, usage: 2, signIn: 3, unavailable: 4 } as const

/** Why a command failed, as one sentence, with the answer of the gateway that refused it, and what to do about it. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  readonly answer?: ErrorAnswer
  readonly remedy?: string
  readonly exitCode?: number
}> {
  override readonly [Runtime.errorExitCode] = this.exitCode ?? exitCodes.failed

  /** The failure for people: the sentence, what support needs to find the request, and the remedy. */
  get lines(): string {
    const { answer, message, remedy } = this
    const request = answer?.requestId === undefined ? "" : `, request ${answer.requestId}`
    const at = answer?.at === undefined ? "" : `, at ${answer.at}`
    const details = answer === undefined ? "" : ` (status ${answer.status}${at}${request})`
    return `${message}${details}${remedy === undefined ? "" : `\n${remedy}`}`
  }

  /** The failure for programs. */
  get json(): Readonly<Record<string, unknown>> {
    const { answer, message, remedy } = this
    const { at, code, requestId, status, text: detail, title } = answer ?? {}
    return { message, status, title, detail, code, at, requestId, remedy }
  }
}

/** The failure for wrong parameters. */
export const wrongUsage = (message: string) => new CommandFailed({ message, exitCode: exitCodes.usage })

const remedies: Readonly<Record<string, string>> = {
  SIGN_IN: "Sign in with `care login`.",
  SECOND_FACTOR_NEEDED: "Sign in with `care login`.",
  STEP_UP_NEEDED: "A passkey is needed again: run `care login`."
}

/** The failure for an answer of the gateway that refuses a request. */
export const refusal = (answer: ErrorAnswer) => {
  const remedy = answer.code === undefined ? undefined : remedies[answer.code]
  return new CommandFailed({
    message: answer.title === undefined ? answer.text : `${answer.title}: ${answer.text}`,
    answer,
    exitCode: remedy !== undefined ? exitCodes.signIn : answer.status >= 500 ? exitCodes.unavailable : exitCodes.failed,
    ...(remedy !== undefined && { remedy })
  })
}
