import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { toldOf } from "./toldOf.ts"

it("whoever a meeting is for is told of as bookings know them, in whichever case the provider writes the email", () => {
  const time = "2060-08-02T15:00:00.000000Z"
  const uri = "https://api.calendly.com/scheduled_events/1"
  const scheduled_event = {
    uri,
    status: "active",
    created_at: time,
    start_time: time,
    end_time: time,
    event_type: "https://api.calendly.com/event_types/2"
  }
  const payload = { event: uri, email: "Maria@Example.com", scheduled_event }
  const told = toldOf({ event: "invitee.created", created_at: new Date(time), payload })
  assert.deepInclude(Option.getOrThrow(told), { agentEventId: "1", eventTypeId: "2", email: "maria@example.com" })
})
