import type { ScenarioFailed } from "@care/scenarios"
import { Effect, Result } from "effect"
import { RequestFailed } from "../../client/RequestFailed.ts"

/** Runs what asks the partner API. Rejects with `RequestFailed`. */
export const inPage = async <A>(effect: Effect.Effect<A, ScenarioFailed>, signal?: AbortSignal): Promise<A> => {
  const result = await Effect.runPromise(Effect.result(effect), signal === undefined ? {} : { signal })
  if (Result.isSuccess(result)) return result.success
  const { message, refusal } = result.failure
  const { code, isRetryable: isTransient = false, requestId, status } = refusal ?? {}
  throw new RequestFailed({ title: "The step was not done", text: message, code, isTransient, requestId, status })
}
