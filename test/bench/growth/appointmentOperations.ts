import { createHmac } from "node:crypto"
import { newCase } from "../newCase.ts"
import { makeCaller, type Timed } from "./makeCaller.ts"
import type { OperationTable } from "./OperationTable.ts"
import { textAt, type World } from "./World.ts"

const slotsADay = 12

// Times at which the stand-in for the scheduling provider has a slot of half an hour, on working days, each once.
const slot = (number: number): string => {
  const day = Math.floor(number / slotsADay)
  const start = new Date()
  start.setUTCDate(start.getUTCDate() + 7 - ((start.getUTCDay() + 6) % 7) + 7 * Math.floor(day / 5) + (day % 5))
  start.setUTCHours(15, 30 * (number % slotsADay), 0, 0)
  return start.toISOString()
}

let slots = 0

const nextSlot = (): string => {
  slots += 1
  return slot(slots)
}

const newPatient = async ({ partner, productId }: World): Promise<string> => {
  const body = newCase(productId)
  await partner.post("/api/v1/cases", body)()
  return body.user.email
}

const path = "/api/v1/calendar/appointments"

const booking = ({ partner }: World, email: string): Timed =>
  partner.post(path, {
    eventTypeId: "et_demo_30min",
    startTime: nextSlot(),
    email,
    timezone: "America/New_York",
    location: "google_conference"
  })

const bookedId = async (world: World, email: string) => {
  await booking(world, email)()
  const list = await world.partner.get(`${path}?user_email=${email}`)()
  return textAt(list, "data", 0, "id")
}

const told = (world: World, meetingId = String(world.next())): Timed => {
  const uri = `https://api.calendly.com/scheduled_events/${meetingId}`
  const body = {
    event: "invitee.canceled",
    created_at: new Date().toISOString(),
    payload: { uri: `${uri}/invitees/1`, event: uri, rescheduled: false, old_invitee: null }
  }
  const time = Math.floor(Date.now() / 1000)
  const hash = createHmac("sha256", world.schedulingSecret)
    .update(`${time}.${JSON.stringify(body)}`)
    .digest("hex")
  const signed = { "calendly-webhook-signature": `t=${time},v1=${hash}` }
  return makeCaller(world.gatewayUrl, signed).post("/webhooks/scheduling", body)
}

/** What is done with appointments at the scheduling provider. */
export const appointmentOperations: OperationTable = {
  "POST /api/v1/calendar/appointments": async (world) => booking(world, await newPatient(world)),
  "POST /api/v1/calendar/appointments/cancel": async (world) => {
    const email = await newPatient(world)
    return world.partner.post(`${path}/cancel`, { email, appointmentId: await bookedId(world, email) })
  },
  "GET /api/v1/calendar/provider-availability": ({ partner }) => {
    const times = [1, 8].map((days) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString())
    const query = `event_type_id=et_demo_30min&start_time=${times[0]}&end_time=${times[1]}`
    return partner.get(`/api/v1/calendar/provider-availability?${query}`)
  },
  "POST /webhooks/scheduling": (world) => told(world),
  "POST /webhooks/scheduling: of an appointment": async (world) => {
    const { rows } = await world.database.query(
      "SELECT agent_event_id AS id FROM scheduling.calendar_events WHERE organization_id = $1 AND id = $2",
      [world.organizationId, await bookedId(world, await newPatient(world))]
    )
    return told(world, textAt(rows, 0, "id"))
  }
}
