import { createHmac } from "node:crypto"
import { text } from "node:stream/consumers"
import { serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { at9, at930, idOf, monday, resourceIn, startScheduling } from "../../test/scheduling.ts"

const secret = "a-signing-key-of-the-tests"

const readEvent = Schema.decodeUnknownSync(
  Schema.Struct({
    event: Schema.String,
    created_at: Schema.String,
    created_by: Schema.String,
    payload: Schema.Record(Schema.String, Schema.Unknown)
  })
)

/** Starts a receiver of events. Returns the times in their signatures, each of which is verified. */
const listen = (answers: Array<number> = []) =>
  Effect.gen(function* () {
    const events: Array<ReturnType<typeof readEvent>> = []
    const times: Array<string> = []
    const { url } = yield* serveListener(async (request, response) => {
      const body = await text(request)
      const [, time = "", signature] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers["calendly-webhook-signature"])) ?? []
      if (signature === createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")) {
        times.push(time)
        events.push(readEvent(JSON.parse(body)))
      }
      response.writeHead(answers.shift() ?? 200).end()
    })
    return { events, times, webhook: { url, secret } }
  })

const count = (events: ReadonlyArray<unknown>, times: number) =>
  until(
    Effect.sync(() => events.length),
    (length) => length >= times
  )

it.effect("bookings and cancellations are delivered, signed at the time of delivery", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const { times, events, webhook } = yield* listen()
    const { book, control, get, post, url } = yield* startScheduling({ webhooks: [webhook] })
    const invitee = resourceIn(yield* book())
    yield* count(events, 1)
    assert.deepInclude(events[0], {
      event: "invitee.created",
      created_at: "2026-06-08T12:00:00.000000Z",
      created_by: `${url}/users/usr_demo`
    })
    const { scheduled_event, ...shown } = events[0]?.payload ?? {}
    assert.deepStrictEqual(shown, invitee)
    assert.deepStrictEqual(scheduled_event, resourceIn(yield* get(String(invitee["event"]))))

    yield* TestClock.adjust("10 seconds")
    yield* post(`/scheduled_events/${idOf(invitee["event"])}/cancellation`, { reason: "ill" })
    yield* count(events, 2)
    assert.strictEqual(events[1]?.event, "invitee.canceled")
    assert.deepInclude(events[1]?.payload, { uri: invitee["uri"], status: "canceled", rescheduled: false })
    assert.deepInclude(events[1]?.payload["cancellation"], { reason: "ill", canceler_type: "host" })
    assert.deepStrictEqual(times, [String(monday / 1000), String(monday / 1000 + 10)])
    yield* until(control.pendingDeliveries, (waiting) => waiting.length === 0)
  }).pipe(Effect.scoped)
)

it.effect("a reschedule is delivered as a cancellation that says so, and as a new booking", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const { events, webhook } = yield* listen()
    const { control } = yield* startScheduling({ webhooks: [webhook] })
    const { event, invitee } = yield* control.takeSlot("et_demo_30min", at9, "maria@example.com")
    const moved = yield* control.reschedule(idOf(event.uri), "invitee", at930)
    yield* count(events, 3)
    const [, canceled, created] = events
    assert.strictEqual(canceled?.event, "invitee.canceled")
    assert.deepInclude(canceled?.payload, { uri: invitee.uri, rescheduled: true, new_invitee: moved.invitee.uri })
    assert.strictEqual(created?.event, "invitee.created")
    assert.deepInclude(created?.payload, { uri: moved.invitee.uri, status: "active", old_invitee: invitee.uri })
    assert.deepInclude(created?.payload["scheduled_event"], { start_time: "2026-06-08T13:30:00.000000Z" })
  }).pipe(Effect.scoped)
)
