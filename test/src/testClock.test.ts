import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { book, bookingBody, openSlot } from "./harness/appointments.ts"
import { call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { codeSentTo, messagesTo, sendCode, verifyCode } from "./harness/signIn.ts"
import { advance, clockOf, dayMillis, newSandbox, clockPath as path } from "./harness/testClock.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

// A suite of its own: it books the first open slot of the calendar, which other files count on.
testsOn(Suite.layer, "the clock of a sandbox", (it) => {
  it("is the real one at first, moves forward, and is in each answer to a test key and in no other", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const before = yield* clockOf(sandbox.key)
    assert.strictEqual(before.status, 200)
    assert.isNull(before.json.data.advance)
    assert.closeTo(Date.parse(before.json.data.now), Date.now(), 5000)
    const moved = yield* advance(sandbox.key, { by: "P30D" })
    assert.strictEqual(moved.status, 200)
    const from = Date.parse(moved.json.data.advance.from)
    assert.strictEqual(Date.parse(moved.json.data.advance.target), from + 30 * dayMillis)
    assert.isAtLeast(Date.parse(moved.json.data.now), from + 30 * dayMillis)
    assert.strictEqual(moved.json.data.advance.state, "DONE")
    for (const answer of [
      moved,
      yield* clockOf(sandbox.key),
      yield* call("GET", "/api/v1/products", { key: sandbox.key }),
      yield* call("GET", "/api/v1/products?limit=x", { key: sandbox.key })
    ]) {
      assert.isAtLeast(Date.parse(answer.headers.get("care-clock") ?? ""), from + 30 * dayMillis)
    }
    assert.isNull((yield* call("GET", "/api/v1/products", { key: live.key })).headers.get("care-clock"))
    const { id } = moved.json.data.advance
    assert.deepStrictEqual((yield* call("GET", `${path}/advances/${id}`, { key: sandbox.key })).json, {
      status: 200,
      success: true,
      data: moved.json.data.advance
    })
    const later = new Date(from + 60 * dayMillis).toISOString()
    assert.isAtLeast(Date.parse((yield* advance(sandbox.key, { to: later })).json.data.now), Date.parse(later))
  })

  it("is refused to live keys, backwards, too far, and by malformed requests", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    for (const [method, place] of [
      ["GET", path],
      ["POST", `${path}/advance`],
      ["GET", `${path}/advances/${randomUUID()}`]
    ] as const) {
      const refused = yield* call(method, place, { key: live.key, ...(method === "POST" && { body: { by: "P1D" } }) })
      assert.deepStrictEqual(
        [refused.status, refused.json.error],
        [403, "This operation needs a test key (cv_test_...)"]
      )
    }
    const { now } = (yield* clockOf(sandbox.key)).json.data
    for (const [body, text] of [
      [{}, "by, must be given unless to is, and not with it"],
      [{ by: "P1D", to: "2999-01-01T00:00:00Z" }, "by, must be given unless to is, and not with it"],
      [{ by: "30 days" }, "by, must be a duration in ISO 8601"],
      [{ by: "P" }, "by, must move the clock forward"],
      [{ by: "-P1D" }, "by, must be a duration in ISO 8601"],
      [{ by: "PT0S" }, "by, must move the clock forward"],
      [{ to: now }, "to, must move the clock forward"],
      [{ to: "2001-01-01T00:00:00Z" }, "to, must move the clock forward"],
      [{ by: "P200Y" }, "by, must not move the clock further than 10 years ahead of the real time"],
      [{ by: "P99999Y99999M99999W99999D" }, "by, must not move the clock further than 10 years"],
      [{ to: "9999-01-01T00:00:00Z" }, "to, must not move the clock further than 10 years"]
    ] as const) {
      const refused = yield* advance(sandbox.key, body)
      assert.strictEqual(refused.status, 400, JSON.stringify(body))
      assert.include(refused.json.error, text)
    }
    assert.closeTo(Date.parse((yield* clockOf(sandbox.key)).json.data.now), Date.now(), 5000)
  })

  it("of another organization is unknown, also to the live organization of another sandbox", function* () {
    const sandbox = yield* newSandbox
    const { id } = (yield* advance(sandbox.key, { by: "PT1H" })).json.data.advance
    const other = yield* newSandbox
    for (const unknown of [id, randomUUID(), "nothing"]) {
      const { json, status } = yield* call("GET", `${path}/advances/${unknown}`, { key: other.key })
      assert.deepStrictEqual([status, json.error], [404, "Clock advance not found"])
    }
    assert.closeTo(Date.parse((yield* clockOf(other.key)).json.data.now), Date.now(), 5000)
  })

  it("is moved by one of many requests at once, and never back", function* () {
    const sandbox = yield* newSandbox
    const start = Date.parse((yield* clockOf(sandbox.key)).json.data.now)
    const answers = yield* Effect.all(
      Array.from({ length: 50 }, (_, n) => advance(sandbox.key, { by: `P${1 + (n % 5)}D` })),
      { concurrency: "unbounded" }
    )
    const won = answers.filter(({ status }) => status === 200)
    assert.isNotEmpty(won)
    for (const { json, status } of answers) {
      if (status === 200) continue
      assert.strictEqual(status, 409)
      assert.match(json.error, /^The clock already moves to \S+Z\. Try again when it is there\.$/)
    }
    const days = won.reduce(
      (sum, { json }) => sum + Date.parse(json.data.advance.target) - Date.parse(json.data.advance.from),
      0
    )
    const end = Date.parse((yield* clockOf(sandbox.key)).json.data.now)
    assert.closeTo(end - start, days, 20_000)
    const [moves] = yield* inDatabase(
      "auth",
      (sql) => sql<{ backwards: number }>`
        SELECT count(*)::int AS backwards FROM (
          SELECT begins < lag(target) OVER (ORDER BY begins) AS is_back FROM auth.clock_advances
          WHERE organization_id = ${sandbox.organizationId}
        ) AS moves WHERE is_back
      `
    )
    assert.strictEqual(moves?.backwards, 0)
  })

  it("makes one-time codes expire, and codes of others do not", function* () {
    const [sandbox, other] = [yield* newSandbox, yield* newSandbox]
    const codeOf = Effect.fnUntraced(function* (clinic: typeof sandbox) {
      const body = caseBody(clinic)
      yield* createCase(clinic, body)
      const { email } = body.user
      yield* sendCode(clinic.key, { email })
      return { email, code: yield* codeSentTo(email) }
    })
    const [mine, others] = [yield* codeOf(sandbox), yield* codeOf(other)]
    yield* advance(sandbox.key, { by: "PT1H" })
    assert.notStrictEqual((yield* verifyCode(sandbox.key, mine)).status, 200)
    assert.strictEqual((yield* verifyCode(other.key, others)).status, 200)
  })

  it("sends reminders of appointments at their time, in order, and leaves the jobs of others alone", function* () {
    const [sandbox, other] = [yield* newSandbox, yield* newSandbox]
    const booked = Effect.fnUntraced(function* (clinic: typeof sandbox, days: number) {
      const body = caseBody(clinic)
      yield* createCase(clinic, body)
      const startTime = yield* openSlot(clinic, days)
      assert.strictEqual((yield* book(clinic, bookingBody(body.user.email, startTime))).status, 200)
      return { email: body.user.email, startTime }
    })
    const [soon, later, foreign] = [yield* booked(sandbox, 4), yield* booked(sandbox, 12), yield* booked(other, 4)]
    const due = inDatabase(
      "scheduling",
      (sql) => sql<{ dueAt: Date }>`
        SELECT due_at AS "dueAt" FROM scheduling.jobs WHERE organization_id = ${other.organizationId} ORDER BY id
      `
    )
    const dueToday = inDatabase(
      "scheduling",
      (sql) => sql`
        SELECT FROM scheduling.jobs WHERE organization_id = ${other.organizationId}
          AND state IN ('pending', 'running') AND due_at < now() + interval '1 day'
      `
    )
    yield* until(dueToday, ({ length }) => length === 0)
    const before = yield* due
    const moved = yield* advance(sandbox.key, { by: "P30D" })
    assert.strictEqual(moved.status, 200)
    const reminders = (email: string) =>
      Effect.map(messagesTo(email), (all) => all.filter(({ subject }) => subject?.startsWith("Your appointment at")))
    assert.lengthOf(yield* reminders(soon.email), 1)
    assert.lengthOf(yield* reminders(later.email), 1)
    assert.lengthOf(yield* reminders(foreign.email), 0)
    assert.deepStrictEqual(yield* due, before)
    const sent = yield* inDatabase(
      "auth",
      (sql) => sql<{ createdAt: Date; receiver: string }>`
        SELECT created_at AS "createdAt", receiver FROM auth.messages
        WHERE organization_id = ${sandbox.organizationId} AND subject LIKE 'Your appointment at%' ORDER BY created_at
      `
    )
    for (const [index, { startTime }] of [soon, later].entries()) {
      const at = sent[index]?.createdAt.getTime() ?? 0
      assert.isBelow(at, Date.parse(startTime))
      assert.isAbove(at, Date.parse(startTime) - 3 * dayMillis)
    }
  })

  it("sends again what a webhook endpoint did not take, at the times that it shows", function* () {
    const sandbox = yield* newSandbox
    const receiver = yield* receiveEvents
    receiver.answer.status = 500
    const { id } = yield* addEndpoint(sandbox, { url: receiver.url, eventTypes: ["case.created"] })
    yield* advance(sandbox.key, { by: "P1D" })
    yield* createCase(sandbox, caseBody(sandbox))
    const deliveries = call("GET", `/api/v1/webhook-endpoints/${id}/deliveries`, { key: sandbox.key })
    const failed = yield* until(deliveries, ({ json }) => json.data[0]?.attempts.length === 1)
    const [delivery] = failed.json.data
    const now = Date.parse(failed.headers.get("care-clock") ?? "")
    assert.isAbove(Date.parse(delivery.nextAttemptAt), now - 1000)
    assert.strictEqual(delivery.waitsFor.until, delivery.nextAttemptAt)
    yield* advance(sandbox.key, { by: "PT1H" })
    const attempts = (yield* deliveries).json.data[0].attempts.length
    assert.isAbove(attempts, 1)
    assert.strictEqual(receiver.received.length, attempts)
    receiver.answer.status = 204
    yield* advance(sandbox.key, { by: "P2D" })
    const [delivered] = (yield* deliveries).json.data
    assert.deepInclude(delivered, { status: "DELIVERED", nextAttemptAt: null, waitsFor: null })
    assert.lengthOf(receiver.received, attempts + 1)
  })

  it("stops once for deliveries that failed together, however many they are", function* () {
    const sandbox = yield* newSandbox
    const receiver = yield* receiveEvents
    receiver.answer.status = 500
    yield* addEndpoint(sandbox, { url: receiver.url, eventTypes: ["case.created"] })
    const cases = 40
    yield* Effect.forEach(Array.from({ length: cases }), () => createCase(sandbox, caseBody(sandbox)), {
      concurrency: 8
    })
    yield* receiver.arrived(cases)
    const { json, status } = yield* advance(sandbox.key, { by: "PT3H" })
    const { id } = json.data.advance ?? json.data.progress
    assert.include([200, 202], status)
    const find = call("GET", `${path}/advances/${id}`, { key: sandbox.key })
    const ended = yield* until(find, ({ json }) => json.data.state !== "MOVING")
    assert.strictEqual(ended.json.data.state, "DONE")
    // Each is tried again after 5 seconds, 5 minutes, 30 minutes and 2 hours.
    assert.lengthOf(receiver.received, 5 * cases)
    assert.isBelow(ended.json.data.steps, cases)
  })

  it("moves again, and is reset, after a move whose job failed for the last time and could not store that", function* () {
    const [moved, resetOne] = [yield* newSandbox, yield* newSandbox]
    yield* inDatabase("auth", (sql) =>
      Effect.andThen(
        sql`
          CREATE FUNCTION auth.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'refused'; END
          $$
        `,
        sql`CREATE TRIGGER refuse_change BEFORE UPDATE ON auth.clock_advances FOR EACH ROW EXECUTE FUNCTION auth.refuse_change()`
      )
    )
    // As if it had failed seven times.
    const failLast = ({ organizationId }: typeof moved) =>
      until(
        inDatabase(
          "auth",
          (sql) => sql`
            UPDATE auth.jobs SET attempts = 7, due_at = now()
            WHERE queue_name = 'clock-advance' AND organization_id = ${organizationId} AND state = 'pending' AND attempts > 0
            RETURNING id
          `
        ),
        ({ length }) => length > 0
      )
    for (const sandbox of [moved, resetOne]) {
      const [begun] = yield* Effect.all([advance(sandbox.key, { by: "P1D" }), failLast(sandbox)], { concurrency: 2 })
      assert.strictEqual(begun.status, 202)
      const find = call("GET", begun.headers.get("location") ?? "", { key: sandbox.key })
      const ended = yield* until(find, ({ json }) => json.data.state !== "MOVING")
      assert.deepInclude(ended.json.data, { id: begun.json.data.progress.id, state: "STOPPED", steps: 0 })
      assert.isNull((yield* clockOf(sandbox.key)).json.data.advance)
    }
    const stored = inDatabase(
      "auth",
      (sql) => sql<{ state: string }>`
        SELECT state FROM auth.clock_advances WHERE organization_id = ${moved.organizationId} ORDER BY begun_at
      `
    )
    assert.deepStrictEqual(yield* stored, [{ state: "MOVING" }])
    yield* inDatabase("auth", (sql) => sql`DROP TRIGGER refuse_change ON auth.clock_advances`)
    const again = yield* advance(moved.key, { by: "P1D" })
    assert.deepStrictEqual([again.status, again.json.data.advance.state], [200, "DONE"])
    assert.deepStrictEqual(yield* stored, [{ state: "STOPPED" }, { state: "DONE" }])
    assert.strictEqual((yield* call("POST", "/api/v1/test/reset", { key: resetOne.key })).status, 200)
  })
})
