import type { KnownAddress } from "@care/domain/http"
import type { OrderId } from "@care/domain/ids"
import { outsideTransaction } from "@care/service-kit"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { PharmacySettings } from "./PharmacySettings.ts"

/** An order as a pharmacy gets it: `externalId` is what it is known by on both sides. The rest is as the partner told it. */
interface PharmacyOrder {
  readonly externalId: OrderId
  readonly patient: Readonly<Record<"firstName" | "lastName" | "email" | "phoneNumber", string>>
  readonly shippingAddress: KnownAddress
  readonly [detail: string]: unknown
}

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
}> {
  override get message() {
    return this.reason
  }
}

const failed = (reason: string, isRetryable: boolean) => new PharmacyFailed({ reason, isRetryable })

// By these a pharmacy says that it does not want the order. Whatever else it answers may be otherwise at another try.
const refusals = [400, 409, 410, 413, 422]

const answered = (status: number) =>
  refusals.includes(status)
    ? failed(`The pharmacy refused the order (${status})`, false)
    : failed(`The pharmacy answered ${status}`, true)

const decodeTaken = HttpClientResponse.schemaBodyJson(Taken)

/** The pharmacy that fills orders. */
export class Pharmacy extends Context.Service<
  Pharmacy,
  {
    /**
     * Hands an order over: once, however often it is asked for, because the pharmacy knows it by its id. Tried once: what may
     * pass is tried again by whoever asks. Dies inside a database transaction, which would wait for somebody else's server.
     */
    readonly take: (order: PharmacyOrder) => Effect.Effect<Taken, PharmacyFailed>
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
        take: Effect.fn("Pharmacy.take")(function* (order) {
          yield* requireNoTransaction
          return yield* HttpClientRequest.post(`${api.url.replace(/\/$/, "")}/orders`).pipe(
            HttpClientRequest.bearerToken(api.token),
            HttpClientRequest.setHeader("idempotency-key", order.externalId),
            HttpClientRequest.bodyJsonUnsafe(order),
            client.execute,
            Effect.mapError(() => failed("The pharmacy did not answer", true)),
            Effect.filterOrFail(
              ({ status }) => status >= 200 && status < 300,
              ({ status }) => answered(status)
            ),
            Effect.flatMap((answer) =>
              Effect.mapError(decodeTaken(answer), () => failed("The pharmacy's answer cannot be read", true))
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
