import type { OrderId } from "@care/domain/ids"
import type { CallOutcome } from "@care/foreign-calls"
import { outsideTransaction } from "@care/service-kit"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer, type Option, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { PharmacySettings } from "./PharmacySettings.ts"

const text = Schema.String.check(Schema.isMaxLength(1000))

/** What a pharmacy says of an order that it takes: what it calls it and itself, and the items in their order. */
const Taken = Schema.Struct({
  pharmacyOrderId: Schema.NullOr(text),
  pharmacyName: Schema.NullOr(text),
  items: Schema.optionalKey(Schema.Array(Schema.Struct({ name: text })))
})
export type Taken = typeof Taken.Type

/** What is known of an order that no pharmacy gets. */
export const takenByNobody: Taken = { pharmacyOrderId: null, pharmacyName: null }

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

// What is wrong with a request stays wrong. A 409 and a 422 may as well mean that the pharmacy is busy with the order.
const wrong = [400, 410, 413]
const busy = [409, 422]
const refusals = [...wrong, ...busy]

// A request that came too slowly may have come all the same.
const takesNothing = (status: number): boolean => status >= 400 && status < 500 && ![408, ...busy].includes(status)

const Refusal = Schema.Struct({ retryable: Schema.Literal(false) })
const saysSo = (answer: HttpClientResponse.HttpClientResponse) =>
  Effect.isSuccess(HttpClientResponse.schemaBodyJson(Refusal)(answer))

// Whatever else it answers may be otherwise at another try.
const failureOf = Effect.fnUntraced(function* (answer: HttpClientResponse.HttpClientResponse) {
  const { status } = answer
  const outcome = takesNothing(status) ? "UNTAKEN" : "UNKNOWN"
  if (refusals.includes(status) && (yield* saysSo(answer))) {
    return yield* failed(`The pharmacy refused the order (${status})`, false, "REFUSED")
  }
  return yield* wrong.includes(status)
    ? failed(`The pharmacy refused the order (${status})`, false, outcome)
    : failed(`The pharmacy answered ${status}`, true, outcome)
})

/** A page of what happened to orders: each change with its event's id, and where the next page begins. */
const OrderChangesPage = Schema.Struct({
  changes: Schema.Array(Schema.Struct({ id: text, event: Schema.Unknown })).check(Schema.isMaxLength(1000)),
  next: text,
  hasMore: Schema.Boolean
})
export type OrderChangesPage = typeof OrderChangesPage.Type

const isOk = ({ status }: HttpClientResponse.HttpClientResponse): boolean => status >= 200 && status < 300

const decodeChanges = HttpClientResponse.schemaBodyJson(OrderChangesPage)
const unreadable = () => failed("The pharmacy's answer cannot be read", true)

const decodeTaken = HttpClientResponse.schemaBodyJson(Taken)

/** The pharmacy that fills orders. */
export class Pharmacy extends Context.Service<
  Pharmacy,
  {
    /**
     * Hands an order over: once, however often it is asked for with the same body, because the pharmacy knows it by its id.
     * The body is JSON, with the id as `externalId`. Tried once: what may pass is tried again by whoever asks. Dies inside a
     * database transaction, which would wait for somebody else's server.
     */
    readonly take: (id: OrderId, body: string) => Effect.Effect<Taken, PharmacyFailed>
    /**
     * What happened to orders after a page of it, oldest first, or from the first that the pharmacy shows; none when there is no pharmacy, or
     * it has no such list. Dies inside a database transaction.
     */
    readonly changes: (after: string | undefined) => Effect.Effect<Option.Option<OrderChangesPage>, PharmacyFailed>
  }
>()("@care/cases/pharmacy/Pharmacy") {
  /** By HTTP at `PHARMACY_API_URL`; without one, orders count as taken. */
  static readonly layer = Layer.effect(
    Pharmacy,
    Effect.gen(function* () {
      const { api } = yield* PharmacySettings
      if (api === undefined) {
        return Pharmacy.of({ take: () => Effect.succeed(takenByNobody), changes: () => Effect.succeedNone })
      }
      const client = yield* HttpClient.HttpClient
      const requireNoTransaction = yield* outsideTransaction("The pharmacy was called")

      const baseUrl = api.url.replace(/\/$/, "")

      // Tried once, for 10 seconds.
      const ask = <A>(
        request: HttpClientRequest.HttpClientRequest,
        read: (answer: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, PharmacyFailed>
      ) =>
        request.pipe(
          HttpClientRequest.bearerToken(api.token),
          client.execute,
          Effect.mapError(() => failed("The pharmacy did not answer", true)),
          Effect.flatMap(read),
          Effect.timeoutOrElse({
            duration: "10 seconds",
            orElse: () => failed("The pharmacy took too long", true)
          }),
          // Somebody else's server is told nothing of our traces.
          Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
        )

      return Pharmacy.of({
        take: Effect.fn("Pharmacy.take")(function* (id, body) {
          yield* requireNoTransaction
          const order = HttpClientRequest.post(`${baseUrl}/orders`).pipe(
            HttpClientRequest.setHeader("idempotency-key", id),
            HttpClientRequest.bodyText(body, "application/json")
          )
          return yield* ask(order, (answer) =>
            isOk(answer) ? Effect.mapError(decodeTaken(answer), unreadable) : failureOf(answer)
          )
        }),

        changes: Effect.fn("Pharmacy.changes")(function* (after) {
          yield* requireNoTransaction
          const urlParams = { limit: "100", ...(after !== undefined && { after }) }
          return yield* ask(HttpClientRequest.get(`${baseUrl}/orders/changes`, { urlParams }), (answer) => {
            if (isOk(answer)) return Effect.asSome(Effect.mapError(decodeChanges(answer), unreadable))
            return answer.status === 404 ? Effect.succeedNone : failureOf(answer)
          })
        })
      })
    })
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
}
