import { randomUUID } from "node:crypto"
import { CaseClosed, CaseForbidden, type CaseNotFound, type PlaceOrder } from "@care/domain/cases"
import { type IdempotencyConflict, knownAddress, RequestInvalid } from "@care/domain/http"
import { type CaseId, DocumentId, OrderId, type OrganizationId, type UserId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/once"
import { makePatientKeys } from "@care/phi"
import { Egress, inTransaction, Quotas, requireRoom, Time } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../case/index.ts"
import { OrderHandOver } from "./OrderHandOver.ts"
import { makeOrdersRepo } from "./OrdersRepo.ts"
import type { PrescriptionFile } from "./orderContents.ts"
import { ShippingAddresses } from "./shipping/ShippingAddresses.ts"

type Refusal = RequestInvalid | CaseNotFound | CaseForbidden | CaseClosed | IdempotencyConflict

const placement = onceOperation({
  name: "placeOrder",
  version: 1,
  ids: { orderId: OrderId },
  lastingIds: ["orderId"],
  answer: Schema.Struct({ orderId: OrderId })
})

type OrderInput = PlaceOrder["order"]

/** Accepts new orders. */
export class NewOrders extends Context.Service<
  NewOrders,
  {
    /**
     * Accepts an order, which a job hands over, or returns the order that the same idempotency key placed before. The body's key wins
     * over the header's.
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

      const requireOpenCase = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
        const caseState = yield* cases.find(organizationId, caseId)
        if (Option.isNone(caseState)) {
          yield* cases.organizationOf(caseId)
          return yield* new CaseForbidden({ caseId })
        }
        return caseState.value.isArchived ? yield* new CaseClosed() : caseState.value
      })

      const filesOf = ({ prescriptionItems }: OrderInput) =>
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
        { shippingAddress }: OrderInput
      ) {
        const address = knownAddress(shippingAddress) ?? (yield* addresses.of(organizationId, caseId, userId))
        if (address !== null) return address
        return yield* RequestInvalid.inPayload("order.shippingAddress", "Required: no address of the patient is known")
      })

      const prepareOrder = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        { order: input }: PlaceOrder,
        id: OrderId
      ) {
        const { userId } = yield* requireOpenCase(organizationId, caseId)
        const documents = yield* filesOf(input)
        if (documents.length > 0) yield* requireRoom(quotas, organizationId, "DOCUMENTS")
        const shippingAddress = yield* addressOf(organizationId, caseId, userId, input)
        const { shippingAddress: _, ...prescription } = input
        const createdAt = yield* Time.nowAsDate

        const store = Effect.gen(function* () {
          const activity = { type: "ORDER_PLACED", details: { orderId: id } } as const
          const { isArchived } = yield* cases.record(organizationId, caseId, activity)
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
              // The pharmacy returns the names of the drugs when it takes the order.
              items: input.prescriptionItems.map(({ drugId, quantity }) => ({ name: drugId, quantity })),
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
            placement,
            { organizationId, key, body: { caseId, ...request } },
            ({ orderId }) => prepareOrder(organizationId, caseId, body, orderId),
            { isUsed: ({ orderId }) => Effect.map(repo.find(organizationId, orderId), Option.isSome) }
          )
          return orderId
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, OrderHandOver.layer, ShippingAddresses.layer]))
}
