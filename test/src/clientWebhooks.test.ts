import { Care, type CareEvent, verifyWebhook, type WebhookHeaders, WebhookRefused } from "@care/client"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { makeClinic } from "./harness/fixtures.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(24, "x")).toString("base64")}`
const [secret, otherSecret] = [secretOf("one"), secretOf("two")]
const body = JSON.stringify({ type: "case.created", timestamp: "2026-01-01T00:00:00Z", data: { text: "Zoë 🙂" } })

const headersOf = ({
  at = new Date(),
  id = "event-1",
  signers = [secret]
}: {
  at?: Date
  id?: string
  signers?: ReadonlyArray<string>
} = {}) => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": signers.map((signer) => new Webhook(signer).sign(id, at, body)).join(" ")
})

const codeOf = (request: Promise<CareEvent>) =>
  Effect.promise(() =>
    request.then(
      () => assert.fail("The request was accepted"),
      (error: unknown) => (error instanceof WebhookRefused ? error.code : assert.fail(String(error)))
    )
  )

testsOn(Suite.shared, "the verification of webhooks", (it) => {
  it("accepts what a library of Standard Webhooks signed, as text or bytes, with headers of any form", function* () {
    const headers = headersOf()
    const [id, timestamp, signature] = Object.values(headers)
    const bytes = new TextEncoder().encode(body)
    const forms: ReadonlyArray<WebhookHeaders> = [
      headers,
      new Headers(headers),
      { "Webhook-Id": id, "Webhook-Timestamp": [timestamp ?? ""], "WEBHOOK-SIGNATURE": signature }
    ]
    for (const given of forms) {
      for (const raw of [body, bytes, Buffer.from(body), bytes.slice().buffer]) {
        const event = yield* Effect.promise(() => verifyWebhook(raw, given, secret))
        assert.deepStrictEqual<object>(event, { ...JSON.parse(body), id: "event-1" })
      }
    }
  })

  it("accepts each of two signatures while a secret is rotated, and each of several secrets", function* () {
    for (const mine of [secret, otherSecret]) {
      yield* Effect.promise(() => verifyWebhook(body, headersOf({ signers: [secret, otherSecret] }), mine))
    }
    yield* Effect.promise(() => verifyWebhook(body, headersOf(), [otherSecret, secret]))
    const { "webhook-signature": signature, ...rest } = headersOf()
    yield* Effect.promise(() =>
      verifyWebhook(body, { ...rest, "webhook-signature": `v1a,AAAA v1,*** ${signature}` }, secret)
    )
  })

  it("refuses another secret, another body, another id, and signatures of other versions", function* () {
    const headers = headersOf()
    const wrong = [
      () => verifyWebhook(body, headers, otherSecret),
      () => verifyWebhook(`${body} `, headers, secret),
      () => verifyWebhook(body, { ...headers, "webhook-id": "event-2" }, secret),
      () =>
        verifyWebhook(
          body,
          { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") },
          secret
        ),
      () => verifyWebhook(body, headers, [])
    ]
    for (const request of wrong) assert.strictEqual(yield* codeOf(request()), "SIGNATURE_WRONG")
  })

  it("tells a mistake of the receiver from a forgery: a body that was parsed, and a secret that is none", function* () {
    const isMistake = (request: Promise<CareEvent>) =>
      Effect.promise(() =>
        request.then(
          () => false,
          (error: unknown) => error instanceof TypeError
        )
      )
    const parsed = JSON.parse(body)
    for (const given of [parsed, undefined, null]) {
      assert.isTrue(yield* isMistake(verifyWebhook(given, headersOf(), secret)))
    }
    for (const given of ["", "whsec_", "whsec_***", [secret, ""]]) {
      assert.isTrue(yield* isMistake(verifyWebhook(body, headersOf(), given)))
    }
    yield* Effect.promise(() => verifyWebhook(body, headersOf(), `${secret}\n`))
  })

  it("takes no longer for a thousand signatures than for one that is right", function* () {
    const { "webhook-signature": signature, ...rest } = headersOf()
    const wrong = `v1,${btoa("x".repeat(32))} `.repeat(1000)
    let count = 0
    const { sign } = crypto.subtle
    const counted: typeof sign = (...parameters) => {
      count += 1
      return sign.apply(crypto.subtle, parameters)
    }
    yield* Effect.acquireUseRelease(
      Effect.sync(() => Object.assign(crypto.subtle, { sign: counted })),
      () => Effect.promise(() => verifyWebhook(body, { ...rest, "webhook-signature": wrong + signature }, secret)),
      () => Effect.sync(() => Reflect.deleteProperty(crypto.subtle, "sign"))
    )
    assert.strictEqual(count, 1)
  })

  it("refuses times more than five minutes from now, and missing headers", function* () {
    const at = (seconds: number) => headersOf({ at: new Date(Date.now() + seconds * 1000) })
    for (const seconds of [-310, 310]) {
      assert.strictEqual(yield* codeOf(verifyWebhook(body, at(seconds), secret)), "TIMESTAMP_OUTSIDE")
    }
    yield* Effect.promise(() => verifyWebhook(body, at(-290), secret))
    yield* Effect.promise(() => verifyWebhook(body, at(-310), secret, { toleranceSeconds: 600 }))
    const noTime = { ...headersOf(), "webhook-timestamp": "soon" }
    assert.strictEqual(yield* codeOf(verifyWebhook(body, noTime, secret)), "TIMESTAMP_OUTSIDE")
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      assert.strictEqual(
        yield* codeOf(verifyWebhook(body, { ...headersOf(), [name]: undefined }, secret)),
        "HEADERS_MISSING"
      )
    }
  })

  it("refuses a signed body that is no event, and says nothing of it", function* () {
    const text = "Maria"
    const now = new Date()
    const signature = new Webhook(secret).sign("1", now, text)
    const headers = { ...headersOf({ at: now, id: "1" }), "webhook-signature": signature }
    const error = yield* Effect.promise(() => verifyWebhook(text, headers, secret).catch((each: unknown) => each))
    assert.isTrue(error instanceof WebhookRefused && error.code === "BODY_INVALID" && !error.message.includes(text))
  })

  it("accepts what the suite sends, before and after a rotation with the old secret and the new one", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeClinic
    const receiver = yield* receiveEvents
    const care = new Care({ apiKey: clinic.key, baseUrl: urls.gateway })
    const { data: endpoint } = yield* Effect.promise(() =>
      care.webhookEndpoints.create({ url: receiver.url, eventTypes: ["ping"] })
    )
    const { data: sent } = yield* Effect.promise(() => care.webhookEndpoints.test(endpoint.id))
    yield* receiver.arrived(1)
    const { data: rotated } = yield* Effect.promise(() => care.webhookEndpoints.rotateSecret(endpoint.id))
    yield* Effect.promise(() => care.webhookEndpoints.test(endpoint.id))
    yield* receiver.arrived(2)
    const [first, second] = receiver.received
    if (first === undefined || second === undefined) return assert.fail("Nothing arrived")
    const event = yield* Effect.promise(() => care.webhooks.verify(first.body, first.headers, endpoint.secret))
    assert.strictEqual(event.id, sent.eventId)
    if (event.type === "ping") assert.strictEqual(event.data.endpointId, endpoint.id)
    else assert.fail(event.type)
    for (const each of [endpoint.secret, rotated.secret]) {
      yield* Effect.promise(() => care.webhooks.verify(second.body, second.headers, each))
    }
    assert.strictEqual(yield* codeOf(verifyWebhook(first.body, first.headers, rotated.secret)), "SIGNATURE_WRONG")
  })
})
