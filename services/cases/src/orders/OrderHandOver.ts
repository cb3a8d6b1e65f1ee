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
import { noReceipt, Pharmacy, PharmacyFailed } from "./pharmacy/Pharmacy.ts"

const Payload = Schema.Struct({ organizationId: OrganizationId, caseId: CaseId, orderId: OrderId })
type Payload = typeof Payload.Type

// The messages of other errors are for the operator alone.
const messageOf = (failure: unknown): string =>
  failure instanceof PrescriptionFailed || failure instanceof PharmacyFailed || failure instanceof Job.GivenUp
    ? failure.reason
    : "The order could not be handed over"

const requireFound = Effect.fromOption(() => new Error("The order or its case does not exist"))

/**
 * Hands an order over to the pharmacy. Each attempt continues where the last one ended: a stored file is not downloaded again, the
 * pharmacy knows the order by its id, and an order that was handed over is left alone. A final failure makes the order an ERROR and
 * dead-letters the job; the order goes on when the operator repeats the job. The job is not cancelled with its case or its patient,
 * because it makes the order CANCELED itself.
 */
export class OrderHandOver extends Job.make<OrderHandOver>()("order-hand-over", {
  version: 1,
  schema: Payload,
  retries: Job.forThreeDays,
  // A slow pharmacy occupies a slot for some seconds, so no organization gets all slots.
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

      const cancel = Effect.fnUntraced(function* ({ orderId, organizationId }: Payload, cause: string) {
        const message = `${cause} before the order was handed over`
        yield* Effect.orDie(orders.change(organizationId, orderId, "handOver", { status: "CANCELED", message }))
        return yield* new Job.JobCancelled({ reason: `${cause}: the order is not handed over` })
      })

      // Returns the order and its patient, or none if it was handed over. Cancels the order of a closed case or an erased patient.
      const findWaiting = Effect.fnUntraced(function* (payload: Payload) {
        const { caseId, orderId, organizationId } = payload
        const order = yield* Effect.orDie(requireFound(yield* orders.find(organizationId, orderId)))
        if (!canTransition("handOver", order.status, "SUBMITTED")) {
          yield* Effect.logInfo(`The order is ${order.status} already: nothing is done`)
          return Option.none()
        }
        const { isArchived, isTest, userId } = yield* Effect.orDie(
          requireFound(yield* cases.find(organizationId, caseId))
        )
        // An order that was pending when the case was closed is cancelled, also when the case was reopened since.
        const isOver =
          isArchived ||
          (order.status === "PENDING" &&
            (yield* activity.wasClosedSince(organizationId, caseId, { type: "ORDER_PLACED", details: { orderId } })))
        if (isOver) return yield* cancel(payload, "The case was closed")
        if (yield* patientKeys.isErased(organizationId, userId)) return yield* cancel(payload, "The patient was erased")
        return Option.some({ order, isTest, userId })
      })

      // Returns the body for the pharmacy, with the patient's current data.
      const newBody = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        userId: UserId,
        { orderId: externalId, prescription, shippingAddress }: OrderContents
      ) {
        const { email, firstName, lastName, phoneNumber } = yield* Effect.orDie(people.summary(organizationId, userId))
        const patient = { firstName, lastName, email, phoneNumber }
        return JSON.stringify({ externalId, patient, shippingAddress, ...prescription })
      })

      // The pharmacy takes one body for an idempotency key, so the first body is stored and repeated, also when the patient's data
      // changes. A body that the pharmacy certainly did not take is removed, so that the next attempt sends current data.
      const take = (payload: Payload, body: string, isRepetition: boolean) =>
        runForeignCall({
          isRepetition,
          begin: orders.keepBody(payload, body),
          call: (stored) => pharmacy.take(payload.organizationId, payload.orderId, stored),
          classify: ({ outcome }) => outcome,
          discard: (stored) => orders.forgetBody(payload, stored)
        })

      const handOver = Effect.fnUntraced(function* (payload: Payload) {
        const { caseId, orderId, organizationId } = payload
        const waiting = yield* findWaiting(payload)
        if (Option.isNone(waiting)) return
        const { userId } = waiting.value
        const contents = yield* orders.contents(organizationId, orderId)
        yield* attachPrescriptions({ organizationId, caseId, uploadedBy: userId }, contents.documents)
        const body = contents.body ?? (yield* newBody(organizationId, userId, contents))
        // Checked again when all is read: files take up to a minute, and what was read after an erasure is placeholders.
        const ready = yield* findWaiting(payload)
        if (Option.isNone(ready)) return
        const { isTest, order } = ready.value
        // The pharmacy gets no test orders.
        const { items, ...receipt } = isTest ? noReceipt : yield* take(payload, body, contents.body !== null)
        const { status } = yield* Effect.orDie(
          orders.change(organizationId, orderId, "handOver", {
            ...receipt,
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
            const isCancelled = failure instanceof Job.JobCancelled || Cause.hasInterruptsOnly(cause)
            const isOver = !isCancelled && (isLast || failure instanceof Job.GivenUp)
            return isOver ? fail(payload, messageOf(failure)) : Effect.void
          })
        )
    })
  )
}
