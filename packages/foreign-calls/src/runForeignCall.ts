import { Effect } from "effect"
import { type AfterFailure, type CallOutcome, transitions } from "./transitions.ts"

/**
 * A change at a third party whose answer may be lost. `Intent` is the stored record of the attempt. After a defect the outcome is unknown,
 * so the record stays.
 */
export interface ForeignCall<Intent, Answer, E, EL = never> {
  /** Whether an earlier try may have reached the provider. Then `findResult` runs before the call. */
  readonly isRepetition: boolean
  /** Stores the intent and commits it before the call, with a job that repeats the request if no caller would. */
  readonly begin: Effect.Effect<Intent>
  /** Calls the provider, under the intent's own key if the provider knows keys. */
  readonly call: (intent: Intent) => Effect.Effect<Answer, E>
  readonly classify: (error: E) => CallOutcome
  /** Looks up at the provider what the call was to make. Without it, the repeated call takes the place of the look-up. */
  readonly findResult?: (intent: Intent | undefined) => Effect.Effect<Answer | undefined, EL>
  /** Removes the stored intent. */
  readonly discard?: (intent: Intent) => Effect.Effect<void>
  /** Stores the next attempt, under another key, for a provider that repeats its own failures. */
  readonly nextAttempt?: (intent: Intent) => Effect.Effect<Intent>
  /** Fails with the error that the caller gets when the outcome is unknown. By default it is the provider's. */
  readonly unknown?: (error: E) => Effect.Effect<never, E>
}

/** How many attempts one run makes. The next run continues. */
const maxAttempts = 3

/**
 * Makes a third party do something once, however often this runs and whatever fails. Each step is one of `transitions`.
 */
export const runForeignCall = <Intent, Answer, E, EL = never>({
  begin,
  call,
  classify,
  discard = () => Effect.void,
  findResult = () => Effect.undefined,
  nextAttempt = Effect.succeed,
  unknown = Effect.fail,
  isRepetition
}: ForeignCall<Intent, Answer, E, EL>): Effect.Effect<Answer, E | EL> => {
  type Run = Effect.Effect<Answer, E | EL>

  const lookOr = (intent: Intent | undefined, missing: () => Run): Run =>
    Effect.flatMap(findResult(intent), (found) => (found === undefined ? missing() : Effect.succeed(found)))

  const attempt = (state: "FIRST_CALL" | "LATER_CALL", intent: Intent, attemptsLeft: number): Run =>
    Effect.catch(call(intent), (error) => follow(transitions[state][classify(error)], intent, attemptsLeft, error))

  const follow = (next: AfterFailure, intent: Intent, attemptsLeft: number, error: E): Run => {
    switch (next) {
      case "NEXT_ATTEMPT":
        return Effect.flatMap(nextAttempt(intent), (raised) =>
          attemptsLeft > 1 ? attempt("LATER_CALL", raised, attemptsLeft - 1) : Effect.fail(error)
        )
      case "NOTHING":
        return Effect.andThen(discard(intent), Effect.fail(error))
      case "DECLINED":
        return Effect.fail(error)
      case "UNKNOWN":
        return unknown(error)
      default:
        return lookOr(intent, () => follow(transitions[next].MISSING, intent, attemptsLeft, error))
    }
  }

  const beginAndCall = (state: "FIRST_CALL" | "LATER_CALL") =>
    Effect.flatMap(begin, (intent) => attempt(state, intent, maxAttempts))
  return isRepetition
    ? lookOr(undefined, () => beginAndCall(transitions.LOOK_BEFORE_CALL.MISSING))
    : beginAndCall("FIRST_CALL")
}
