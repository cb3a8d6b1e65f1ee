import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { meetingReportOf } from "./meetingReportOf.ts"

const time = "2060-08-02T15:00:00.000000Z"

const createdFrom = (startTime: string) => {
  const uri = "https://api.calendly.com/scheduled_events/1"
  const scheduled_event = {
    uri,
    status: "active",
    created_at: time,
    start_time: startTime,
    end_time: time,
    event_type: "https://api.calendly.com/event_types/2"
  }
  const payload = { event: uri, email: "Maria@Example.com", scheduled_event }
  return meetingReportOf({ event: "invitee.created", created_at: new Date(time), payload })
}

it("a report has the invitee's email in lower case, like bookings", () => {
  const report = createdFrom(time)
  assert.deepInclude(Option.getOrThrow(report), { agentEventId: "1", eventTypeId: "2", email: "maria@example.com" })
})

it("a meeting at a time that cannot be stored is not read", () => {
  assert.isTrue(Option.isSome(createdFrom("9999-12-31T23:59:59Z")))
  for (const invalid of ["+010000-01-01T00:00:00Z", "-000001-01-01T00:00:00Z", "soon"]) {
    assert.isTrue(Option.isNone(createdFrom(invalid)), invalid)
  }
})
