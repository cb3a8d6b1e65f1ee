import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { makeStandingClock, serveListener } from "@care/service-kit/testing"
import { runScheduling, schedulingControl } from "@care/stand-ins"
import { assert, layer } from "@effect/vitest"
import { Cause, Clock, Context, Effect, Exit, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ProviderSettings } from "./ProviderSettings.ts"
import { type NewMeeting, SchedulingProvider } from "./SchedulingProvider.ts"

const token = "of-the-tests"
const eventTypeId = "et_demo_30min"
const organizationId = OrganizationId.make(randomUUID())

const providerAt = Effect.fnUntraced(function* (url: string, accessToken = token, timeoutMillis = 10_000) {
  const settings = ProviderSettings.of({
    live: { api: { url, token: Redacted.make(accessToken) }, webhookSecrets: [] },
    test: { api: undefined, webhookSecrets: [] },
    webhookUrl: undefined,
    timeoutMillis
  })
  const layerOwn = Layer.fresh(SchedulingProvider.layer).pipe(Layer.provide(Layer.succeed(ProviderSettings, settings)))
  return Context.get(yield* Layer.build(layerOwn), SchedulingProvider)
})

// Each test has its own stand-in and provider, whose circuit is closed.
const runOwn = Effect.fnUntraced(function* (accessToken = token) {
  const { url } = yield* runScheduling({ port: 0, token })
  return { url, provider: yield* providerAt(url, accessToken), control: schedulingControl({ url, token }) }
})

const at = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000)

// Everything that a test books was created after this.
const askedAt = at(0)

const meetingAt = (startsAt: Date): NewMeeting => ({
  eventTypeId,
  startsAt,
  email: "maria@example.com",
  firstName: "Maria",
  lastName: "Lopez",
  timezone: "America/New_York",
  location: "zoom_conference"
})

const ready = Effect.gen(function* () {
  const own = yield* runOwn()
  const [slot] = yield* own.provider.slots(organizationId, eventTypeId, at(3), at(20))
  return { ...own, meeting: meetingAt(slot?.startTime ?? assert.fail("no slot")) }
})

const defectOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(effect), (exit) =>
    Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? Cause.squash(exit.cause) : assert.fail("it did not die")
  )

const messageOf = (defect: unknown): string => (defect instanceof Error ? defect.message : String(defect))

