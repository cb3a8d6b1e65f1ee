import type { Mode } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import {
  AccountMissing,
  type ByMode,
  makeCircuitBreaker,
  makeModes,
  outsideTransaction,
  PeerUnavailable
} from "@care/service-kit"
import { Context, Data, Effect, Layer, Metric, Option, Redacted } from "effect"
import StripeClient from "stripe"
import { type StripeAccount, StripeSettings } from "./StripeSettings.ts"

/**
 * Stripe refused a call, so nothing happened. `code` is Stripe's (`resource_missing`, `card_declined`, `amount_too_small`), `param` the
 * parameter that is wrong, if any, and `declineCode` the bank's. Stripe's message is left out, because it quotes what was sent.
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
 * Stripe failed with an error of its own (5xx), which it repeats under the idempotency key for a day. Another key may be used once it
 * is known whether the call took effect.
 */
export class StripeFailed extends Data.TaggedError("StripeFailed")<{ readonly status: number }> {
  override get message() {
    return `Stripe failed (${this.status})`
  }
}

// No answer, a conflict with a running request, too many requests, a failure of Stripe: the call may have taken effect, or may with
// the next attempt.
const hasUnknownOutcome = ({ statusCode }: StripeClient.errors.StripeError): boolean =>
  statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500

const isKeyRefused = ({ statusCode }: StripeClient.errors.StripeError): boolean =>
  statusCode === 401 || statusCode === 403

// A failure without a request id may come from a proxy, so that Stripe may not have received the request.
const isFailure = ({ requestId, statusCode }: StripeClient.errors.StripeError): boolean =>
  statusCode !== undefined && statusCode >= 500 && requestId !== undefined

type Failure = StripeRefused | StripeFailed | PeerUnavailable | StripeKeyRefused

/** Stripe does not accept the key or its permissions. The operator must fix that. */
class StripeKeyRefused extends Data.TaggedError("StripeKeyRefused")<{ readonly setting: string }> {
  override get message() {
    return `Stripe refused ${this.setting}`
  }
}

const unavailable = (status?: number) =>
  new PeerUnavailable({ peer: "Stripe", ...(status !== undefined && { status }) })

/** Dies as `PeerUnavailable` (503), after which the caller may repeat the request. */
export const dieUnavailable = ({ status }: StripeFailed) => Effect.die(unavailable(status))

const failureOf = (error: unknown, setting: string): Failure => {
  if (!(error instanceof StripeClient.errors.StripeError)) return unavailable()
  if (isFailure(error)) return new StripeFailed({ status: error.statusCode ?? 500 })
  if (hasUnknownOutcome(error)) return unavailable(error.statusCode)
  if (isKeyRefused(error)) return new StripeKeyRefused({ setting })
  return new StripeRefused({
    status: error.statusCode ?? 400,
    code: error.code ?? error.type,
    param: error.param,
    declineCode: error.decline_code
  })
}

const calls = Metric.counter("stripe_calls_total", {
  description:
    "Calls of Stripe by outcome: answered, refused, failed (5xx), unavailable (no usable answer), key_refused",
  incremental: true
})

const outcomes = {
  StripeRefused: "refused",
  StripeFailed: "failed",
  PeerUnavailable: "unavailable",
  StripeKeyRefused: "key_refused"
} as const satisfies Record<Failure["_tag"], string>

const countCall = (mode: Mode, outcome: string) => Metric.update(Metric.withAttributes(calls, { mode, outcome }), 1)

/** The version of Stripe's API that the client uses, and that events must have. */
export const apiVersion = StripeClient.API_VERSION

const toleranceSeconds = 300

/**
 * The payment gateway: one account for live organizations, another for sandboxes, chosen by the organization.
 * `organizationId` is undefined for a call that is made for no or many organizations. Calls without an answer open the circuit for their own
 * organization alone.
 */
