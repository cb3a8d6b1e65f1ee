import { CareError } from "@care/client"
import { Data, Effect } from "effect"

/** Why a scenario did not come to its end, in a sentence, with the refusal of the API, if it was one. */
export class ScenarioFailed extends Data.TaggedError("ScenarioFailed")<{
  readonly message: string
  readonly refusal?: CareError
}> {}

/** Sends a request of the client. */
export const send = <A>(request: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ScenarioFailed> =>
  Effect.tryPromise({
    try: request,
    catch: (error) =>
      error instanceof CareError
        ? new ScenarioFailed({ message: error.message, refusal: error })
        : new ScenarioFailed({ message: String(error) })
  })
