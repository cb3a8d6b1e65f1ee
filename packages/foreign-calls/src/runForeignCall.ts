import { Effect } from "effect"
import { type AfterFailure, type CallOutcome, transitions } from "./transitions.ts"

/**
 * A call by which a third party changes something, and whose answer may be lost. `Intent` is what is written down of it. A defect means
 * that nobody knows what happened, so what was written down stays.
 */
export interface ForeignCall<Intent, Answer, E, EL = never> {
  /** Whether an earlier try may have come through, so that the provider is asked for it first. */
  readonly wasAsked: boolean
  /** Writes down that the provider is asked, and commits it before the call, with a job if nobody else would ask again. */
  readonly begin: Effect.Effect<Intent>
  /** Asks the provider, under the intent's own key if it knows keys. */
  readonly call: (intent: Intent) => Effect.Effect<Answer, E>
  readonly classify: (error: E) => CallOutcome
  /** Asks the provider for what the call was to do. Without it, a repeated call is how the provider is asked. */
  readonly look?: (intent: Intent | undefined) => Effect.Effect<Answer | undefined, EL>
  /** Takes back what was written down. */
  readonly drop?: (intent: Intent) => Effect.Effect<void>
  /** Writes down the next attempt, for a provider that repeats its own failures. */
  readonly raise?: (intent: Intent) => Effect.Effect<Intent>
  /** What the caller is told when nobody knows: the provider's error, unless this says otherwise. */
  readonly unknown?: (error: E) => Effect.Effect<never, E>
}

/** How many attempts one request makes, before it leaves the rest to the next one. */
const maxShownAttempts = 3

/**
 * Has a third party do something once, however often this is run, and whatever fails on the way. Each step is one of `transitions`.
 */
export const runForeignCall = <Intent, Answer, E, EL = never>({
  begin,
  call,
  classify,
  drop = () => Effect.void,
  look = () => Effect.undefined,
  raise = Effect.succeed,
  unknown = Effect.fail,
  wasAsked
}: ForeignCall<Intent, Answer, E, EL>): Effect.Effect<Answer, E | EL> => {
  type Run = Effect.Effect<Answer, E | EL>

  const lookOr = (intent: Intent | undefined, missing: () => Run): Run =>
    Effect.flatMap(look(intent), (found) => (found === undefined ? missing() : Effect.succeed(found)))

  const attempt = (state: "FIRST_CALL" | "LATER_CALL", intent: Intent, left: number): Run =>
    Effect.catch(call(intent), (error) => follow(transitions[state][classify(error)], intent, left, error))

  const follow = (next: AfterFailure, intent: Intent, left: number, error: E): Run => {
    switch (next) {
      case "NEXT_ATTEMPT":
        return Effect.flatMap(raise(intent), (raised) =>
          left > 1 ? attempt("LATER_CALL", raised, left - 1) : Effect.fail(error)
        )
      case "NOTHING":
        return Effect.andThen(drop(intent), Effect.fail(error))
      case "DECLINED":
        return Effect.fail(error)
      case "UNKNOWN":
        return unknown(error)
      default:
        return lookOr(intent, () => follow(transitions[next].MISSING, intent, left, error))
    }
  }

  const begun = (state: "FIRST_CALL" | "LATER_CALL") =>
    Effect.flatMap(begin, (intent) => attempt(state, intent, maxShownAttempts))
  return wasAsked ? lookOr(undefined, () => begun(transitions.LOOK_BEFORE_CALL.MISSING)) : begun("FIRST_CALL")
}
