import { Buffer } from "node:buffer"
import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { makePatientKeys } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { makeSweep, type SweptPage } from "@care/service"
import { serveListener } from "@care/service-kit/testing"
import { runScheduling, schedulingControl } from "@care/stand-ins"
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeEvent } from "../../test/makeEvent.ts"
import { Appointments } from "../bookings/appointments/Appointments.ts"
import { providerAgent } from "../bookings/appointments/providerAgent.ts"
import { Bookings } from "../bookings/Bookings.ts"
import { type BookingRow, makeBookingsRepo } from "../bookings/BookingsRepo.ts"
import { ReminderSettings } from "../bookings/reminders/ReminderSettings.ts"
import { CalendarEvents } from "../calendar/calendarEvents/CalendarEvents.ts"
import type { EventRow } from "../calendar/calendarEvents/EventRow.ts"
import { ProviderApi } from "../provider/ProviderApi.ts"
import { ProviderSettings } from "../provider/ProviderSettings.ts"
import { collectionOf, resourceOf, User, WebhookSubscription } from "../provider/providerObjects.ts"
import { SchedulingProvider } from "../provider/SchedulingProvider.ts"
import { makeMeetingsSource } from "./meetingsSource.ts"
import { makeSources } from "./ReconciliationFeature.ts"

const token = "of-the-tests"
const eventTypeId = "et_demo_30min"
const webhookUrl = "http://127.0.0.1:1/webhooks/scheduling"
const key = Buffer.alloc(24, 1).toString("base64")

const Subscriptions = collectionOf(
  Schema.Struct({ ...WebhookSubscription.fields, events: Schema.Array(Schema.String) })
)

const layerBase = CalendarEvents.layer.pipe(
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("scheduling"), layerTestCipher)),
  Layer.merge(Layer.succeed(ReminderSettings, ReminderSettings.of({ before: Duration.hours(24) })))
)

