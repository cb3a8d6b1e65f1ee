import { CareError } from "@care/client"
import { expect, test } from "vitest"
import { care, newCase } from "./sandbox.ts"

const refusalOf = async (request: Promise<unknown>): Promise<CareError> => {
  const error = await request.then(
    () => new Error("The request was accepted"),
    (reason: unknown) => reason
  )
  if (error instanceof CareError) return error
  throw error
}

test("an invalid field is named", async () => {
  const body = await newCase()
  const error = await refusalOf(care.cases.create({ ...body, user: { ...body.user, email: "not an email" } }))
  expect(error.status).toBe(400)
  expect(error.message).toContain("user.email")
  expect(error.isRetryable).toBe(false)
  expect(error.requestId).toBeTruthy()
})

test("a patient has one active case", async () => {
  const body = await newCase()
  await care.cases.create(body)
  expect((await refusalOf(care.cases.create(body))).status).toBe(409)
  await care.cases.create({ ...body, forceCreate: true })
})

test("a key of an earlier request refuses another body", async () => {
  const idempotencyKey = crypto.randomUUID()
  await care.cases.create(await newCase(), { idempotencyKey })
  const error = await refusalOf(care.cases.create(await newCase(), { idempotencyKey }))
  expect([error.status, error.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
})
