import { createHmac } from "node:crypto"
import { text } from "node:stream/consumers"
import { serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { at9, at10, at930, idOf, monday, resourceOf, startScheduling } from "../../test/scheduling.ts"

const secret = "a-signing-key-of-the-tests"

const readTold = Schema.decodeUnknownSync(
  Schema.Struct({
    event: Schema.String,
    created_at: Schema.String,
    created_by: Schema.String,
    payload: Schema.Record(Schema.String, Schema.Unknown)
  })
)

/** Who is told of events, with the times in their signatures, each of which is checked. */
const listen = (answers: Array<number> = []) =>
  Effect.gen(function* () {
    const told: Array<ReturnType<typeof readTold>> = []
    const times: Array<string> = []
    const { url } = yield* serveListener(async (request, response) => {
      const body = await text(request)
      const [, time = "", given] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers["calendly-webhook-signature"])) ?? []
      if (given === createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")) {
        times.push(time)
        told.push(readTold(JSON.parse(body)))
      }
      response.writeHead(answers.shift() ?? 200).end()
    })
    return { told, times, webhook: { url, secret } }
  })

const count = (told: ReadonlyArray<unknown>, times: number) =>
  until(
    Effect.sync(() => told.length),
    (length) => length >= times
  )

it.effect("bookings and cancellations are told, signed at the time of the telling", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const { times, told, webhook } = yield* listen()
    const { book, control, get, post, url } = yield* startScheduling({ webhook })
    const invitee = resourceOf(yield* book())
    yield* count(told, 1)
    assert.deepInclude(told[0], {
      event: "invitee.created",
      created_at: "2026-06-08T12:00:00.000000Z",
      created_by: `${url}/users/usr_demo`
    })
    const { scheduled_event, ...shown } = told[0]?.payload ?? {}
    assert.deepStrictEqual(shown, invitee)
    assert.deepStrictEqual(scheduled_event, resourceOf(yield* get(String(invitee["event"]))))

    yield* TestClock.adjust("10 seconds")
    yield* post(`/scheduled_events/${idOf(invitee["event"])}/cancellation`, { reason: "ill" })
    yield* count(told, 2)
    assert.strictEqual(told[1]?.event, "invitee.canceled")
    assert.deepInclude(told[1]?.payload, { uri: invitee["uri"], status: "canceled", rescheduled: false })
    assert.deepInclude(told[1]?.payload["cancellation"], { reason: "ill", canceler_type: "host" })
    assert.deepStrictEqual(times, [String(monday / 1000), String(monday / 1000 + 10)])
    yield* until(control.waitingEvents, (waiting) => waiting.length === 0)
  }).pipe(Effect.scoped)
)

it.effect("a move is told as a cancellation that is one, and as a new booking", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const { told, webhook } = yield* listen()
    const { control } = yield* startScheduling({ webhook })
    const { event, invitee } = yield* control.takeSlot("et_demo_30min", at9, "maria@example.com")
    const moved = yield* control.reschedule(idOf(event.uri), "invitee", at930)
    yield* count(told, 3)
    const [, canceled, created] = told
    assert.strictEqual(canceled?.event, "invitee.canceled")
    assert.deepInclude(canceled?.payload, { uri: invitee.uri, rescheduled: true, new_invitee: moved.invitee.uri })
    assert.strictEqual(created?.event, "invitee.created")
    assert.deepInclude(created?.payload, { uri: moved.invitee.uri, status: "active", old_invitee: invitee.uri })
    assert.deepInclude(created?.payload["scheduled_event"], { start_time: "2026-06-08T13:30:00.000000Z" })
  }).pipe(Effect.scoped)
)

it.effect("events that are held are told in the order that is asked for, also twice", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const { told, webhook } = yield* listen()
    const { control } = yield* startScheduling({ webhook })
    yield* control.tellEvents({ isHeld: true })
    const take = (start: string) => Effect.map(control.takeSlot("et_demo_30min", start), ({ invitee }) => invitee.uri)
    const [one, two, three] = [yield* take(at9), yield* take(at930), yield* take(at10)]
    const [first = "", second = ""] = (yield* control.waitingEvents).map(({ event }) => event)
    assert.lengthOf(told, 0)
    assert.deepStrictEqual(yield* control.sendEvents([second, first, second]), [200, 200, 200])
    const uris = () => told.map(({ payload }) => payload["uri"])
    assert.deepStrictEqual(uris(), [two, one, two])
    assert.lengthOf(yield* control.waitingEvents, 1)
    yield* control.tellEvents({ copies: 2 })
    yield* count(told, 5)
    assert.deepStrictEqual(uris().slice(3), [three, three])
  }).pipe(Effect.scoped)
)

it.effect("events may be told the last one first", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const { told, webhook } = yield* listen()
    const { control } = yield* startScheduling({ webhook })
    yield* control.tellEvents({ isHeld: true })
    const { event } = yield* control.takeSlot("et_demo_30min", at9)
    yield* control.cancel(idOf(event.uri), "invitee", "I feel well")
    yield* control.tellEvents({ isReversed: true })
    yield* count(told, 2)
    assert.deepStrictEqual(
      told.map((one) => one.event),
      ["invitee.canceled", "invitee.created"]
    )
    assert.deepInclude(told[0]?.payload["cancellation"], { canceler_type: "invitee", reason: "I feel well" })
  }).pipe(Effect.scoped)
)

it.live("an event is told again until it is answered with a 2xx", () =>
  Effect.gen(function* () {
    const { told, webhook } = yield* listen([500, 302, 404])
    const { control, openTimes } = yield* startScheduling({ webhook })
    const now = Date.now()
    const { body } = yield* openTimes(
      new Date(now + 60_000).toISOString(),
      new Date(now + 7 * 86_400_000).toISOString()
    )
    const [slot = ""] = /\d{4}-[\d-]+T[\d:]+Z/.exec(JSON.stringify(body)) ?? []
    yield* control.takeSlot("et_demo_30min", slot)
    yield* count(told, 4)
    yield* until(control.waitingEvents, (waiting) => waiting.length === 0)
    assert.lengthOf(told, 4)
    assert.lengthOf(new Set(told.map(({ payload }) => payload["uri"])), 1)
  }).pipe(Effect.scoped)
)
