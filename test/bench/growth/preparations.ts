import { placeOrderExample } from "@care/domain/cases"
import { Webhook } from "standardwebhooks"
import { newCase, newPatient } from "../newCase.ts"
import { type Caller, makeCaller, type Timed } from "./makeCaller.ts"
import { textAt, type World } from "./World.ts"

/** A file as the back office sends it. */
export const note = {
  fileName: "note.txt",
  contentType: "text/plain",
  content: Buffer.from("A note.").toString("base64")
}

/** A question of a dynamic case, with its answer. */
export const question = {
  question: "How much do you weigh?",
  type: "TEXT",
  required: true,
  phi: true,
  answer: "185"
}

/** An escalation as a partner adds it. */
export const escalation = { type: "support", title: "Cancellation", note: "Wants to cancel" }

/** A new escalation of a seeded case: its id. */
export const addedEscalation = async ({ partner, take }: World): Promise<string> => {
  const body = { action: "ADD_ESCALATION", escalations: [escalation] }
  const added = await partner.post(`/api/v1/cases/${take().caseId}`, body)()
  return textAt(added, "data", "escalations", 0, "id")
}

/** A bundle of a catalogue. */
export const newBundle = {
  name: "Bundle",
  description: "A program",
  imageUrl: "https://example.com/bundle.png",
  price: "99.00",
  priceUnit: "USD",
  initialDiscount: "0.00",
  isSoldOut: false,
  isVisible: true
}

/** The body of a dynamic case of a new patient. */
export const formWith = (formTitle: string) => {
  const { email, firstName, lastName, phoneNumber } = newPatient()
  return { email, firstName, lastName, phoneNumber, formTitle, questions: [question] }
}

const newCaseId = async ({ partner, productId }: World): Promise<string> =>
  textAt(await partner.post("/api/v1/cases", newCase(productId))(), "data", "caseId")

/** A new case with a file: its id. */
export const caseWithFile = async (world: World): Promise<string> => {
  const caseId = await newCaseId(world)
  const file = { uploadedByUserId: world.providerId, ...note }
  await world.operator.post(`/admin/v1/cases/${caseId}/attachments`, file)()
  return caseId
}

const patientOf = async ({ operator }: World, caseId: string): Promise<string> =>
  textAt(await operator.get(`/admin/v1/cases/${caseId}`)(), "submitter", "id")

/** The patient of a new case: their id. */
export const newPatientId = async (world: World): Promise<string> => patientOf(world, await newCaseId(world))

/** The patient of a new case that is closed: their id. */
export const formerPatientId = async (world: World): Promise<string> => {
  const caseId = await newCaseId(world)
  await world.partner.post(`/api/v1/cases/${caseId}`, {
    action: "CHANGE_CASE_STATUS",
    status: "CLOSE",
    reason: "Done"
  })()
  return patientOf(world, caseId)
}

/** The creation of an event that nobody else's is near to. */
export const newEvent = {
  action: "CREATE_CALENDAR_EVENT",
  calendar: {
    title: "Follow-up visit",
    agentName: "custom",
    startTime: "2058-08-01T14:00:00.000Z",
    endTime: "2058-08-01T14:30:00.000Z",
    timeZone: "America/New_York",
    meetingLink: "https://meet.example.com/1",
    location: "zoom_conference"
  }
}

/** A new case with an event in its calendar. */
export const caseWithEvent = async ({ partner, productId }: World) => {
  const body = newCase(productId)
  const caseId = textAt(await partner.post("/api/v1/cases", body)(), "data", "caseId")
  await partner.post(`/api/v1/cases/${caseId}`, newEvent)()
  const detail = await partner.get(`/api/v1/customer-case-detail?caseId=${caseId}&includeCalendarEvents=true`)()
  return { caseId, email: body.user.email, eventId: textAt(detail, "caseDetail", "calendarEvents", 0, "id") }
}

const order = { action: "PLACE_ORDER", order: placeOrderExample.order }

/** Places an order for a seeded case. */
export const newOrder = ({ partner, take }: World): Timed => partner.post(`/api/v1/cases/${take().caseId}`, order)

/** A new order that the pharmacy has: its id. */
export const orderAtPharmacy = async (world: World): Promise<string> => {
  const id = textAt(await newOrder(world)(), "data", "order", "id")
  await world.jobsDone()
  return id
}

/** What the pharmacy tells of a new order. */
export const shippedOrder = async (world: World): Promise<Timed> => {
  const externalId = await orderAtPharmacy(world)
  const now = new Date()
  const body = { type: "order.updated", timestamp: now.toISOString(), data: { externalId, status: "SHIPPED" } }
  const id = `event ${world.next()}`
  return makeCaller(world.gatewayUrl, {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(world.webhookSecret).sign(id, now, JSON.stringify(body))
  }).post("/webhooks/pharmacy", body)
}

/** Whoever has a key that nobody has used yet. */
export const firstRequest = async ({ gatewayUrl, operator, organizationId }: World): Promise<Caller> => {
  const issued = await operator.post(`/admin/v1/organizations/${organizationId}/api-keys`, {})()
  return makeCaller(gatewayUrl, { "cv-api-key": textAt(issued, "key") })
}

/** Reads the page of a list that follows the first one. */
export const nextPage = async ({ operator }: World, path: string): Promise<Timed> => {
  const cursor = textAt(await operator.get(path)(), "nextCursor")
  return operator.get(`${path}&cursor=${cursor}`)
}

/** A job that was dead-lettered, of a queue that nobody works off: its id. It is the same each time. */
export const retiredJob = async ({ database }: World): Promise<string> => {
  const { rows } = await database.query(`
    UPDATE cases.jobs SET state = 'failed', ended_at = now()
    WHERE id = (SELECT id FROM cases.jobs WHERE queue_name = 'retired' ORDER BY id LIMIT 1)
    RETURNING id
  `)
  return textAt(rows, 0, "id")
}

const waiting = 10

/** A provider joins for whose state there was none, and the cases that waited for one are assigned. */
export const joinedProvider = async (world: World): Promise<Timed> => {
  const { database, jobsDone, next, operator, organizationId, partner, productId } = world
  // A state that no other provider is licensed in: they are never more than one. By their indexes: whoever reads a million
  // patients for it leaves the processor's caches empty for what is measured next.
  for (const [table, condition] of [
    ["auth.users", "is_active AND deleted_at IS NULL"],
    ["cases.people", "is_active"]
  ]) {
    await database.query(
      `UPDATE ${table} SET licensed_states = '{CA}'
       WHERE organization_id = $1 AND role = 'PROVIDER' AND ${condition} AND 'WY' = ANY(licensed_states)`,
      [organizationId]
    )
  }
  const { user, ...body } = newCase(productId)
  const inWyoming = { ...user.shippingAddress, state: "WY" }
  for (let made = 0; made < waiting; made += 1) {
    await partner.post("/api/v1/cases", { ...body, user: { ...newPatient(), shippingAddress: inWyoming } })()
  }
  await jobsDone()
  return async () => {
    await operator.post(`/admin/v1/organizations/${organizationId}/members`, {
      email: `joined${next()}@example.com`,
      firstName: "Jane",
      lastName: "Rivera",
      role: "PROVIDER",
      licensedStates: ["WY"]
    })()
    for (;;) {
      const { rows } = await database.query<{ waits: boolean }>(
        `SELECT EXISTS (
           SELECT FROM cases.cases WHERE organization_id = $1 AND NOT is_archived AND NOT is_test AND status = 'OPEN'
         ) AS waits`,
        [organizationId]
      )
      if (rows.every(({ waits }) => !waits)) return
    }
  }
}
