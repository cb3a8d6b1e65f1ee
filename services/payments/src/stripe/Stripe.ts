import type { OrganizationId } from "@care/domain/ids"
import { makeCircuitBreaker, outsideTransaction, PeerUnavailable } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import StripeClient from "stripe"
import { StripeSettings } from "./StripeSettings.ts"

/**
 * Stripe said no, so nothing happened: `code` is Stripe's (`resource_missing`, `card_declined`, `amount_too_small`),
 * `param` is that of its own parameters that
 * it is about, if it is about one; `declineCode` the bank's. Stripe's own words are left out: they quote what they were given.
 */
export class StripeRefused extends Data.TaggedError("StripeRefused")<{
  readonly status: number
  readonly code: string
  readonly param: string | undefined
  readonly declineCode: string | undefined
}> {
  override get message() {
    return `Stripe refused (${this.status} ${this.code})`
  }
}

/**
 * Stripe itself failed over a call (5xx), and answers the same under its key for a day: whoever has looked what became of it
 * may use another key.
 */
export class StripeFailed extends Data.TaggedError("StripeFailed")<{ readonly status: number }> {
  override get message() {
    return `Stripe failed (${this.status})`
  }
}

// What says nothing of whether the call took effect, or that it may at another try: no answer, a conflict with a request
// under way, too many requests, a failure of Stripe's own.
const hasUnknownOutcome = ({ statusCode }: StripeClient.errors.StripeError): boolean =>
  statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500

const isOurs = ({ statusCode }: StripeClient.errors.StripeError): boolean => statusCode === 401 || statusCode === 403

// Of a failure without a request id nobody knows that Stripe had the request: something before Stripe answered.
const isFailure = ({ requestId, statusCode }: StripeClient.errors.StripeError): boolean =>
  statusCode !== undefined && statusCode >= 500 && requestId !== undefined

type Failure = StripeRefused | StripeFailed | PeerUnavailable | StripeKeyRefused

/** Stripe does not know our key, or what it is for. Ours to mend. */
class StripeKeyRefused extends Data.TaggedError("StripeKeyRefused") {
  override get message() {
    return "Stripe refused STRIPE_SECRET_KEY"
  }
}

const unavailable = (status?: number) =>
  new PeerUnavailable({ peer: "Stripe", ...(status !== undefined && { status }) })

/** Ends in what a caller hears of a failure: a 503, after which the same request may be made again. */
export const dieUnavailable = ({ status }: StripeFailed) => Effect.die(unavailable(status))

const failureOf = (error: unknown): Failure => {
  if (!(error instanceof StripeClient.errors.StripeError)) return unavailable()
  if (isFailure(error)) return new StripeFailed({ status: error.statusCode ?? 500 })
  if (hasUnknownOutcome(error)) return unavailable(error.statusCode)
  if (isOurs(error)) return new StripeKeyRefused()
  return new StripeRefused({
    status: error.statusCode ?? 400,
    code: error.code ?? error.type,
    param: error.param,
    declineCode: error.decline_code
  })
}

/** The version of Stripe's API that the client speaks, and that events have to be written in. */
export const apiVersion = StripeClient.API_VERSION

const toleranceSeconds = 300

/** For whom Stripe is called: its calls without an answer stop no other organization's. Undefined when for none, or for many. */
export type CalledFor = OrganizationId | undefined

/** The payment gateway. */
export class Stripe extends Context.Service<
  Stripe,
  {
    /**
     * Makes one call of the client that changes nothing, or nothing more when it is repeated. The client tries it again when it
     * gets no answer. Dies when Stripe is of no help (answered as 503: the same request may be made again), and inside a
     * database transaction.
     */
    readonly ask: <A>(
      calledFor: CalledFor,
      name: string,
      call: (client: StripeClient) => Promise<A>
    ) => Effect.Effect<A, StripeRefused>
    /**
     * Makes one call that changes something, under an idempotency key that was stored beforehand, under which the client tries it
     * again when it gets no answer. Dies when nobody knows what became of it, and inside a database transaction.
     */
    readonly change: <A>(
      calledFor: CalledFor,
      name: string,
      call: (client: StripeClient) => Promise<A>
    ) => Effect.Effect<A, StripeRefused | StripeFailed>
    /** Whether Stripe signed a body, as it came, by any of the secrets and not more than 5 minutes ago. */
    readonly hasSigned: (body: string, signature: string) => boolean
  }
>()("@care/payments/stripe/Stripe") {
  static readonly layer = Layer.effect(
    Stripe,
    Effect.gen(function* () {
      const { key, retries, timeoutMillis, url, webhookSecrets } = yield* StripeSettings
      const { hostname, port, protocol } = new URL(url)
      const client = new StripeClient(Redacted.value(key), {
        host: hostname,
        ...(port !== "" && { port }),
        protocol: protocol === "http:" ? "http" : "https",
        timeout: timeoutMillis,
        maxNetworkRetries: retries,
        telemetry: false
      })
      const requireNoTransaction = yield* outsideTransaction("Stripe was called")
      const guarded = makeCircuitBreaker<Failure>({
        failures: 3,
        openMillis: 1000,
        refused: () => unavailable(),
        // Whatever Stripe answers, a failure of its own too, may be of one organization's data: it stops nobody else.
        isAway: (failure) => failure._tag === "PeerUnavailable" && failure.status === undefined
      })

      const change = <A>(calledFor: CalledFor, name: string, call: (client: StripeClient) => Promise<A>) =>
        requireNoTransaction.pipe(
          Effect.andThen(guarded(Effect.tryPromise({ try: () => call(client), catch: failureOf }), calledFor)),
          Effect.catchTags({ PeerUnavailable: Effect.die, StripeKeyRefused: Effect.die }),
          Effect.withSpan(`Stripe ${name}`)
        )

      return Stripe.of({
        ask: (calledFor, name, call) => Effect.catchTag(change(calledFor, name, call), "StripeFailed", dieUnavailable),

        change,

        hasSigned: (body, signature) => {
          const signed = (secret: Redacted.Redacted) =>
            client.webhooks.signature?.verifyHeader(body, signature, Redacted.value(secret), toleranceSeconds) === true
          return webhookSecrets.some((secret) => Option.contains(Option.liftThrowable(signed)(secret), true))
        }
      })
    })
  )
}
