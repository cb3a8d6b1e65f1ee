import { runForeignCall } from "@care/foreign-calls"
import { PeerUnavailable } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type StripeClient from "stripe"
import { Stripe, type StripeFailed, type StripeRefused } from "./Stripe.ts"
import { type Attempt, makeStripeCallsRepo, type StripeOperation } from "./StripeCallsRepo.ts"

/** When something was made at Stripe, in seconds since 1970. */
export interface MadeWithin {
  readonly since: number
  readonly until: number
}

/** A call that changes something at Stripe. */
export interface StripeCall<A> extends StripeOperation {
  /** For its span. */
  readonly name: string
  readonly call: (
    client: StripeClient,
    options: { readonly idempotencyKey: string }
  ) => Promise<StripeClient.Response<A>>
  /**
   * Finds what it did, if it did: nothing that it made is older than `since`, and what its attempt made at first is not newer than
   * `until`. A list of all that the account made, which may be long, is looked through until then: only for what does nothing
   * by itself, because a repeated call may have got there later.
   */
  readonly look: (within: MadeWithin) => Effect.Effect<A | undefined, StripeRefused>
  /** Whether what Stripe answers again is still there: if not, it is done anew. It is, unless this says otherwise. */
  readonly stands?: (answered: A) => Effect.Effect<boolean, StripeRefused>
}

/** Stripe keeps what it answered under a key for a day. */
const keptMillis = Duration.toMillis("23 hours")

/** How far Stripe's clock may be from ours. */
const skewSeconds = 300

/** How long a call is under way at most: two tries, and what a busy process adds. */
const longestCallSeconds = 75

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)

const isReplayed = ({ lastResponse }: StripeClient.Response<unknown>): boolean =>
  lastResponse.headers["idempotent-replayed"] === "true"

/**
 * The ledger of the calls that change something at Stripe. Each operation takes effect once, however often it is repeated, and
 * whatever fails on the way: its idempotency key is made of the operation and its attempt, which is stored before the call. The
 * attempt is kept while nobody knows what became of it (no answer, 409, 429). Stripe repeats a failure of its own (5xx) under
 * its key for a day, so after one it is looked up what became of the call, and the next attempt is made if nothing did.
 */
export class StripeCalls extends Context.Service<
  StripeCalls,
  {
    /**
     * Makes a call, or finds what an earlier one did. Fails with `StripeFailed` after three attempts that Stripe failed over: it
     * did nothing, and the next request makes another attempt. Dies when nobody knows what became of it.
     */
    readonly make: <A>(call: StripeCall<A>) => Effect.Effect<A, StripeRefused | StripeFailed>
  }
>()("@care/payments/stripe/StripeCalls") {
  static readonly layer = Layer.effect(
    StripeCalls,
    Effect.gen(function* () {
      const repo = yield* makeStripeCallsRepo
      const stripe = yield* Stripe

      const found = <A>({ look }: StripeCall<A>, { attemptedAt, beganAt }: Attempt) =>
        look({
          since: secondsOf(beganAt) - skewSeconds,
          until: secondsOf(attemptedAt) + longestCallSeconds + skewSeconds
        })

      const raised = <A>(call: StripeCall<A>, { attempt }: Attempt) =>
        Effect.flatMap(DateTime.nowAsDate, (now) => repo.raise(call, attempt, now))

      // What it did. An answer that is repeated, and of which nothing is left, ends the attempt.
      const attempted = Effect.fnUntraced(function* <A>(
        call: StripeCall<A>,
        at: Attempt
      ): Effect.fn.Return<A, StripeRefused | StripeFailed> {
        const idempotencyKey = `${call.operation}-${at.attempt}`
        const answer = yield* stripe.change(call.organizationId, call.name, (client) =>
          call.call(client, { idempotencyKey })
        )
        // The client takes every body without an error for Stripe's answer, also one of something before Stripe.
        const { statusCode } = answer.lastResponse
        if (statusCode >= 400) return yield* Effect.die(new PeerUnavailable({ peer: "Stripe", status: statusCode }))
        const isGone = isReplayed(answer) && call.stands !== undefined && !(yield* call.stands(answer))
        return isGone ? yield* attempted(call, yield* raised(call, at)) : answer
      })

      return StripeCalls.of({
        make: Effect.fn("StripeCalls.make")(function* (call) {
          const now = yield* DateTime.nowAsDate
          const at = yield* repo.begin(call, now)
          return yield* runForeignCall({
            wasAsked: now.getTime() - at.attemptedAt.getTime() > keptMillis,
            begin: Effect.succeed(at),
            call: (latest) => attempted(call, latest),
            classify: ({ _tag }) => (_tag === "StripeFailed" ? "FAILED" : "REFUSED"),
            look: (latest = at) => found(call, latest),
            raise: (ended) => raised(call, ended)
          })
        })
      })
    })
  )
}