layer(layerAuditedDatabase("scheduling"), { excludeTestServices: true })("the scheduling provider", (it) => {
  for (const does of ["timeOutBefore", "timeOutAfter", "hangUpAfter", "failAfter"] as const) {
    it.effect(`does not know the outcome of a booking that ends in ${does}, requests it once, and can search it`, () =>
      Effect.gen(function* () {
        const { control, meeting, provider, url } = yield* ready
        // Only the booking is given up so soon: a busy machine may take longer for an answer.
        const { book } = does.startsWith("timeOut") ? yield* providerAt(url, token, 300) : provider
        yield* control.addTrouble({ method: "POST", path: "/invitees", does })
        assert.strictEqual((yield* Effect.flip(book(organizationId, meeting)))._tag, "PeerUnavailable")
        const requests = (yield* control.requests).filter(({ path }) => path === "/invitees")
        assert.strictEqual(requests.length, 1)
        assert.strictEqual(
          (yield* provider.find(organizationId, { ...meeting, askedAt })).length,
          does.endsWith("After") ? 1 : 0
        )
      })
    )
  }

  it.effect("finds a meeting that it booked by its patient, and for nobody else", () =>
    Effect.gen(function* () {
      const { meeting, provider } = yield* ready
      const id = yield* provider.book(organizationId, meeting)
      assert.deepStrictEqual(yield* provider.find(organizationId, { ...meeting, askedAt }), [[id]])
      assert.deepStrictEqual(
        yield* provider.find(organizationId, { ...meeting, askedAt, email: "somebody@example.com" }),
        []
      )
      assert.deepStrictEqual(
        yield* provider.find(organizationId, { ...meeting, askedAt, eventTypeId: "et_demo_15min" }),
        []
      )
      const shown = Option.getOrThrow(yield* provider.meeting(organizationId, id))
      assert.deepStrictEqual(shown.startsAt, meeting.startsAt)
      assert.match(shown.meetingLink ?? "", /^https:/)
      assert.isTrue(Option.isNone(yield* provider.meeting(organizationId, "of-nobody")))
      yield* provider.cancel(organizationId, id, "no reason")
      yield* provider.cancel(organizationId, id, "again")
      yield* provider.cancel(organizationId, "of-nobody", undefined)
    })
  )

  it.effect("finds a rescheduled meeting at its new time, and a canceled one after those that are not", () =>
    Effect.gen(function* () {
      const { control, meeting, provider } = yield* ready
      const find = provider.find(organizationId, { ...meeting, askedAt })
      const id = yield* provider.book(organizationId, meeting)
      const slots = yield* provider.slots(organizationId, eventTypeId, at(25), at(35))
      const [later = assert.fail("no slot"), latest = assert.fail("no slot")] = slots
      const move = (event: string, { startTime }: typeof later) =>
        Effect.map(
          control.reschedule(event, "invitee", startTime.toISOString(), "Asia/Kolkata"),
          ({ event: { uri } }) => uri.split("/").at(-1) ?? assert.fail("no id")
        )
      const second = yield* move(id, later)
      assert.deepStrictEqual(yield* find, [[id, second]])
      const third = yield* move(second, latest)
      assert.deepStrictEqual(yield* find, [[id, second, third]])
      const shown = Option.getOrThrow(yield* provider.meeting(organizationId, third))
      assert.deepInclude(shown, { startsAt: latest.startTime, timezone: "Asia/Kolkata", cancellation: null })
      assert.deepStrictEqual(
        yield* provider.find(organizationId, { ...meeting, startsAt: shown.startsAt, askedAt }),
        []
      )

      const other = yield* provider.book(organizationId, meeting)
      assert.deepStrictEqual(yield* find, [[other], [id, second, third]])
      yield* control.cancel(third, "invitee", "I feel well")
      assert.deepStrictEqual(yield* find, [[other], [id, second, third]])
      assert.deepStrictEqual(Option.getOrThrow(yield* provider.meeting(organizationId, third)).cancellation, {
        canceledBy: "Maria Lopez",
        reason: "I feel well"
      })
      // Meetings that ended before the request are not its result.
      assert.deepStrictEqual(yield* provider.find(organizationId, { ...meeting, askedAt: at(1) }), [[other]])
    })
  )

  it.effect("does not take a rescheduled meeting that is not found for a canceled one", () =>
    Effect.gen(function* () {
      const { control, meeting, provider, url } = yield* ready
      const id = yield* provider.book(organizationId, meeting)
      const [later = assert.fail("no slot")] = yield* provider.slots(organizationId, eventTypeId, at(25), at(35))
      const { event } = yield* control.reschedule(id, "invitee", later.startTime.toISOString())
      const hidden = new URL(event.uri).pathname
      const front = yield* serveListener(async ({ headers, url: path = "" }, response) => {
        const { authorization = "" } = headers
        const answer = path.startsWith(hidden)
          ? undefined
          : await fetch(`${url}${path}`, { headers: { authorization } })
        response.writeHead(answer?.status ?? 404, { "content-type": "application/json" })
        response.end((await answer?.text()) ?? "{}")
      })
      assert.lengthOf(yield* provider.find(organizationId, { ...meeting, askedAt }), 1)
      assert.deepStrictEqual(yield* (yield* providerAt(front.url)).find(organizationId, { ...meeting, askedAt }), [])
    })
  )

  it.effect("cancels no meeting that has other invitees, and finds none", () =>
    Effect.gen(function* () {
      const { control, provider } = yield* runOwn()
      const shared = "et_demo_shared_60min"
      assert.strictEqual((yield* Effect.flip(provider.eventType(organizationId, shared)))._tag, "EventTypeShared")
      const [slot = assert.fail("no slot")] = yield* provider.slots(organizationId, shared, at(3), at(20))
      const meeting = { ...meetingAt(slot.startTime), eventTypeId: shared }
      const id = yield* provider.book(organizationId, meeting)
      yield* control.takeSlot(shared, meeting.startsAt.toISOString(), "eva@example.com")
      assert.strictEqual((yield* Effect.flip(provider.cancel(organizationId, id, undefined)))._tag, "ProviderRefused")
      assert.isNull(Option.getOrThrow(yield* provider.meeting(organizationId, id)).cancellation)
      assert.deepStrictEqual(yield* provider.find(organizationId, { ...meeting, askedAt }), [])
    })
  )

  it.effect("dies, saying why, when the account may book nothing", () =>
    Effect.gen(function* () {
      const { control, meeting, provider } = yield* ready
      yield* control.haveFreePlan(true)
      const message = messageOf(yield* defectOf(provider.book(organizationId, meeting)))
      assert.include(message, "SCHEDULING_API_TOKEN book nothing (403)")
      assert.notInclude(message, meeting.email)
    })
  )

  it.effect("returns no unknown time zone", () =>
    Effect.gen(function* () {
      const { meeting, provider } = yield* ready
      const id = yield* provider.book(organizationId, { ...meeting, timezone: "+02:00" })
      assert.isNull(Option.getOrThrow(yield* provider.meeting(organizationId, id)).timezone)
    })
  )

  it.effect("refuses an event type's id that leads to another path, without a request", () =>
    Effect.gen(function* () {
      const { control, provider } = yield* ready
      yield* control.forgetRequests
      for (const id of [".", ".."]) {
        assert.strictEqual((yield* Effect.flip(provider.eventType(organizationId, id)))._tag, "EventTypeUnknown")
      }
      assert.deepStrictEqual(yield* control.requests, [])
      yield* provider.eventType(organizationId, eventTypeId)
      assert.strictEqual((yield* control.requests).length, 1)
    })
  )

  it.effect("refuses with the error of the wrong field or slot", () =>
    Effect.gen(function* () {
      const { meeting, provider } = yield* ready
      const refusalOf = (changes: Partial<NewMeeting>) =>
        Effect.map(Effect.flip(provider.book(organizationId, { ...meeting, ...changes })), ({ _tag }) => _tag)
      assert.strictEqual(yield* refusalOf({ eventTypeId: "et_of_nobody" }), "EventTypeUnknown")
      assert.strictEqual(yield* refusalOf({ startsAt: new Date(meeting.startsAt.getTime() + 60_000) }), "SlotMissing")
      assert.strictEqual(yield* refusalOf({ timezone: "Mars/Olympus" }), "ProviderRefused")
      yield* provider.book(organizationId, meeting)
      assert.strictEqual(yield* refusalOf({}), "SlotTaken")
    })
  )

  it.effect("is read again when it did not answer, and not called for a while when it stays away", () =>
    Effect.gen(function* () {
      const { control, provider } = yield* ready
      const slots = provider.slots(organizationId, eventTypeId, at(3), at(4))
      yield* control.addTrouble({ path: "/event_type_available_times", does: "hangUpBefore" })
      yield* slots
      yield* control.addTrouble({ path: "/event_type_available_times", does: "hangUpBefore", times: 100 })
      for (const _ of [1, 2, 3]) assert.match(messageOf(yield* defectOf(slots)), /scheduling provider/)
      yield* control.forgetRequests
      assert.match(messageOf(yield* defectOf(slots)), /scheduling provider did not answer/)
      assert.deepStrictEqual(yield* control.requests, [])
    }).pipe(Effect.provideService(Clock.Clock, makeStandingClock()))
  )

  it.effect("that does not answer one organization, or answers it with failures, is called for any other", () =>
    Effect.gen(function* () {
      const { control, provider } = yield* ready
      const path = "/event_types/*"
      const other = OrganizationId.make(randomUUID())
      const slots = (organizationId: OrganizationId) => provider.slots(organizationId, eventTypeId, at(3), at(4))
      const lost = defectOf(provider.eventType(organizationId, eventTypeId))
      yield* control.addTrouble({ path, does: "failBefore", times: 20 })
      yield* Effect.repeat(lost, { times: 9 })
      yield* slots(organizationId)
      yield* control.addTrouble({ path, does: "hangUpBefore", times: 100 })
      yield* Effect.repeat(lost, { times: 2 })
      assert.match(messageOf(yield* defectOf(slots(organizationId))), /did not answer/)
      yield* slots(other)
    }).pipe(Effect.provideService(Clock.Clock, makeStandingClock()))
  )

  it.effect("reports its rate limit, and when it ends", () =>
    Effect.gen(function* () {
      const { control, meeting, provider } = yield* ready
      yield* control.addTrouble({ path: "/invitees", does: "rateLimit" })
      const busy = yield* Effect.flip(provider.book(organizationId, meeting))
      assert.isTrue(busy._tag === "ProviderBusy" && busy.retryAfter > 0)
    })
  )

  it.effect("a rejected token is a defect, and is not shown", () =>
    Effect.gen(function* () {
      const { provider } = yield* runOwn("a-wrong-token")
      const message = messageOf(yield* defectOf(provider.slots(organizationId, eventTypeId, at(3), at(4))))
      assert.strictEqual(message, "The scheduling provider refused SCHEDULING_API_TOKEN")
    })
  )

  it.effect("is not called inside a transaction", () =>
    Effect.gen(function* () {
      const { control, provider } = yield* ready
      const sql = yield* SqlClient.SqlClient
      yield* control.forgetRequests
      const inside = sql.withTransaction(provider.slots(organizationId, eventTypeId, at(3), at(4)))
      assert.match(messageOf(yield* defectOf(inside)), /inside a database transaction/)
      assert.deepStrictEqual(yield* control.requests, [])
    })
  )

  it.effect("fails every operation without a request when it is not configured", () =>
    Effect.gen(function* () {
      const settings = ProviderSettings.of({
        live: { api: undefined, webhookSecrets: [] },
        test: { api: undefined, webhookSecrets: [] },
        webhookUrl: undefined,
        timeoutMillis: 200
      })
      const layerNone = Layer.fresh(SchedulingProvider.layer).pipe(
        Layer.provide(Layer.succeed(ProviderSettings, settings))
      )
      const { book, cancel, slots } = Context.get(yield* Layer.build(layerNone), SchedulingProvider)
      const assertNotConfigured = (effect: Effect.Effect<unknown, { readonly _tag: string }>) =>
        Effect.map(Effect.flip(effect), ({ _tag }) => assert.strictEqual(_tag, "ProviderNotConfigured"))
      yield* assertNotConfigured(book(organizationId, meetingAt(at(3))))
      yield* assertNotConfigured(cancel(organizationId, "id", undefined))
      yield* assertNotConfigured(slots(organizationId, eventTypeId, at(1), at(2)))
    })
  )
})