export class Stripe extends Context.Service<
  Stripe,
  {
    /**
     * Makes an idempotent call, which the client retries when it gets no answer. Dies as `PeerUnavailable` (503) without a usable answer, as
     * `AccountMissing` (503) without an account for sandboxes, and inside a database transaction.
     */
    readonly ask: <A>(
      organizationId: OrganizationId | undefined,
      name: string,
      call: (client: StripeClient) => Promise<A>
    ) => Effect.Effect<A, StripeRefused>
    /**
     * Makes a call under an idempotency key that was stored before, which the client retries when it gets no answer. Dies as
     * `PeerUnavailable` when the outcome is unknown, and inside a database transaction.
     */
    readonly change: <A>(
      organizationId: OrganizationId | undefined,
      name: string,
      call: (client: StripeClient) => Promise<A>
    ) => Effect.Effect<A, StripeRefused | StripeFailed>
    /** Whether there is an account for sandboxes. */
    readonly hasTestAccount: boolean
    /** Returns the account for which Stripe signed a raw body by any of the secrets, at most 5 minutes ago. */
    readonly signedFor: (body: string, signature: string) => keyof ByMode<unknown> | undefined
  }
>()("@care/payments/stripe/Stripe") {
  static readonly layer = Layer.effect(
    Stripe,
    Effect.gen(function* () {
      const { live, retries, test, timeoutMillis } = yield* StripeSettings
      const requireNoTransaction = yield* outsideTransaction("Stripe was called")

      const connect = (mode: Mode, { key, url, webhookSecrets }: StripeAccount, setting: string) => {
        const { hostname, port, protocol } = new URL(url)
        const client = new StripeClient(Redacted.value(key), {
          host: hostname,
          ...(port !== "" && { port }),
          protocol: protocol === "http:" ? "http" : "https",
          timeout: timeoutMillis,
          maxNetworkRetries: retries,
          telemetry: false
        })
        const guarded = makeCircuitBreaker<Failure>({
          failures: 3,
          openMillis: 1000,
          refused: () => unavailable(),
          // Any answer, also a failure of Stripe, may be about one organization's data.
          isAway: (failure) => failure._tag === "PeerUnavailable" && failure.status === undefined
        })
        const isSigned = (body: string, signature: string, secret: Redacted.Redacted) =>
          client.webhooks.signature?.verifyHeader(body, signature, Redacted.value(secret), toleranceSeconds) === true
        return {
          call: <A>(organizationId: OrganizationId | undefined, call: (client: StripeClient) => Promise<A>) =>
            guarded(
              Effect.tryPromise({ try: () => call(client), catch: (error) => failureOf(error, setting) }),
              organizationId
            ).pipe(
              Effect.tap(countCall(mode, "answered")),
              Effect.tapError(({ _tag }) => countCall(mode, outcomes[_tag]))
            ),
          hasSigned: (body: string, signature: string) =>
            webhookSecrets.some((secret) =>
              Option.contains(Option.liftThrowable(() => isSigned(body, signature, secret))(), true)
            )
        }
      }

      const accounts = {
        live: connect("live", live, "STRIPE_SECRET_KEY"),
        test: test === undefined ? undefined : connect("test", test, "TEST_STRIPE_SECRET_KEY")
      }
      const modes = yield* makeModes
      const accountOf = Effect.fnUntraced(function* (organizationId: OrganizationId | undefined) {
        const account = yield* modes.choose<ReturnType<typeof connect> | undefined>(accounts, organizationId)
        return account ?? (yield* Effect.die(new AccountMissing({ setting: "TEST_STRIPE_SECRET_KEY" })))
      })

      const change = <A>(
        organizationId: OrganizationId | undefined,
        name: string,
        call: (client: StripeClient) => Promise<A>
      ) =>
        requireNoTransaction.pipe(
          Effect.andThen(accountOf(organizationId)),
          Effect.flatMap((account) => account.call(organizationId, call)),
          Effect.catchTags({ PeerUnavailable: Effect.die, StripeKeyRefused: Effect.die }),
          Effect.withSpan(`Stripe ${name}`)
        )

      return Stripe.of({
        ask: (organizationId, name, call) =>
          Effect.catchTag(change(organizationId, name, call), "StripeFailed", dieUnavailable),

        change,

        hasTestAccount: test !== undefined,

        signedFor: (body, signature) => {
          if (accounts.live.hasSigned(body, signature)) return "live"
          return accounts.test?.hasSigned(body, signature) === true ? "test" : undefined
        }
      })
    })
  )
}
