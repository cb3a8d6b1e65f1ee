import type { Care } from "@care/client"
import { Effect } from "effect"
import { ScenarioFailed, send } from "./ScenarioFailed.ts"

/** An event type of the stand-in, and of a test account of the provider that has one with this name. */
export const demoEventTypeId = "et_demo_30min"

const millisOfDay = 86_400_000

const firstSlot = Effect.fnUntraced(function* (care: Care, inDays: number) {
  const { data } = yield* send((signal) => care.testClock.get({ signal }))
  const from = Date.parse(data.now) + inDays * millisOfDay
  const at = (millis: number) => new Date(millis).toISOString()
  const query = { event_type_id: demoEventTypeId, start_time: at(from), end_time: at(from + 7 * millisOfDay) }
  const { data: slots } = yield* send((signal) => care.appointments.openSlots(query, { signal }))
  const [slot] = slots
  return slot === undefined
    ? yield* new ScenarioFailed({ message: `The scheduling provider has no open slot of ${demoEventTypeId}` })
    : slot.startTime
})

/** Books or moves the appointment of a case, to the first open slot after a number of days. */
export const makeAppointment = Effect.fnUntraced(function* (
  care: Care,
  caseId: string,
  how: "BOOKED" | "MOVED",
  inDays: number
) {
  const startTime = yield* firstSlot(care, inDays)
  const simulated =
    how === "BOOKED"
      ? ({ step: "APPOINTMENT_BOOKED", eventTypeId: demoEventTypeId, startTime } as const)
      : ({ step: "APPOINTMENT_MOVED", startTime } as const)
  return yield* send((signal) => care.testCases.simulate(caseId, simulated, { signal }))
})
