import { CaseId, OrganizationId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import type { OrderRow } from "./OrdersRepo.ts"
import { orderAfter } from "./orderAfter.ts"

const id = "3b241101-e2bb-4255-8caf-4136c566a962"
const day = (number: number) => new Date(Date.UTC(2026, 2, number))
const log = (number: number) => ({ statusUpdatedAt: day(number), location: null, message: null, status: null })

const order: OrderRow = {
  organizationId: OrganizationId.make(id),
  id,
  caseId: CaseId.make(id),
  externalId: id,
  pharmacyOrderId: null,
  pharmacyName: null,
  trackingId: "kept",
  trackingUrl: null,
  carrierName: null,
  estDeliveryAt: null,
  status: "SHIPPED",
  message: null,
  replacementReason: null,
  items: [{ name: "Semaglutide", quantity: "4" }],
  shippingLogs: [log(2)],
  createdAt: day(1),
  reportedAt: day(3)
}

describe("an order after an update", () => {
  it("has the reported facts, and keeps the others", () => {
    const after = orderAfter(order, "pharmacy", { status: "DELIVERED", carrierName: "UPS", reportedAt: day(4) })
    assert.deepStrictEqual(after, {
      isMoved: true,
      order: { ...order, status: "DELIVERED", carrierName: "UPS", reportedAt: day(4) }
    })
  })

  it("is not moved by a late update, which only fills in missing facts", () => {
    const old = { trackingId: "other", carrierName: "UPS", message: "Out of stock", shippingLog: log(1) }
    const filled = { ...order, carrierName: "UPS", shippingLogs: [log(1), log(2)] }
    assert.deepStrictEqual(
      orderAfter(order, "pharmacy", { ...old, status: "DELIVERED", reportedAt: day(1) }).order,
      filled
    )
    const behind = orderAfter(order, "pharmacy", { ...old, status: "SUBMITTED", reportedAt: day(4) })
    assert.deepStrictEqual(behind, { isMoved: false, order: filled })
  })

  it("loses the message of its failure when it goes on", () => {
    const failed: OrderRow = { ...order, status: "ERROR", message: "Refused" }
    assert.isNull(orderAfter(failed, "handOver", { status: "SUBMITTED" }).order.message)
    assert.strictEqual(orderAfter(failed, "backOffice", { carrierName: "UPS" }).order.message, "Refused")
  })
})
