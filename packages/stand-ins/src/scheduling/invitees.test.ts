import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at9, at10, at930, booking, collectionIn, idOf, resourceIn, schedulingTest } from "../../test/scheduling.ts"

const tracking = {
  utm_campaign: "spring",
  utm_source: null,
  utm_medium: null,
  utm_content: null,
  utm_term: null,
  salesforce_uuid: null
}

schedulingTest("a booking of a slot creates a scheduled event", function* ({ book, get, url }) {
  const answer = yield* book({ tracking })
  assert.strictEqual(answer.status, 201)
  const invitee = resourceIn(answer)
  assert.match(String(invitee["uri"]), new RegExp(`^${url}/scheduled_events/[\\w-]{36}/invitees/[\\w-]{36}$`))
  assert.strictEqual(String(invitee["uri"]).split("/invitees/")[0], invitee["event"])
  assert.deepInclude(invitee, {
    email: "maria@example.com",
    name: "Maria Lopez",
    first_name: null,
    last_name: null,
    status: "active",
    timezone: "America/New_York",
    rescheduled: false,
    old_invitee: null,
    new_invitee: null,
    created_at: "2026-06-08T12:00:00.000000Z"
  })
  assert.deepStrictEqual(invitee["tracking"], tracking)
  assert.match(String(invitee["cancel_url"]), /^https:\/\/.+\/cancellations\//)
  assert.match(String(invitee["reschedule_url"]), /^https:\/\/.+\/reschedulings\//)
  assert.deepStrictEqual(resourceIn(yield* get(String(invitee["uri"]))), invitee)

  const event = resourceIn(yield* get(String(invitee["event"])))
  assert.deepInclude(event, {
    uri: invitee["event"],
    name: "30 Minute Consultation",
    status: "active",
    event_type: `${url}/event_types/et_demo_30min`,
    start_time: "2026-06-08T13:00:00.000000Z",
    end_time: "2026-06-08T13:30:00.000000Z"
  })
  assert.deepInclude(event["event_memberships"], {
    user: `${url}/users/usr_demo`,
    user_email: "jane.rivera@clinic.example.com",
    user_name: "Dr. Jane Rivera"
  })
})

const kinds: ReadonlyArray<readonly [kind: string, type: string]> = [
  ["google_conference", "google_conference"],
  ["zoom_conference", "zoom"],
  ["gotomeeting_conference", "gotomeeting"],
  ["microsoft_teams_conference", "microsoft_teams_conference"],
  ["webex_conference", "webex_conference"]
]

for (const [kind, type] of kinds) {
  schedulingTest(`a ${kind} has a link to join it`, function* ({ book, get }) {
    const invitee = resourceIn(yield* book({ location: { kind } }))
    const { location } = resourceIn(yield* get(String(invitee["event"])))
    assert.deepInclude(location, { type, status: "pushed" })
    assert.match(JSON.stringify(location), /"join_url":"https:\/\/[a-z-]+\.example\.com\/j\/[\w-]{36}"/)
  })
}

schedulingTest("a conference that is still being made has no link yet", function* ({ book, control, get }) {
  yield* control.haveLinksLate(true)
  const { event } = resourceIn(yield* book())
  assert.deepInclude(resourceIn(yield* get(String(event)))["location"], { status: "processing", join_url: null })
  yield* control.haveLinksLate(false)
  assert.deepInclude(resourceIn(yield* get(String(event)))["location"], { status: "pushed" })
})

schedulingTest("a name may be given in parts, and a start time with fractions of a second", function* ({ book }) {
  const invitee = { email: "ana@example.com", first_name: "Ana", last_name: "Diaz", timezone: "Asia/Kolkata" }
  const answer = yield* book({ invitee, start_time: "2026-06-08T13:00:00.000000Z" })
  assert.deepInclude(resourceIn(answer), { name: "Ana Diaz", first_name: "Ana", last_name: "Diaz" })
  const { last_name, ...first } = invitee
  assert.strictEqual(resourceIn(yield* book({ invitee: first, start_time: at930 }))["name"], "Ana")
})

const maria = { email: "maria@example.com", name: "Maria", timezone: "America/New_York" }
const { utm_term, ...fiveMembers } = tracking

const wrong: ReadonlyArray<readonly [parameter: string, more: Readonly<Record<string, unknown>>]> = [
  ["event_type", { event_type: undefined }],
  ["event_type", { event_type: "et_demo_30min" }],
  ["event_type", { event_type: "http://127.0.0.1/event_types/et_demo_retired" }],
  ["start_time", { start_time: undefined }],
  ["start_time", { start_time: 1_780_000_000 }],
  ["start_time", { start_time: "2026-06-08T13:00:00" }],
  ["start_time", { start_time: "2026-06-08T09:00:00-04:00" }],
  ["start_time", { start_time: "2026-06-08T13:00:01Z" }],
  ["start_time", { start_time: "2026-06-08T13:15:00Z" }],
  ["start_time", { start_time: "2026-06-06T13:00:00Z" }],
  ["start_time", { start_time: "2026-06-05T13:00:00Z" }],
  ["invitee", { invitee: undefined }],
  ["invitee.email", { invitee: { ...maria, email: "maria" } }],
  ["invitee.timezone", { invitee: { ...maria, timezone: "Mars/Olympus" } }],
  ["invitee.timezone", { invitee: { email: maria.email, name: "Maria" } }],
  ["invitee.name", { invitee: { ...maria, name: " " } }],
  ["invitee.name", { invitee: { email: maria.email, timezone: maria.timezone } }],
  ["location", { location: undefined }],
  ["location.kind", { location: { kind: "physical" } }],
  ["tracking.utm_term", { tracking: fiveMembers }],
  ["tracking.utm_source", { tracking: { ...tracking, utm_source: 1 } }],
  ["idempotency_key", { idempotency_key: "k1" }]
]

for (const [parameter, changes] of wrong) {
  schedulingTest(
    `refuses a booking for its ${parameter}: ${JSON.stringify(changes)}`,
    function* ({ book, control, get, url }) {
      const { body, status } = yield* book(changes)
      assert.strictEqual(status, 400)
      assert.deepInclude(body, { title: "Invalid Argument" })
      assert.include(JSON.stringify(body), `"details":[{"parameter":"${parameter}","message":`)
      assert.lengthOf(
        collectionIn(yield* get(`/scheduled_events?organization=${url}/organizations/org_demo`)).collection,
        0
      )
      assert.lengthOf(yield* control.pendingDeliveries, 0)
    }
  )
}

schedulingTest("a body that is not JSON and an unknown event type are refused", function* ({ book, post, url }) {
  assert.strictEqual((yield* post("/invitees", "{")).status, 400)
  assert.strictEqual((yield* book({ event_type: `${url}/event_types/et_none` })).status, 404)
})

schedulingTest(
  "a booked slot is already filled, also for a longer or a shorter meeting",
  function* ({ book, control, url }) {
    yield* control.takeSlot("et_demo_30min", at930)
    const same = yield* book({ start_time: at930 })
    assert.strictEqual(same.status, 409)
    assert.include(JSON.stringify(same.body), '"code":"already_filled"')
    const overlapping = [
      ["et_demo_60min", at9],
      ["et_demo_15min", "2026-06-08T13:45:00Z"]
    ] as const
    for (const [type, start_time] of overlapping) {
      const refused = yield* book({ event_type: `${url}/event_types/${type}`, start_time })
      assert.strictEqual(refused.status, 400)
      assert.include(JSON.stringify(refused.body), '"code":"already_filled"')
    }
    assert.strictEqual((yield* book({ start_time: at9 })).status, 201)
    assert.strictEqual((yield* book({ start_time: at10 })).status, 201)
  }
)

schedulingTest("of twenty concurrent bookings of a slot, one succeeds", function* ({ book, get, url }) {
  const answers = yield* Effect.forEach(
    Array.from({ length: 20 }, (_, at) => at),
    (at) => book({ invitee: { ...maria, email: `patient${at}@example.com` } }),
    { concurrency: "unbounded" }
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepStrictEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)])
  const events = collectionIn(yield* get(`/scheduled_events?user=${url}/users/usr_demo`)).collection
  assert.lengthOf(events, 1)
  const [created] = answers.filter(({ status }) => status === 201).map(resourceIn)
  assert.strictEqual(idOf(events[0]?.["uri"]), idOf(created?.["event"]))
})

schedulingTest(
  "the same request again is another booking: there are no idempotency keys",
  function* ({ book, post, url }) {
    yield* book()
    assert.strictEqual((yield* post("/invitees", booking(url))).status, 409)
    assert.strictEqual((yield* post("/invitees", booking(url, { start_time: at930 }))).status, 201)
  }
)
