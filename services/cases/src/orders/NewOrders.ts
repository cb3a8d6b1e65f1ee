import { randomUUID } from "node:crypto"
import { CaseClosed, CaseForbidden, type CaseNotFound, type PlaceOrder } from "@care/domain/cases"
import { type IdempotencyConflict, knownAddress, RequestInvalid } from "@care/domain/http"
import { type CaseId, DocumentId, OrderId, type OrganizationId, type UserId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/once"
import { makePatientKeys } from "@care/phi"
import { Egress, inTransaction, Quotas, requireRoom } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../case/index.ts"
import { OrderHandOver } from "./OrderHandOver.ts"
import { makeOrdersRepo } from "./OrdersRepo.ts"
import type { PrescriptionFile } from "./orderContents.ts"
import { ShippingAddresses } from "./shipping/ShippingAddresses.ts"

type Refusal = RequestInvalid | CaseNotFound | CaseForbidden | CaseClosed | IdempotencyConflict

const placing = onceOperation({
  name: "placeOrder",
  version: 1,
  ids: { orderId: OrderId },
  answer: Schema.Struct({ orderId: OrderId })
})

type Given = PlaceOrder["order"]

/** How orders begin. */
export class NewOrders extends Context.Service<
  NewOrders,
  {
    /**
     * Accepts an order, and leaves it to a job to hand it over; or answers the order that the same idempotency key placed
     * before. `headerKey` is the Idempotency-Key header; the body's own key wins.
     */
    readonly place: (
      organizationId: OrganizationId,
      caseId: CaseId,
      body: PlaceOrder,
      headerKey: string | undefined
    ) => Effect.Effect<OrderId, Refusal>
  }
>()("@care/cases/orders/NewOrders") {
  static readonly layer = Layer.effect(
    NewOrders,
    Effect.gen(function* () {
      const cases = yield* Cases
      const addresses = yield* ShippingAddresses
      const egress = yield* Egress
      const handOver = yield* OrderHandOver
      const once = yield* Once
      const repo = yield* makeOrdersRepo
      const patientKeys = yield* makePatientKeys
      const quotas = yield* Quotas
      const sql = yield* SqlClient.SqlClient

      const openCase = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
        const caseState = yield* cases.find(organizationId, caseId)
        if (Option.isNone(caseState)) {
          yield* cases.ownerOf(caseId)
          return yield* new CaseForbidden({ caseId })
        }
        return caseState.value.isArchived ? yield* new CaseClosed() : caseState.value
      })

      const filesOf = ({ prescriptionItems }: Given) =>
        Effect.forEach(
          prescriptionItems.flatMap(({ customFields }, item) => {
            const url = customFields?.documentUrl
            return url === undefined || url === null ? [] : [{ item, url }]
          }),
          ({ item, url }) =>
            egress.check(url).pipe(
              Effect.mapError(({ reason }) =>
                RequestInvalid.inPayload(`order.prescriptionItems.${item}.customFields.documentUrl`, reason)
              ),
              Effect.as<PrescriptionFile>({ id: DocumentId.make(randomUUID()), item, url })
            )
        )

      const addressOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        userId: UserId,
        { shippingAddress }: Given
      ) {
        const address = knownAddress(shippingAddress) ?? (yield* addresses.of(organizationId, caseId, userId))
        if (address !== null) return address
        return yield* RequestInvalid.inPayload("order.shippingAddress", "Required: no address of the patient is known")
      })

      const newOrder = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        { order: given }: PlaceOrder,
        id: OrderId
      ) {
        const { userId } = yield* openCase(organizationId, caseId)
        const documents = yield* filesOf(given)
        if (documents.length > 0) yield* requireRoom(quotas, organizationId, "DOCUMENTS")
        const shippingAddress = yield* addressOf(organizationId, caseId, userId, given)
        const { shippingAddress: _, ...prescription } = given
        const createdAt = yield* DateTime.nowAsDate

        const store = Effect.gen(function* () {
          const placed = { type: "ORDER_PLACED", details: { orderId: id } } as const
          const { isArchived } = yield* cases.record(organizationId, caseId, placed)
          if (isArchived) return yield* new CaseClosed()
          yield* repo.insert(
            yield* patientKeys.of(organizationId, userId),
            {
              organizationId,
              id,
              caseId,
              externalId: id,
              pharmacyOrderId: null,
              trackingId: null,
              status: "PENDING",
              message: null,
              pharmacyName: null,
              createdAt,
              // What a drug is called, the pharmacy says when it takes the order.
              items: given.prescriptionItems.map(({ drugId, quantity }) => ({ name: drugId, quantity })),
              replacementReason: null,
              shippingLogs: [],
              estDeliveryAt: null,
              trackingUrl: null,
              carrierName: null,
              reportedAt: null
            },
            { organizationId, orderId: id, shippingAddress, prescription, documents, body: null }
          )
          yield* handOver.offer({ organizationId, caseId, orderId: id })
          return { orderId: id }
        })
        return inTransaction(sql)(store)
      })

      return NewOrders.of({
        place: Effect.fn("NewOrders.place")(function* (organizationId, caseId, body, headerKey) {
          const { idempotencyKey: key = headerKey, ...request } = body
          const { orderId } = yield* once.run(
            placing,
            { organizationId, key, body: { caseId, ...request } },
            ({ orderId }) => newOrder(organizationId, caseId, body, orderId)
          )
          return orderId
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, OrderHandOver.layer, ShippingAddresses.layer]))
}
