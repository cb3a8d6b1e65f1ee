import { Care } from "@care/client"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { examples } from "../client/examples.ts"
import { textAt } from "../operations/textAt.ts"
import { makeClinic, makeSandbox, newPatient } from "./harness/fixtures.ts"
import { fixturesOf, patientsNamed } from "./harness/fixturesOf.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const secret = `whsec_${Buffer.from("a secret of an endpoint").toString("base64")}`

testsOn(Suite.layer, "the examples of the client", (it) => {
  it("run against the suite", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeClinic
    const fixtures = yield* fixturesOf(clinic, patientsNamed("Maria"))
    const care = new Care({ apiKey: clinic.key, baseUrl: urls.gateway })
    const sandbox = yield* makeSandbox(clinic)
    const careOfSandbox = new Care({ apiKey: sandbox.key, baseUrl: urls.gateway })
    const body = JSON.stringify({ type: "case.created", timestamp: new Date().toISOString(), data: { caseId: "1" } })
    const now = new Date()

    /** Makes what an example uses, by its name there. */
    const values: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
      accessToken: async () => (await fixtures.session()).accessToken,
      advanceId: async () =>
        textAt(await fixtures.send("testClock.advance", { body: { by: "PT1S" } }), "data", "advance", "id"),
      bundleId: () => fixtures.bundleId(),
      deliveryId: async () => (await fixtures.delivery()).deliveryId,
      email: () => newPatient().email,
      newEmail: () => newPatient().email,
      phoneNumber: () => newPatient().phoneNumber,
      endpointId: () => fixtures.idleEndpointId(),
      oldEndpointId: () => fixtures.newEndpointId(),
      patientEmail: async () => (await fixtures.case()).email,
      productId: () => clinic.productId,
      promoCode: () => fixtures.promoCode(),
      receiverUrl: () => `${fixtures.fileUrl}?added`,
      refreshToken: async () => (await fixtures.session()).refreshToken,
      sentEventId: async () => (await fixtures.delivery()).eventId,
      slot: () => fixtures.slot(),
      testCaseId: () => fixtures.sandboxCaseId(),
      body: () => body,
      secret: () => secret,
      headers: () => ({
        "webhook-id": "1",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign("1", now, body)
      })
    }
    /** Makes what belongs together. */
    const together: ReadonlyArray<readonly [RegExp, () => Promise<Readonly<Record<string, unknown>>>]> = [
      [/\beventId\b/, () => fixtures.calendarEvent().then(({ caseId, eventId }) => ({ caseId, eventId }))],
      [/\borderId\b/, () => fixtures.order().then(({ caseId, orderId }) => ({ caseId, orderId }))],
      [/\bescalationId\b/, () => fixtures.escalation().then(({ caseId, escalationId }) => ({ caseId, escalationId }))],
      [/\bpaymentId\b/, () => fixtures.heldPayment().then(({ caseId, paymentId }) => ({ caseId, paymentId }))],
      [/\bcaseId\b/, () => fixtures.case().then(({ caseId }) => ({ caseId }))],
      [/\bcodeEmail\b/, () => fixtures.code().then(({ code, email }) => ({ code, codeEmail: email }))],
      [
        /\bappointmentId\b/,
        () => fixtures.appointment().then(({ appointmentId, email }) => ({ appointmentId, attendeeEmail: email }))
      ],
      [/\bsetupId\b/, () => fixtures.setup().then(({ email, setupId }) => ({ attendeeEmail: email, setupId }))]
    ]

    const run = async (code: string, method: string) => {
      const words = new Set(code.replaceAll(/"[^"]*"|\.\w+|\b\w+(?=:)/g, "").match(/\b\w+\b/g) ?? [])
      const given: Record<string, unknown> = {
        care: method.startsWith("Test") ? careOfSandbox : care,
        console: { log: () => {} }
      }
      const group = together.find(([pattern]) => [...words].some((word) => pattern.test(word)))
      if (group !== undefined) Object.assign(given, await group[1]())
      for (const word of words) if (!(word in given) && word in values) given[word] = await values[word]?.()
      await new Function(...Object.keys(given), `return (async () => {\n${code}\n})()`)(...Object.values(given))
    }

    const failures: Array<string> = []
    for (const { code, method } of examples) {
      yield* Effect.promise(() =>
        run(code, method).catch((error: unknown) => failures.push(`${method}: ${error} ${JSON.stringify(error)}`))
      )
    }
    assert.isAbove(examples.length, 40)
    assert.deepStrictEqual(failures, [])
  })
})
