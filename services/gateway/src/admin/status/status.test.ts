import { makeStandingClock } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { ask } from "../../testing/requests.ts"
import { runGateway } from "../../testing/runGateway.ts"
import { type Handle, resolveKnownKey, upstream } from "../../testing/Upstream.ts"

const away = "http://127.0.0.1:1"

const ready: Handle = (_, response) => response.writeHead(200).end("{}")

const pageOf = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/status`)
    return { response, text: await response.text() }
  })

const statesOf = (json: { readonly components: ReadonlyArray<{ readonly name: string; readonly status: string }> }) =>
  json.components.map(({ name, status }) => `${name}: ${status}`)

it.live("without a key, it says what works, and keeps that for some seconds", () =>
  Effect.gen(function* () {
    const { targets, url } = yield* runGateway({ handle: ready })
    const first = yield* ask(`${url}/status.json`)
    assert.strictEqual(first.status, 200)
    assert.strictEqual(first.json.status, "UP")
    assert.deepStrictEqual(statesOf(first.json), [
      "API keys and sign-in: UP",
      "Cases, orders and webhooks: UP",
      "Payments: UP",
      "Calendar and appointments: UP"
    ])
    const targetsBefore = targets.length
    for (let request = 0; request < 20; request += 1) yield* ask(`${url}/status.json`)
    const { response, text } = yield* pageOf(url)
    assert.strictEqual(targets.length, targetsBefore)
    assert.strictEqual(response.status, 200)
    assert.include(text, "Everything works")
    const policy = response.headers.get("content-security-policy") ?? ""
    assert.include(policy, "default-src 'none'")
    assert.notInclude(policy, "unsafe-inline")
    assert.notMatch(text, /<script|https?:\/\/| style=/)
  })
)

it.live("it answers when auth and others are away", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ handle: ready, environment: { AUTH_URL: away, PAYMENTS_URL: away } })
    const { json } = yield* ask(`${url}/status.json`)
    assert.strictEqual(json.status, "PARTLY")
    assert.include(statesOf(json), "API keys and sign-in: DOWN")
    assert.isNull(json.incidents)
    const { text } = yield* pageOf(url)
    assert.include(text, "The incidents cannot be read at the moment.")
    assert.include(text, '<span>Payments</span><strong class="DOWN">Does not work</strong>')
    assert.include(text, "Some parts do not work")
  })
)

it.live("it tells incidents of the last 90 days, with their texts escaped", () =>
  Effect.gen(function* () {
    const clock = makeStandingClock()
    const now = clock.currentTimeMillisUnsafe()
    const incident = (title: string, daysAgo: number, resolvedDaysAgo?: number) => {
      const momentAt = (days: number) => new Date(now - days * 86_400_000).toISOString()
      const createdAt = momentAt(daysAgo)
      const resolvedAt = resolvedDaysAgo === undefined ? null : momentAt(resolvedDaysAgo)
      const id = "3b241101-e2bb-4255-8caf-4136c566a962"
      return { id, title, impact: "OUTAGE", text: "It was <b>late</b>", createdAt, updatedAt: createdAt, resolvedAt }
    }
    const incidents = [
      incident("<script>alert(1)</script>", 1, 1),
      incident("Long", 95, 88),
      incident("Old", 100, 99),
      incident("Open", 120)
    ]
    const handle: Handle = (request, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(request.url === "/internal/v1/incidents" ? JSON.stringify(incidents) : "{}")
    const { url } = yield* Effect.provideService(runGateway({ handle }), Clock.Clock, clock)
    const { json } = yield* ask(`${url}/status.json`)
    assert.deepStrictEqual(
      json.incidents.map(({ title }: { readonly title: string }) => title),
      ["<script>alert(1)</script>", "Long", "Open"]
    )
    assert.strictEqual(json.status, "PARTLY", "one of them is not resolved")
    const { text } = yield* pageOf(url)
    assert.include(text, '<h1 class="PARTLY">There is an incident</h1>', "every part answers")
    assert.match(
      text,
      /<h2 class="DOWN">Open<\/h2>[\s\S]*not resolved yet[\s\S]*Payments[\s\S]*<h3 class="DOWN">Long<\/h3>/
    )
    assert.include(text, "&lt;script&gt;alert(1)&lt;/script&gt;")
    assert.notMatch(text, /<script|<b>/)
    const bars = Array.from(text.matchAll(/<i class="(\w+)" role="listitem" title="([^"]*)"><span>\2<\/span>/g))
    assert.lengthOf(bars, 90)
    const today = new Date(now).toISOString().slice(0, 10)
    assert.deepStrictEqual(bars.at(-1)?.slice(1), ["DOWN", `${today}: Open (outage)`])
    const yesterday = bars.at(-2)?.[2] ?? ""
    assert.include(yesterday, "&lt;script&gt;alert(1)&lt;/script&gt; (outage), Open (outage)")
    assert.include(text, `<summary>Days with incidents: 90</summary><ul><li>${today}: Open (outage)</li>`)
  })
)

it.live("a part that works in some cells alone works partly", () =>
  Effect.gen(function* () {
    const other = yield* upstream(resolveKnownKey, ready)
    const services = { auth: other.url, cases: away, payments: other.url, scheduling: other.url }
    const { url } = yield* runGateway({
      handle: ready,
      environment: { CELLS: JSON.stringify({ c2: { ...services, internalSecret: "secret-of-c2" } }) }
    })
    const { json } = yield* ask(`${url}/status.json`)
    assert.deepStrictEqual([json.status, statesOf(json)[1]], ["PARTLY", "Cases, orders and webhooks: PARTLY"])
  })
)

it.live("other methods are refused", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ handle: ready })
    for (const path of ["/status", "/status.json"]) {
      assert.strictEqual((yield* ask(`${url}${path}`, { method: "POST" })).status, 405)
    }
  })
)
