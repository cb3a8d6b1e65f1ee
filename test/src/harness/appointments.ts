import { Clock, Effect } from "effect"
import { call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./fixtures.ts"
import { atSchedulingProvider } from "./schedulingProvider.ts"
import { until } from "./until.ts"

/** The event type that the tests book. */
export const eventTypeId = "et_demo_30min"

const days = (count: number) => count * 24 * 3600 * 1000

const iso = (millis: number) => new Date(millis).toISOString()

/** Requests the open slots between two numbers of days from now. */
export const requestSlots = (clinic: Clinic, from: number, until: number, query = "", eventType = eventTypeId) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const range = `start_time=${iso(now + days(from))}&end_time=${iso(now + days(until))}`
    return call("GET", `/api/v1/calendar/provider-availability?event_type_id=${eventType}&${range}${query}`, {
      key: clinic.key
    })
  })

/** Makes a clinic with a patient who has a case. */
export const clinicWithPatient = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const body = caseBody(clinic)
  const { json } = yield* createCase(clinic, body)
  return { clinic, caseId: String(json.data.caseId), email: body.user.email, user: body.user }
})

/** Returns the first open slot after a number of days. */
export const openSlot = (clinic: Clinic, from = 3) =>
  Effect.map(requestSlots(clinic, from, from + 20), ({ json }): string => json.data[0].startTime)

/** Returns whether a slot is open. The first open slot after a number of days may be the next one a moment later. */
export const isOpen = (clinic: Clinic, startTime: string) => {
  const end = iso(Date.parse(startTime) + 30 * 60_000)
  const path = "/api/v1/calendar/provider-availability"
  const query = new URLSearchParams({ event_type_id: eventTypeId, start_time: startTime, end_time: end })
  return Effect.map(call("GET", `${path}?${query}`, { key: clinic.key }), ({ json }): boolean => json.data.length === 1)
}

/** Returns the body of a booking that is accepted. */
export const bookingBody = (email: string, startTime: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  eventTypeId,
  startTime,
  email,
  timezone: "America/Los_Angeles",
  location: "google_conference",
  ...changes
})

/** Books an appointment; `key` is an Idempotency-Key. */
export const book = (clinic: Clinic, body: unknown, key?: string) =>
  call("POST", "/api/v1/calendar/appointments", {
    key: clinic.key,
    body,
    ...(key !== undefined && { headers: { "idempotency-key": key } })
  })

/** Cancels an appointment; `key` is an Idempotency-Key. */
export const cancel = (clinic: Clinic, body: unknown, key?: string) =>
  call("POST", "/api/v1/calendar/appointments/cancel", {
    key: clinic.key,
    body,
    ...(key !== undefined && { headers: { "idempotency-key": key } })
  })

/** Returns the appointments of a patient from the list endpoint. */
export const appointmentsOf = (clinic: Clinic, email: string) =>
  Effect.map(
    call("GET", `/api/v1/calendar/appointments?user_email=${email}`, { key: clinic.key }),
    ({ json }) => json.data
  )

/** Returns the calendar events of a case from case detail. */
export const calendarOf = (clinic: Clinic, caseId: string) =>
  Effect.map(
    call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeCalendarEvents=true`, { key: clinic.key }),
    ({ json }) => json.caseDetail.calendarEvents
  )

/** Returns the number of booking requests that the provider has received since `forgetRequests`. */
export const bookingRequestCount = Effect.gen(function* () {
  const provider = yield* atSchedulingProvider
  const requests = yield* provider.requests
  return requests.filter(({ method, path }) => method === "POST" && path === "/invitees").length
})

/** Makes the pending jobs of a queue due now, and waits until they have ended. */
export const runPendingJobs = ({ organizationId }: Clinic, queue: string) =>
  inDatabase("scheduling", (sql) =>
    Effect.andThen(
      sql`
        UPDATE scheduling.jobs SET due_at = now()
        WHERE queue_name = ${queue} AND organization_id = ${organizationId} AND state = 'pending'
      `,
      until(
        sql`
          SELECT FROM scheduling.jobs
          WHERE queue_name = ${queue} AND organization_id = ${organizationId} AND state IN ('pending', 'running')
        `,
        ({ length }) => length === 0
      )
    )
  )

/** Returns the states of the jobs of a queue, oldest first. */
export const jobStatesOf = ({ organizationId }: Clinic, queue: string) =>
  Effect.map(
    inDatabase(
      "scheduling",
      (sql) => sql<{ state: string }>`
        SELECT state FROM scheduling.jobs WHERE queue_name = ${queue} AND organization_id = ${organizationId}
        ORDER BY created_at, id
      `
    ),
    (rows) => rows.map(({ state }) => state)
  )
