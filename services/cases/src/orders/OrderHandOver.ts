import { canTransition } from "@care/domain/cases"
import { CaseId, OrderId, OrganizationId, type UserId } from "@care/domain/ids"
import { runForeignCall } from "@care/foreign-calls"
import { Job } from "@care/jobs"
import { makePatientKeys } from "@care/phi"
import { Cause, Effect, Option, Schema } from "effect"
import { Activity, Cases, People } from "../case/index.ts"
import { makeAttachPrescriptions, PrescriptionFailed } from "./attachPrescriptions.ts"
import { Orders } from "./Orders.ts"
import type { OrderContents } from "./orderContents.ts"
import { Pharmacy, PharmacyFailed, takenByNobody } from "./pharmacy/Pharmacy.ts"

const Payload = Schema.Struct({ organizationId: OrganizationId, caseId: CaseId, orderId: OrderId })
type Payload = typeof Payload.Type

// What broke is told to the operator alone.
const messageOf = (failure: unknown): string =>
  failure instanceof PrescriptionFailed || failure instanceof PharmacyFailed || failure instanceof Job.GivenUp
    ? failure.reason
    : "The order could not be handed over"

const required = Effect.fromOption(() => new Error("What the order belongs to is not there"))

/**
 * Hands an order over to the pharmacy. Each step leaves what it did, so that the next try goes on from there: a file that
 * is stored is not fetched again, the pharmacy knows the order by its id, and an order that was handed over is left alone.
 * What will not succeed makes the order an ERROR, and the job is dead-lettered: when the operator repeats it, the order goes on.
 * Neither a close of the case nor an erasure of the patient ends the job, because it is who makes the order CANCELED then.
 */
export class OrderHandOver extends Job.make<OrderHandOver>()("order-hand-over", {
  version: 1,
  schema: Payload,
  retries: Job.forThreeDays,
  // A slow pharmacy keeps a place for some seconds, so no organization gets them all.
  concurrency: 4,
  perOrganization: 2
}) {
  static readonly layerWorker = OrderHandOver.worker(
    Effect.gen(function* () {
      const activity = yield* Activity
      const cases = yield* Cases
      const attachPrescriptions = yield* makeAttachPrescriptions
      const orders = yield* Orders
      const patientKeys = yield* makePatientKeys
      const people = yield* People
      const pharmacy = yield* Pharmacy

      const fail = ({ orderId, organizationId }: Payload, message: string) =>
        Effect.orDie(orders.change(organizationId, orderId, "handOver", { status: "ERROR", message }))

      const cancel = Effect.fnUntraced(function* ({ orderId, organizationId }: Payload, why: string) {
        const message = `${why} before the order was handed over`
        yield* Effect.orDie(orders.change(organizationId, orderId, "handOver", { status: "CANCELED", message }))
        return yield* new Job.JobCancelled({ reason: `${why}: the order is not handed over` })
      })

      // The order with whose it is, while it is to be handed over.
      const findWaiting = Effect.fnUntraced(function* (payload: Payload) {
        const { caseId, orderId, organizationId } = payload
        const order = yield* Effect.orDie(required(yield* orders.find(organizationId, orderId)))
        if (!canTransition("handOver", order.status, "SUBMITTED")) {
          yield* Effect.logInfo(`The order is ${order.status} already: nothing is done`)
          return Option.none()
        }
        const { isArchived, isTest, userId } = yield* Effect.orDie(required(yield* cases.find(organizationId, caseId)))
        // What still waited when the case was closed ended with it, and does not go on when the case does.
        const isOver =
          isArchived ||
          (order.status === "PENDING" &&
            (yield* activity.wasClosedSince(organizationId, caseId, { type: "ORDER_PLACED", details: { orderId } })))
        if (isOver) return yield* cancel(payload, "The case was closed")
        if (yield* patientKeys.isErased(organizationId, userId)) return yield* cancel(payload, "The patient was erased")
        return Option.some({ order, isTest, userId })
      })

      // What the pharmacy is told, as the patient is now.
      const newBody = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        userId: UserId,
        { orderId: externalId, prescription, shippingAddress }: OrderContents
      ) {
        const { email, firstName, lastName, phoneNumber } = yield* Effect.orDie(people.one(organizationId, userId))
        const patient = { firstName, lastName, email, phoneNumber }
        return JSON.stringify({ externalId, patient, shippingAddress, ...prescription })
      })

      // Under one key the pharmacy takes one body, whatever becomes of the patient's data until it answers. A body that it took at no
      // try is forgotten, so that the next try sends what is known then.
      const take = (payload: Payload, body: string, wasAsked: boolean) =>
        runForeignCall({
          wasAsked,
          begin: orders.keepBody(payload, body),
          call: (kept) => pharmacy.take(payload.orderId, kept),
          classify: ({ outcome }) => outcome,
          drop: (kept) => orders.forgetBody(payload, kept)
        })

      const handOver = Effect.fnUntraced(function* (payload: Payload) {
        const { caseId, orderId, organizationId } = payload
        const waiting = yield* findWaiting(payload)
        if (Option.isNone(waiting)) return
        const { userId } = waiting.value
        const told = yield* orders.contents(organizationId, orderId)
        yield* attachPrescriptions({ organizationId, caseId, uploadedBy: userId }, told.documents)
        const body = told.body ?? (yield* newBody(organizationId, userId, told))
        // Looked at again when all is read: files take up to a minute, and what was read after an erasure is nobody's order.
        const ready = yield* findWaiting(payload)
        if (Option.isNone(ready)) return
        const { isTest, order } = ready.value
        // Nobody is to fill, and send to somebody, what was a test.
        const { items, ...taken } = isTest ? takenByNobody : yield* take(payload, body, told.body !== null)
        const { status } = yield* Effect.orDie(
          orders.change(organizationId, orderId, "handOver", {
            ...taken,
            status: "SUBMITTED",
            items: order.items.map((item, index) => ({ ...item, ...items?.[index] }))
          })
        )
        if (status === "CANCELED") yield* Effect.logWarning("The order was canceled while the pharmacy took it")
      })

      return (payload, _id, { isLast }) =>
        handOver(payload).pipe(
          Effect.mapError((error) =>
            error instanceof Job.JobCancelled || error.isRetryable ? error : new Job.GivenUp({ reason: error.reason })
          ),
          Effect.tapCause((cause) => {
            const failure = Cause.squash(cause)
            const isEnded = failure instanceof Job.JobCancelled || Cause.hasInterruptsOnly(cause)
            const isOver = !isEnded && (isLast || failure instanceof Job.GivenUp)
            return isOver ? fail(payload, messageOf(failure)) : Effect.void
          })
        )
    })
  )
}
