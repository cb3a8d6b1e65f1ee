import type { OrderId } from "@care/domain/ids"
import { outsideTransaction } from "@care/service-kit"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer, Schema } from "effect"
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

/** The pharmacy did not take an order. `reason` quotes nothing of the order, nor of the answer. */
export class PharmacyFailed extends Data.TaggedError("PharmacyFailed")<{
  readonly reason: string
  readonly isRetryable: boolean
  /** The pharmacy itself says that it does not take the order: so it did not take it before either. */
  readonly isRefusal: boolean
}> {
  override get message() {
    return this.reason
  }
}

const failed = (reason: string, isRetryable: boolean, isRefusal = false) =>
  new PharmacyFailed({ reason, isRetryable, isRefusal })

// What is wrong with a request stays wrong. A 409 and a 422 may as well mean that the pharmacy is busy with the order.
const wrong = [400, 410, 413]
const refusals = [...wrong, 409, 422]

const Refusal = Schema.Struct({ retryable: Schema.Literal(false) })
const saysSo = (answer: HttpClientResponse.HttpClientResponse) =>
  Effect.isSuccess(HttpClientResponse.schemaBodyJson(Refusal)(answer))

// Whatever else it answers may be otherwise at another try.
const failureOf = Effect.fnUntraced(function* (answer: HttpClientResponse.HttpClientResponse) {
  const { status } = answer
  const isRefusal = refusals.includes(status) && (yield* saysSo(answer))
  return yield* isRefusal || wrong.includes(status)
    ? failed(`The pharmacy refused the order (${status})`, false, isRefusal)
    : failed(`The pharmacy answered ${status}`, true)
})

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
  }
>()("@care/cases/pharmacy/Pharmacy") {
  /** By HTTP at `PHARMACY_API_URL`; without one, orders count as taken. */
  static readonly layer = Layer.effect(
    Pharmacy,
    Effect.gen(function* () {
      const { api } = yield* PharmacySettings
      if (api === undefined) return Pharmacy.of({ take: () => Effect.succeed(takenByNobody) })
      const client = yield* HttpClient.HttpClient
      const requireNoTransaction = yield* outsideTransaction("The pharmacy was called")

      return Pharmacy.of({
        take: Effect.fn("Pharmacy.take")(function* (id, body) {
          yield* requireNoTransaction
          return yield* HttpClientRequest.post(`${api.url.replace(/\/$/, "")}/orders`).pipe(
            HttpClientRequest.bearerToken(api.token),
            HttpClientRequest.setHeader("idempotency-key", id),
            HttpClientRequest.bodyText(body, "application/json"),
            client.execute,
            Effect.mapError(() => failed("The pharmacy did not answer", true)),
            Effect.flatMap((answer) =>
              answer.status >= 200 && answer.status < 300
                ? Effect.mapError(decodeTaken(answer), () => failed("The pharmacy's answer cannot be read", true))
                : failureOf(answer)
            ),
            Effect.timeoutOrElse({
              duration: "10 seconds",
              orElse: () => failed("The pharmacy took too long", true)
            }),
            // Somebody else's server is told nothing of our traces.
            Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
          )
        })
      })
    })
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
}
