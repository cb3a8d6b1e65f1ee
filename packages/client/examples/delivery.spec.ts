import { expect, test } from "vitest"
import { assigned, care, newCase } from "./sandbox.ts"

const address = { addressLine1: "1 Main St", city: "Oakland", state: "CA", country: "US", postalCode: "94607" } as const

test("a case is lived to the delivery of its medication", async () => {
  const { data } = await care.cases.create(await newCase())
  const { caseId } = data
  await assigned(caseId)

  await care.testCases.simulate(caseId, { step: "START" })
  const decided = await care.testCases.simulate(caseId, { step: "APPROVE" })
  expect(decided.data.case.status).toBe("APPROVED")

  const { data: placed } = await care.cases.placeOrder(caseId, {
    order: {
      shippingAddress: address,
      diagnosis: "E66.9",
      pharmacyId: "pharmacy-1",
      prescriber: {
        firstName: "Nora",
        lastName: "Hale",
        npi: "1234567893",
        email: "nora@example.com",
        phoneNumber: "(415) 555-2672",
        address
      },
      prescriptionItems: [{ drugId: "semaglutide-0.25", quantity: "4" }]
    }
  })
  const orderId = placed.order.id
  const statusOf = async () => (await care.cases.order(caseId, orderId)).data.status
  await care.testClock.advance({ by: "P1D" })
  await care.testCases.simulate(caseId, { step: "ORDER_SHIPPED", orderId })
  expect(await statusOf()).toBe("SHIPPED")
  await care.testClock.advance({ by: "P3D" })
  await care.testCases.simulate(caseId, { step: "ORDER_DELIVERED", orderId })
  expect(await statusOf()).toBe("DELIVERED")

  const types: Array<string> = []
  for await (const event of care.events.list({ caseId })) types.push(event.type)
  expect(types.slice(0, 3)).toEqual(["case.created", "case.assigned", "case.decision.added"])
  expect(types.at(-1)).toBe("case.order.updated")
})