layer(layerBase, { excludeTestServices: true, timeout: "60 seconds" })("a sweep of scheduling", (it) => {
  type Answer = readonly [status: number, body: unknown]

  // A proxy of the provider that changes some answers.
  const inFrontOf = (url: string, change: (path: string, answer: Answer) => Answer) =>
    serveListener(async (request, response) => {
      const path = request.url ?? ""
      const { authorization = "" } = request.headers
      const answer = await fetch(`${url}${path}`, { headers: { authorization } })
      const [status, body] = change(path, [answer.status, await answer.json()])
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    })

  // Starts a provider whose events are not received.

  const ready = Effect.fnUntraced(function* (
    changes: Partial<ProviderSettings["Service"]> = {},
    change?: (path: string, answer: Answer) => Answer
  ) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM reconciliation_cursors`
    yield* sql`DELETE FROM calendar_events`
    yield* sql`DELETE FROM provider_events`
    const { url } = yield* runScheduling({ port: 0, token, webhooks: [{ url: webhookUrl, secret: key }] })
    const providerUrl = change === undefined ? url : (yield* inFrontOf(url, change)).url
    const settings = ProviderSettings.of({
      live: { api: { url: providerUrl, token: Redacted.make(token) }, webhookSecrets: [Redacted.make(key)] },
      test: { api: undefined, webhookSecrets: [] },
      webhookUrl,
      timeoutMillis: 5000,
      ...changes
    })
    const layerOwn = Layer.mergeAll(
      Layer.fresh(Appointments.layer),
      Layer.fresh(Bookings.layer).pipe(Layer.provide(Layer.fresh(SchedulingProvider.layer))),
      Layer.fresh(SchedulingProvider.layer),
      Layer.fresh(ProviderApi.layer)
    ).pipe(Layer.provide(Layer.succeed(ProviderSettings, settings)))
    const context = yield* Layer.build(Layer.merge(layerOwn, Layer.succeed(ProviderSettings, settings)))
    const control = schedulingControl({ url, token })
    const read = <S extends Schema.Codec<unknown, unknown>>(path: string, schema: S) =>
      Effect.gen(function* () {
        const api = yield* ProviderApi
        return yield* api.read(undefined, path, {}, schema)
      }).pipe(Effect.provide(context))
    const register = (organization: string, url: string) =>
      Effect.gen(function* () {
        const subscription = { url, events: ["invitee.created"], organization, scope: "organization", signing_key: key }
        yield* (yield* ProviderApi).change(undefined, "/webhook_subscriptions", subscription, Schema.Unknown)
      }).pipe(Effect.provide(context))
    const sweep = Effect.gen(function* () {
      const run = yield* makeSweep(yield* makeSources)
      return yield* run(Duration.minutes(1))
    }).pipe(Effect.provide(context))
    const slotsOf = (from: number) =>
      Effect.gen(function* () {
        const day = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000)
        const anybody = OrganizationId.make(randomUUID())
        const slots = yield* (yield* SchedulingProvider).slots(anybody, eventTypeId, day(from), day(from + 20))
        return slots.map(({ startTime }) => startTime.toISOString())
      }).pipe(Effect.provide(context))

    type Taken = Effect.Success<ReturnType<typeof control.takeSlot>>
    const add = Effect.fnUntraced(function* ({ event }: Taken, changes: Partial<EventRow> = {}) {
      const agentEventId = event.uri.split("/").at(-1) ?? ""
      const row = makeEvent({
        agentName: providerAgent,
        agentEventId,
        startsAt: new Date(event.start_time),
        endsAt: new Date(event.end_time),
        ...changes
      })
      yield* Effect.flatMap(Appointments, (appointments) => appointments.add(row)).pipe(Effect.provide(context))
      return row
    })
    /** Makes an appointment that takes place at the provider. */
    const book = (slot: string, changes?: Partial<EventRow>) =>
      Effect.flatMap(control.takeSlot(eventTypeId, slot), (taken) => add(taken, changes))
    const stored = ({ id, organizationId }: EventRow) =>
      Effect.flatMap(CalendarEvents, (events) => Effect.map(events.find(organizationId, id), Option.getOrThrow))
    /** Makes appointments in consecutive slots, and cancels those at the indexes at the provider. */
    const bookAndCancel = Effect.fnUntraced(function* (total: number, indexes: ReadonlyArray<number>) {
      const slots = yield* slotsOf(3)
      const rows = yield* Effect.forEach(slots.slice(0, total), (slot) => book(slot))
      for (const index of indexes) yield* control.cancel(rows[index]?.agentEventId ?? "", "host")
      return rows
    })
    return { add, book, bookAndCancel, context, control, read, register, slotsOf, stored, sweep }
  })

  const countLookups = (requests: ReadonlyArray<{ readonly path: string }>) =>
    requests.filter(({ path }) => path.endsWith("/invitees")).length

  it.effect("compares live appointments with the live account, and those of sandboxes with theirs", () =>
    Effect.gen(function* () {
      const tokenOfSandboxes = "of-sandboxes"
      const { url } = yield* runScheduling({ port: 0, token: tokenOfSandboxes })
      const { add, book, control, slotsOf, stored, sweep } = yield* ready({
        test: { api: { url, token: Redacted.make(tokenOfSandboxes) }, webhookSecrets: [Redacted.make("of-sandboxes")] }
      })
      const controlOfSandboxes = schedulingControl({ url, token: tokenOfSandboxes })
      const sql = yield* SqlClient.SqlClient
      const organizationId = OrganizationId.make(randomUUID())
      yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${organizationId})`
      const [first = "", second = "", third = ""] = yield* slotsOf(3)
      const live = yield* book(first)
      const sandbox = yield* add(yield* controlOfSandboxes.takeSlot(eventTypeId, second), { organizationId })
      const moved = yield* controlOfSandboxes.takeSlot(eventTypeId, third)
      yield* add(moved, { organizationId, agentEventId: "simulated-1" })
      const swept = yield* sweep
      // Neither is missing at the account of the other, and the provider is not expected to know what only a simulation moved.
      assert.deepStrictEqual(
        swept.differences.map(({ action, source }) => [source, action]),
        [["webhook-subscription-test", "REPAIRED"]]
      )
      yield* control.cancel(live.agentEventId ?? "", "host")
      yield* controlOfSandboxes.cancel(sandbox.agentEventId ?? "", "host")
      const again = yield* sweep
      assert.deepStrictEqual(
        again.differences.map(({ action, organizationId, source }) => [source, action, organizationId]),
        [
          ["meetings", "REPAIRED", live.organizationId],
          ["meetings-test", "REPAIRED", organizationId]
        ]
      )
      assert.deepStrictEqual([(yield* stored(live)).isDeleted, (yield* stored(sandbox)).isDeleted], [true, true])
    })
  )

  it.effect("applies missed cancellations and moves, once", () =>
    Effect.gen(function* () {
      const { book, control, slotsOf, stored, sweep } = yield* ready()
      const [first = "", second = "", third = "", later = ""] = yield* slotsOf(3)
      const [active, canceled, moved] = [yield* book(first), yield* book(second), yield* book(third)]
      yield* control.cancel(canceled.agentEventId ?? "", "invitee", "ill")
      const { event } = yield* control.reschedule(moved.agentEventId ?? "", "host", later)
      const swept = yield* sweep
      assert.strictEqual(swept.state, "DONE")
      assert.sameDeepMembers(
        swept.differences.map(({ action, organizationId, source }) => [source, action, organizationId]),
        [
          ["meetings", "REPAIRED", canceled.organizationId],
          ["meetings", "REPAIRED", moved.organizationId]
        ]
      )
      assert.deepInclude(yield* stored(canceled), { status: "CANCELLED", isDeleted: true })
      assert.deepInclude(yield* stored(active), { status: "SCHEDULED", isDeleted: false })
      const now = yield* stored(moved)
      assert.deepInclude(now, { agentEventId: event.uri.split("/").at(-1) ?? "", isDeleted: false })
      assert.deepStrictEqual(now.startsAt, new Date(later))
      assert.deepStrictEqual((yield* sweep).differences, [])
    })
  )

  it.effect("keeps an appointment cancelled, and reports its meeting while that takes place", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { book, slotsOf, stored, sweep } = yield* ready()
      const [first = ""] = yield* slotsOf(3)
      const ended = yield* book(first)
      yield* sql`UPDATE calendar_events SET is_deleted = true, status = 'CANCELLED', updated_at = now() WHERE id = ${ended.id}`
      assert.deepStrictEqual((yield* sweep).differences, [])
      yield* sql`UPDATE calendar_events SET updated_at = now() - interval '2 hours' WHERE id = ${ended.id}`
      const { differences } = yield* sweep
      assert.deepStrictEqual(
        differences.map(({ action, id }) => [action, id]),
        [["REPORTED", ended.agentEventId]]
      )
      assert.deepInclude(yield* stored(ended), { isDeleted: true })
    })
  )

  it.effect("compares page by page, and reports what the provider does not know", () =>
    Effect.gen(function* () {
      const { book, control, slotsOf, sweep } = yield* ready()
      const slots = yield* slotsOf(3)
      assert.isAtLeast(slots.length, 110)
      for (const slot of slots.slice(0, 110)) yield* control.takeSlot(eventTypeId, slot)
      const unknown = yield* book(slots[110] ?? "", { agentEventId: "of-nobody" })
      const last = yield* book(slots[111] ?? "")
      yield* control.cancel(last.agentEventId ?? "", "host")
      const swept = yield* sweep
      assert.strictEqual(swept.sources.find(({ name }) => name === "meetings")?.compared, 113)
      assert.sameDeepMembers(
        swept.differences.map(({ action, id }) => [action, id]),
        [
          ["REPORTED", unknown.agentEventId],
          ["REPAIRED", last.agentEventId]
        ]
      )
      const lists = (yield* control.requests).filter(({ path }) => path === "/scheduled_events")
      assert.lengthOf(lists, 2)
    })
  )

  const hour = 3600 * 1000
  const ago = (hours: number) => new Date(Date.now() - hours * hour)

  /** Stores a booking of unknown outcome, and returns its id. */
  const addUnconfirmed = Effect.fnUntraced(function* (
    slot: string,
    email: string,
    { askedAt, state }: Pick<BookingRow, "askedAt" | "state">
  ) {
    const repo = yield* makeBookingsRepo
    const sql = yield* SqlClient.SqlClient
    const { caseId, id, organizationId, userId } = makeEvent()
    const details = { firstName: "Maria", lastName: "Lopez", timezone: "UTC", location: "zoom_conference" } as const
    const booking = {
      organizationId,
      id,
      caseId,
      userId,
      eventTypeId,
      startsAt: new Date(slot),
      asked: { email, ...details }
    }
    const key = yield* (yield* makePatientKeys).of(organizationId, userId)
    yield* repo.markAsked(key, { ...booking, state: "ASKED", firstAskedAt: askedAt, askedAt })
    yield* sql`UPDATE bookings SET state = ${state} WHERE id = ${id}`
    return id
  })

  it.effect("settles each booking of unknown outcome, MISSING or with a dead-lettered job, and no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM bookings`
      yield* sql`DELETE FROM jobs WHERE queue_name = 'booking'`
      const { control, slotsOf, sweep } = yield* ready()
      const slots = yield* slotsOf(3)
      const [missing = "", dead = "", movedFrom = "", cancelled = "", fresh = "", others = "", own = ""] = slots
      const email = "maria@example.com"
      const expected = [
        yield* addUnconfirmed(missing, email, { state: "MISSING", askedAt: ago(30) }),
        yield* addUnconfirmed(dead, email, { state: "ASKED", askedAt: ago(80) }),
        yield* addUnconfirmed(movedFrom, email, { state: "MISSING", askedAt: ago(30) })
      ]
      yield* addUnconfirmed(cancelled, email, { state: "MISSING", askedAt: ago(30) })
      yield* addUnconfirmed(fresh, email, { state: "ASKED", askedAt: ago(0) })
      yield* addUnconfirmed(others, email, { state: "MISSING", askedAt: ago(30) })
      const take = (slot: string, whose = "Maria@Example.com") => control.takeSlot(eventTypeId, slot, whose)
      const takenSlots = [yield* take(missing), yield* take(dead), yield* take(movedFrom)].map(({ event }) => event.uri)
      const idOf = (uri: string | undefined) => uri?.split("/").at(-1) ?? ""
      yield* control.reschedule(idOf(takenSlots[2]), "invitee", slots.at(-1) ?? "")
      yield* control.cancel(idOf((yield* take(cancelled)).event.uri), "invitee")
      yield* take(fresh)
      yield* take(others, "somebody@example.com")
      yield* take(own)
      yield* control.forgetRequests
      const { differences, state } = yield* sweep
      assert.strictEqual(state, "DONE")
      assert.deepStrictEqual(
        differences.map(({ action, id }) => [action, id]),
        takenSlots.map((uri) => ["REPAIRED", idOf(uri)])
      )
      const jobs = yield* sql<{ subject: string }>`
          SELECT subject FROM jobs WHERE queue_name = 'booking' AND state = 'pending'
        `
      assert.sameMembers(
        jobs.map(({ subject }) => subject),
        expected
      )
      // There is no request for a meeting without a booking.
      assert.strictEqual(countLookups(yield* control.requests), 5)
    })
  )

  it.effect("reports a moved meeting whose new one the provider does not show, and applies the others", () =>
    Effect.gen(function* () {
      let hidden = ""
      const { bookAndCancel, control, slotsOf, stored, sweep } = yield* ready({}, (path, answer) =>
        path === `/scheduled_events/${hidden}` ? [404, { title: "Resource Not Found", message: "" }] : answer
      )
      const rows = yield* bookAndCancel(3, [2])
      const [later = ""] = (yield* slotsOf(3)).slice(-1)
      const { event } = yield* control.reschedule(rows[1]?.agentEventId ?? "", "host", later)
      hidden = event.uri.split("/").at(-1) ?? ""
      const { differences, state } = yield* sweep
      assert.strictEqual(state, "DONE")
      assert.sameDeepMembers(
        differences.map(({ action, id, organizationId }) => [action, id, organizationId]),
        [
          ["REPORTED", rows[1]?.agentEventId, rows[1]?.organizationId],
          ["REPAIRED", rows[2]?.agentEventId, rows[2]?.organizationId]
        ]
      )
      // Nothing of the move is stored, so that it is applied when the provider shows it again.
      hidden = ""
      const again = yield* sweep
      assert.deepStrictEqual(
        again.differences.map(({ action, id }) => [action, id]),
        [["REPAIRED", rows[1]?.agentEventId]]
      )
      assert.deepStrictEqual((yield* stored(rows[1] ?? assert.fail())).startsAt, new Date(later))
    })
  )

  it.effect("reports a meeting in the list that cannot be read, and compares the others", () =>
    Effect.gen(function* () {
      const isList = Schema.is(Schema.Struct({ collection: Schema.Array(Schema.Struct({ uri: Schema.String })) }))
      const { bookAndCancel, sweep } = yield* ready({}, (path, [status, body]) => {
        if (!path.startsWith("/scheduled_events?") || !isList(body)) return [status, body]
        const collection = body.collection.map((row, index) => (index === 1 ? { ...row, start_time: "soon" } : row))
        return [status, { ...body, collection }]
      })
      const rows = yield* bookAndCancel(3, [1, 2])
      const { differences, state } = yield* sweep
      assert.strictEqual(state, "DONE")
      assert.deepInclude(differences[0], { action: "REPORTED", organizationId: null })
      assert.include(differences[0]?.id, rows[1]?.agentEventId ?? "an id")
      // Its appointment is compared by the provider's single meeting.
      assert.sameDeepMembers(
        differences.slice(1).map(({ action, id }) => [action, id]),
        [
          ["REPAIRED", rows[2]?.agentEventId],
          ["REPAIRED", rows[1]?.agentEventId]
        ]
      )
    })
  )

  for (const does of ["rateLimit", "hangUpBefore", "failBefore"] as const) {
    it.effect(`continues where a page ended early (${does}), and compares no meeting twice`, () =>
      Effect.gen(function* () {
        const { bookAndCancel, control, sweep } = yield* ready()
        const rows = yield* bookAndCancel(4, [0, 1, 2, 3])
        yield* control.forgetRequests
        const third = `/scheduled_events/${rows[2]?.agentEventId}/invitees`
        // A read without an answer is retried once.
        yield* control.addTrouble({ path: third, does, times: does === "rateLimit" ? 1 : 2 })
        const { differences, sources, state } = yield* sweep
        assert.strictEqual(state, "DONE")
        assert.deepStrictEqual(
          differences.map(({ action, id }) => [action, id]),
          rows.map(({ agentEventId }) => ["REPAIRED", agentEventId])
        )
        assert.strictEqual(sources.find(({ name }) => name === "meetings")?.compared, 4)
        const requests = yield* control.requests
        assert.strictEqual(countLookups(requests), does === "rateLimit" ? 5 : 6)
        assert.lengthOf(
          requests.filter(({ path }) => path === "/scheduled_events"),
          2
        )
      })
    )
  }

  it.effect("skips a meeting that the provider never shows, and reports it", () =>
    Effect.gen(function* () {
      const { bookAndCancel, control, sweep } = yield* ready()
      const rows = yield* bookAndCancel(4, [0, 1, 2])
      for (const index of [0, 1]) {
        const path = `/scheduled_events/${rows[index]?.agentEventId}/invitees`
        yield* control.addTrouble({ path, does: "failBefore", times: 1000 })
      }
      const { differences, state } = yield* sweep
      assert.strictEqual(state, "DONE")
      assert.deepStrictEqual(
        differences.map(({ action, id }) => [action, id]),
        [
          ["REPORTED", rows[0]?.agentEventId],
          ["REPORTED", rows[1]?.agentEventId],
          ["REPAIRED", rows[2]?.agentEventId]
        ]
      )
    })
  )

  it.effect("ends a page when its time is over, and continues with the next one", () =>
    Effect.gen(function* () {
      const { bookAndCancel, context, stored } = yield* ready()
      const rows = yield* bookAndCancel(3, [0, 1, 2])
      const clock = yield* Clock.Clock
      let late = 0
      // Each comparison takes a second.
      const hurried: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillis: Effect.sync(() => {
          late += 1000
          return clock.currentTimeMillisUnsafe() + late
        })
      })
      const { page } = yield* Effect.provide(makeMeetingsSource, context)
      const pages: Array<SweptPage> = []
      while (pages.at(-1)?.isLast !== true) {
        pages.push(yield* page(pages.at(-1)?.cursor).pipe(Effect.provideService(Clock.Clock, hurried)))
      }
      assert.isAbove(pages.length, 1)
      assert.deepStrictEqual(
        pages.flatMap(({ differences }) => differences.map(({ id }) => id)),
        rows.map(({ agentEventId }) => agentEventId)
      )
      for (const row of rows) assert.isTrue((yield* stored(row)).isDeleted)
    })
  )

  it.effect("keeps its position when the provider limits its rate", () =>
    Effect.gen(function* () {
      const { bookAndCancel, control, sweep } = yield* ready()
      const [row] = yield* bookAndCancel(1, [0])
      yield* control.addTrouble({ path: "/scheduled_events/*/invitees", does: "rateLimit" })
      assert.strictEqual((yield* sweep).state, "FAILED")
      assert.deepStrictEqual(
        (yield* sweep).differences.map(({ action, id }) => [action, id]),
        [["REPAIRED", row?.agentEventId]]
      )
    })
  )

  it.effect("replaces a disabled subscription, with its secret, and leaves an active one", () =>
    Effect.gen(function* () {
      const { control, read, sweep } = yield* ready()
      const { resource } = yield* read("/users/me", resourceOf(User))
      const subscriptions = Effect.map(
        read(`/webhook_subscriptions?organization=${resource.current_organization}&scope=organization`, Subscriptions),
        ({ collection }) => collection
      )
      assert.deepStrictEqual((yield* sweep).differences, [])
      yield* control.disableSubscriptions
      const [disabled] = yield* subscriptions
      assert.strictEqual(disabled?.state, "disabled")
      const { differences } = yield* sweep
      assert.deepStrictEqual(
        differences.map(({ action, source }) => [source, action]),
        [["webhook-subscription", "REPAIRED"]]
      )
      const [replacement, ...others] = yield* subscriptions
      assert.deepStrictEqual(others, [])
      assert.deepInclude(replacement, { state: "active", callback_url: webhookUrl })
      assert.sameMembers([...(replacement?.events ?? [])], ["invitee.created", "invitee.canceled"])
      const registered = (yield* control.requests).filter(
        ({ method, path }) => `${method} ${path}` === "POST /webhook_subscriptions"
      )
      assert.lengthOf(registered, 1)
      assert.deepStrictEqual((yield* sweep).differences, [])
    })
  )

  it.effect("finds its subscription behind a page of others", () =>
    Effect.gen(function* () {
      const url = "http://127.0.0.1:1/webhooks/last"
      const { read, register, sweep } = yield* ready({ webhookUrl: url })
      const { resource } = yield* read("/users/me", resourceOf(User))
      for (let number = 1; number <= 100; number++) yield* register(resource.current_organization, `${url}/${number}`)
      yield* register(resource.current_organization, url)
      assert.deepStrictEqual((yield* sweep).differences, [])
    })
  )

  it.effect("reports a subscription that the provider refuses, and a disabled one without a public URL", () =>
    Effect.gen(function* () {
      const paying = yield* ready()
      yield* paying.control.haveFreePlan(true)
      yield* paying.control.disableSubscriptions
      const refused = yield* paying.sweep
      assert.deepStrictEqual(
        refused.differences.map(({ action, source }) => [source, action]),
        [["webhook-subscription", "REPORTED"]]
      )
      const { control, sweep } = yield* ready({ webhookUrl: undefined })
      yield* control.disableSubscriptions
      const { differences } = yield* sweep
      assert.deepStrictEqual(
        differences.map(({ action, source }) => [source, action]),
        [["webhook-subscription", "REPORTED"]]
      )
      assert.include(differences[0]?.what, "PUBLIC_URL")
    })
  )

  it.effect("compares nothing without a provider", () =>
    Effect.gen(function* () {
      const { sweep } = yield* ready({ live: { api: undefined, webhookSecrets: [] } })
      const { differences, state } = yield* sweep
      assert.deepStrictEqual([state, differences], ["DONE", []])
    })
  )
})
