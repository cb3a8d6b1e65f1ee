import { expect, test } from "vitest"
import { assigned, care, newCase } from "./sandbox.ts"

test("a case is created once, however often its request is sent", async () => {
  const body = await newCase()
  const idempotencyKey = crypto.randomUUID()
  const first = await care.cases.create(body, { idempotencyKey })
  const again = await care.cases.create(body, { idempotencyKey })
  expect(again.data.caseId).toBe(first.data.caseId)
  expect((await care.cases.retrieve({ email: body.user.email })).caseDetail.id).toBe(first.data.caseId)
})

test("a case gets a provider of the care team", async () => {
  const { data } = await care.cases.create(await newCase())
  const { caseDetail } = await assigned(data.caseId)
  expect(caseDetail.assignedTo?.firstName).toBeTruthy()
})
