import { Effect, Exit } from "effect"
import { type RequestFailed, requestFailed } from "./RequestFailed.ts"
import { sessionEnded } from "./sessionEnded.ts"
import { askForPasskey } from "./stepUp.ts"

const attempt = async <A>(request: Effect.Effect<A, unknown>, signal?: AbortSignal): Promise<A | RequestFailed> => {
  const exit = await Effect.runPromiseExit(request, signal === undefined ? {} : { signal })
  return Exit.isSuccess(exit) ? exit.value : requestFailed(exit.cause)
}

const isFailed = (value: unknown): value is RequestFailed => value instanceof Error && "title" in value

/**
 * Sends a request. It rejects with `RequestFailed`. Where a passkey is needed again, it asks the person and repeats the request once. When
 * the session has ended, it leads to the sign-in.
 */
export const send = async <A>(request: Effect.Effect<A, unknown>, signal?: AbortSignal): Promise<A> => {
  const first = await attempt(request, signal)
  const isStepUp = isFailed(first) && first.code === "STEP_UP_NEEDED"
  const result = isStepUp && (await askForPasskey()) ? await attempt(request, signal) : first
  if (!isFailed(result)) return result
  if (result.code === "SIGN_IN" || result.code === "SECOND_FACTOR_NEEDED") sessionEnded("EXPIRED")
  throw result
}
