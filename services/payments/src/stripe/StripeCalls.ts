import { runForeignCall } from "@care/foreign-calls"
import { PeerUnavailable } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type StripeClient from "stripe"
import { Stripe, type StripeFailed, type StripeRefused } from "./Stripe.ts"
import { type Attempt, makeStripeCallsRepo, type StripeOperation } from "./StripeCallsRepo.ts"

/** The time in which an object may have been created at Stripe, in seconds since 1970. */
export interface CreationWindow {
  readonly since: number
  readonly until: number
}

/** A call that changes something at Stripe. */
export interface StripeCall<A> extends StripeOperation {
  /** The name of the span. */
  readonly name: string
  readonly call: (
    client: StripeClient,
    options: { readonly idempotencyKey: string }
  ) => Promise<StripeClient.Response<A>>
  /**
   * Finds the object that an attempt created, if it did. It was created after `since`, and by the attempt's first call before `until`.
   * `until` bounds a search of all objects of the account. It is only for objects that have no effect by themselves, because a repeated
   * call may create one later.
   */
  readonly look: (window: CreationWindow) => Effect.Effect<A | undefined, StripeRefused>
  /** Returns whether the object of a replayed response still exists; if not, it is created anew. By default it exists. */
  readonly stillExists?: (object: A) => Effect.Effect<boolean, StripeRefused>
}

/** Stripe replays the response of an idempotency key for a day. */
const keyLifetimeMillis = Duration.toMillis("23 hours")

/** The greatest difference between Stripe's clock and this one. */
const skewSeconds = 300

/** The longest call: two attempts of the client, and the delays of a busy process. */
const maxCallSeconds = 75

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)

const isReplayed = ({ lastResponse }: StripeClient.Response<unknown>): boolean =>
  lastResponse.headers["idempotent-replayed"] === "true"

/**
 * The calls that change something at Stripe. Each operation takes effect once, however often it is repeated, and whatever fails. Its
 * idempotency key consists of the operation and the number of the attempt, which is stored before the call. The attempt stays while its
 * outcome is unknown (no answer, 409, 429). Stripe replays its own failures (5xx) under the key for a day, so after one the result is
 * searched, and the next attempt is made if there is none.
 */
export class StripeCalls extends Context.Service<
  StripeCalls,
  {
    /**
     * Makes a call, or finds the result of an earlier one. Fails with `StripeFailed` after three failures of Stripe: nothing happened, and
     * the next request makes another attempt. Dies as `PeerUnavailable` when the outcome is unknown.
     */
    readonly make: <A>(call: StripeCall<A>) => Effect.Effect<A, StripeRefused | StripeFailed>
  }
>()("@care/payments/stripe/StripeCalls") {
  static readonly layer = Layer.effect(
    StripeCalls,
    Effect.gen(function* () {
      const repo = yield* makeStripeCallsRepo
      const stripe = yield* Stripe

      const findResult = <A>({ look }: StripeCall<A>, { attemptedAt, beganAt }: Attempt) =>
        look({
          since: secondsOf(beganAt) - skewSeconds,
          until: secondsOf(attemptedAt) + maxCallSeconds + skewSeconds
        })

      const nextAttempt = <A>(call: StripeCall<A>, { attempt }: Attempt) =>
        Effect.flatMap(DateTime.nowAsDate, (now) => repo.nextAttempt(call, attempt, now))

      // Makes the call of an attempt. When the object of a replayed response is gone, the next attempt creates it anew.
      const perform = Effect.fnUntraced(function* <A>(
        call: StripeCall<A>,
        current: Attempt
      ): Effect.fn.Return<A, StripeRefused | StripeFailed> {
        const idempotencyKey = `${call.operation}-${current.attempt}`
        const response = yield* stripe.change(call.organizationId, call.name, (client) =>
          call.call(client, { idempotencyKey })
        )
        // The client takes any body without an error for a success, also the error page of a proxy.
        const { statusCode } = response.lastResponse
        if (statusCode >= 400) return yield* Effect.die(new PeerUnavailable({ peer: "Stripe", status: statusCode }))
        const isGone = isReplayed(response) && call.stillExists !== undefined && !(yield* call.stillExists(response))
        return isGone ? yield* perform(call, yield* nextAttempt(call, current)) : response
      })

      return StripeCalls.of({
        make: Effect.fn("StripeCalls.make")(function* (call) {
          const now = yield* DateTime.nowAsDate
          const current = yield* repo.begin(call, now)
          return yield* runForeignCall({
            isRepetition: now.getTime() - current.attemptedAt.getTime() > keyLifetimeMillis,
            begin: Effect.succeed(current),
            call: (attempt) => perform(call, attempt),
            classify: ({ _tag }) => (_tag === "StripeFailed" ? "FAILED" : "REFUSED"),
            findResult: (attempt = current) => findResult(call, attempt),
            nextAttempt: (attempt) => nextAttempt(call, attempt)
          })
        })
      })
    })
  )
}
