import type { OrderId, OrganizationId } from "@care/domain/ids"
import { refusedPostalCode } from "@care/domain/magicValues"
import type { CallOutcome } from "@care/foreign-calls"
import { makeModes, outsideTransaction, type ThirdPartyAccount } from "@care/service-kit"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { PharmacySettings } from "./PharmacySettings.ts"

const text = Schema.String.check(Schema.isMaxLength(1000))

/** The answer of a pharmacy that takes an order: its id of the order, its own name, and the items in the order's sequence. */
const Receipt = Schema.Struct({
  pharmacyOrderId: Schema.NullOr(text),
  pharmacyName: Schema.NullOr(text),
  items: Schema.optionalKey(Schema.Array(Schema.Struct({ name: text })))
})
export type Receipt = typeof Receipt.Type

/** Stands for the receipt of an order that no pharmacy gets. */
export const noReceipt: Receipt = { pharmacyOrderId: null, pharmacyName: null }

/** The pharmacy did not take an order, as far as is known. `reason` quotes nothing of the order, nor of the answer. */
export class PharmacyFailed extends Data.TaggedError("PharmacyFailed")<{
  readonly reason: string
  readonly isRetryable: boolean
  readonly outcome: CallOutcome
}> {
  override get message() {
    return this.reason
  }
}

const failed = (reason: string, isRetryable: boolean, outcome: CallOutcome = "UNKNOWN") =>
  new PharmacyFailed({ reason, isRetryable, outcome })

// An invalid request stays invalid. A 409 or 422 may also mean that the pharmacy is busy with the order.
const invalidRequest = [400, 410, 413]
const busy = [409, 422]
const refusals = [...invalidRequest, ...busy]

// The order of a request that timed out (408) may have been taken.
const isNotTaken = (status: number): boolean => status >= 400 && status < 500 && ![408, ...busy].includes(status)

const Refusal = Schema.Struct({ retryable: Schema.Literal(false) })
const isFinal = (answer: HttpClientResponse.HttpClientResponse) =>
  Effect.isSuccess(HttpClientResponse.schemaBodyJson(Refusal)(answer))

// All other answers may change with another attempt.
const failureOf = Effect.fnUntraced(function* (answer: HttpClientResponse.HttpClientResponse) {
  const { status } = answer
  const outcome = isNotTaken(status) ? "UNTAKEN" : "UNKNOWN"
  if (refusals.includes(status) && (yield* isFinal(answer))) {
    return yield* failed(`The pharmacy refused the order (${status})`, false, "REFUSED")
  }
  return yield* invalidRequest.includes(status)
    ? failed(`The pharmacy refused the order (${status})`, false, outcome)
    : failed(`The pharmacy answered ${status}`, true, outcome)
})

/** A page of the changes of orders, each with the id of its event. `next` is the cursor of the next page. */
const OrderChangesPage = Schema.Struct({
  changes: Schema.Array(Schema.Struct({ id: text, event: Schema.Unknown })).check(Schema.isMaxLength(1000)),
  next: text,
  hasMore: Schema.Boolean
})
export type OrderChangesPage = typeof OrderChangesPage.Type

const isOk = ({ status }: HttpClientResponse.HttpClientResponse): boolean => status >= 200 && status < 300

const decodeChanges = HttpClientResponse.schemaBodyJson(OrderChangesPage)
const unreadable = () => failed("The pharmacy's answer cannot be read", true)

const decodeReceipt = HttpClientResponse.schemaBodyJson(Receipt)

const Destination = Schema.fromJsonString(
  Schema.Struct({ shippingAddress: Schema.Struct({ postalCode: Schema.String }) })
)
const decodeDestination = Schema.decodeUnknownOption(Destination)

// A sandbox may choose that the address is refused.
const isRefusedInSandbox = (body: string): boolean =>
  Option.exists(decodeDestination(body), ({ shippingAddress }) => shippingAddress.postalCode === refusedPostalCode)

type Api = Exclude<ThirdPartyAccount["api"], undefined>

/** The pharmacy that fills orders, with the account of live organizations or that of sandboxes. */
export class Pharmacy extends Context.Service<
  Pharmacy,
  {
    /**
     * Hands an order over. Idempotent with the same body, because the pharmacy knows the order by its id. The body is JSON, with the id as
     * `externalId`. Makes one attempt; the caller retries. Dies inside a database transaction, which would wait for a third party.
     */
    readonly take: (organizationId: OrganizationId, id: OrderId, body: string) => Effect.Effect<Receipt, PharmacyFailed>
    /**
     * Returns the changes of orders after a cursor, or from the first that the pharmacy lists, oldest first. None when there is no pharmacy,
     * or it has no such list. Dies inside a database transaction.
     */
    readonly changes: (after: string | undefined) => Effect.Effect<Option.Option<OrderChangesPage>, PharmacyFailed>
    /** Whether there is an account for sandboxes. */
    readonly hasTestAccount: boolean
  }
>()("@care/cases/pharmacy/Pharmacy") {
  /** Calls the pharmacy at `PHARMACY_API_URL` or `TEST_PHARMACY_API_URL`. Without one, orders count as taken. */
  static readonly layer = Layer.effect(
    Pharmacy,
    Effect.gen(function* () {
      const accounts = yield* PharmacySettings
      const client = yield* HttpClient.HttpClient
      const modes = yield* makeModes
      const requireNoTransaction = yield* outsideTransaction("The pharmacy was called")

      // Makes one attempt, of at most 10 seconds.
      const send = <A>(
        { token, url }: Api,
        request: HttpClientRequest.HttpClientRequest,
        read: (answer: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, PharmacyFailed>
      ) =>
        request.pipe(
          HttpClientRequest.prependUrl(url),
          HttpClientRequest.bearerToken(token),
          client.execute,
          Effect.mapError(() => failed("The pharmacy did not answer", true)),
          Effect.flatMap(read),
          Effect.timeoutOrElse({
            duration: "10 seconds",
            orElse: () => failed("The pharmacy took too long", true)
          }),
          // A third party gets no trace headers.
          Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
        )

      return Pharmacy.of({
        take: Effect.fn("Pharmacy.take")(function* (organizationId, id, body) {
          const { api } = yield* modes.choose(accounts, organizationId)
          const isRefused = yield* modes.choose({ live: () => false, test: isRefusedInSandbox }, organizationId)
          if (isRefused(body)) return yield* failed("The pharmacy refused the address", false, "REFUSED")
          if (api === undefined) return noReceipt
          yield* requireNoTransaction
          const request = HttpClientRequest.post("/orders").pipe(
            HttpClientRequest.setHeader("idempotency-key", id),
            HttpClientRequest.bodyText(body, "application/json")
          )
          return yield* send(api, request, (answer) =>
            isOk(answer) ? Effect.mapError(decodeReceipt(answer), unreadable) : failureOf(answer)
          )
        }),

        changes: Effect.fn("Pharmacy.changes")(function* (after) {
          const { api } = yield* modes.choose(accounts, undefined)
          if (api === undefined) return Option.none()
          yield* requireNoTransaction
          const urlParams = { limit: "100", ...(after !== undefined && { after }) }
          return yield* send(api, HttpClientRequest.get("/orders/changes", { urlParams }), (answer) => {
            if (isOk(answer)) return Effect.asSome(Effect.mapError(decodeChanges(answer), unreadable))
            return answer.status === 404 ? Effect.succeedNone : failureOf(answer)
          })
        }),

        hasTestAccount: accounts.test.api !== undefined
      })
    })
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
}
