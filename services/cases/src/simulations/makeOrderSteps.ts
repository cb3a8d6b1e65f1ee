import type { Order, OrderStep, PharmacyUpdate } from "@care/domain/cases"
import { callers, RequestInvalid, StepRefused } from "@care/domain/http"
import { OrderId } from "@care/domain/ids"
import { CurrentIdentity } from "@care/service-kit"
import { DateTime, Effect, Struct } from "effect"
import { OrderChanges } from "../orders/index.ts"
import type { StepOf } from "./makeCareTeamSteps.ts"
import { fitsOrder, reportedStatuses } from "./possibleSteps.ts"

const updateOf = (step: OrderStep, externalId: OrderId, timestamp: Date): PharmacyUpdate => {
  const status = reportedStatuses[step.step]
  return {
    type: "order.updated",
    timestamp,
    data: { externalId, ...(status !== undefined && { status }), ...Struct.omit(step, ["step", "orderId"]) }
  }
}

/** Makes the function that applies what the pharmacy would report of an order of a case. It only uses the database. */
export const makeOrderSteps = Effect.gen(function* () {
  const changes = yield* OrderChanges

  const targetOf = ({ orderId, step }: OrderStep, orders: ReadonlyArray<Pick<Order, "id" | "status">>) => {
    const named = orders.filter(({ id }) => orderId === undefined || id === orderId)
    return named.find(({ status }) => fitsOrder(step, status)) ?? named[0]
  }

  return Effect.fnUntraced(
    function* ({ id, step }: StepOf<OrderStep>, orders: ReadonlyArray<Pick<Order, "id" | "status">>) {
      const target = targetOf(step, orders)
      if (target === undefined) return yield* RequestInvalid.inPayload("orderId", "must be an order of the case")
      if (!fitsOrder(step.step, target.status)) return yield* new StepRefused()
      const update = updateOf(step, OrderId.make(target.id), yield* DateTime.nowAsDate)
      yield* Effect.orDie(changes.byPharmacy(`simulated-${id}`, update))
    },
    Effect.provideService(CurrentIdentity, { _tag: callers.pharmacy.kind })
  )
})
