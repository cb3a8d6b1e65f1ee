import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { placeOrderExample } from "@care/domain/cases"
import type StripeClient from "stripe"
import type { Fixtures, PatientCase } from "./Fixtures.ts"
import { textAt } from "./textAt.ts"
import { type Query, untilNoJobIsDue } from "./untilNoJobIsDue.ts"

/** An organization, how its operations are asked for, and its database. */
export interface Means
  extends Pick<
    Fixtures,
    "fileUrl" | "newEmail" | "next" | "organizationId" | "person" | "productId" | "providerId" | "send" | "text"
  > {
  readonly query: Query
  readonly stripe: StripeClient
  /** What is there already, and need not be made. */
  readonly seeds?: Partial<Fixtures>
}

const nobody = "00000000-0000-0000-0000-000000000000"
const waiting = 10
const slotsADay = 12
let slots = 0

// Times at which the stand-in for the scheduling provider has a slot of half an hour, on working days, each once.
const nextSlot = (): string => {
  slots += 1
  const day = Math.floor(slots / slotsADay)
  const start = new Date()
  start.setUTCDate(start.getUTCDate() + 7 - ((start.getUTCDay() + 6) % 7) + 7 * Math.floor(day / 5) + (day % 5))
  start.setUTCHours(15, 30 * (slots % slotsADay), 0, 0)
  return start.toISOString()
}

const once = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const again = async <Answer>(ask: () => Promise<Answer>, isSo: (answer: Answer) => boolean): Promise<Answer> => {
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    await setTimeout(2)
  }
}

const hasRows = (answer: unknown): boolean => Object(answer).data.length > 0

/** Makes the fixtures of an organization. With `isOne`, each is made once, and all are about one patient. */
export const makeFixtures = (means: Means, { isOne = false } = {}): Fixtures => {
  const { next, organizationId, productId, query, send, stripe } = means
  const kept: <Made>(make: () => Promise<Made>) => () => Promise<Made> = isOne ? once : (make) => make

  const createCase = async (user: object): Promise<string> =>
    textAt(await send("intake.createCase", { body: { user, products: [{ id: productId }] } }), "data", "caseId")

  const close = async (caseId: string) => {
    await send("statusChanges.change", { params: { caseId }, body: { status: "CLOSE" } })
  }

  const closed = async (): Promise<PatientCase> => {
    const made = await of.newCase()
    if (!isOne) await close(made.caseId)
    return made
  }

  const holdPayment = async (): Promise<string> => {
    const { caseId } = await of.savedMethod()
    const body = { amount: 49.5, description: means.text, preauthorize: true }
    return textAt(await send("newPayments.create", { params: { caseId }, body }), "data", "result", "paymentId")
  }

  const addEndpoint = async (body: object): Promise<string> =>
    textAt(await send("webhookEndpoints.create", { body }), "data", "id")

  const read = async (statement: string, ...values: ReadonlyArray<string>): Promise<string> =>
    textAt(await query(statement, [organizationId, ...values]), 0, "found")

  const of: Fixtures = {
    ...means,
    person: kept(means.person),
    newEmail: kept(means.newEmail),
    case: () => of.newCase(),
    newCase: kept(async () => {
      const user = await of.person()
      const caseId = await createCase(user)
      const userId = textAt(await send("backOffice.case", { params: { caseId } }), "submitter", "id")
      return { caseId, userId, email: user.email, phoneNumber: user.phoneNumber }
    }),
    assignedCase: async () => {
      const made = await of.newCase()
      await again(
        () => send("backOffice.case", { params: { caseId: made.caseId } }),
        (found) => textAt(found, "status") !== "OPEN"
      )
      return made
    },
    formerCase: closed,
    closedCase: closed,
    // A state that no other provider is licensed in: they are never more than one. By their indexes: whoever reads a million
    // patients for it leaves the processor's caches empty for what is measured next.
    waitingCases: async () => {
      for (const [table, condition] of [
        ["auth.users", "is_active AND deleted_at IS NULL"],
        ["cases.people", "is_active"]
      ]) {
        await query(
          `UPDATE ${table} SET licensed_states = '{CA}'
           WHERE organization_id = $1 AND role = 'PROVIDER' AND ${condition} AND 'WY' = ANY(licensed_states)`,
          [organizationId]
        )
      }
      for (let made = 0; made < waiting; made += 1) {
        const user = await of.person()
        await createCase({ ...user, shippingAddress: { ...user.shippingAddress, state: "WY" } })
      }
      await untilNoJobIsDue(query)
    },
    untilAssigned: async () => {
      const waits = "organization_id = $1 AND NOT is_archived AND NOT is_test AND status = 'OPEN'"
      await again(
        () =>
          query(`SELECT FROM (SELECT EXISTS (SELECT FROM cases.cases WHERE ${waits}) AS waits) WHERE waits`, [
            organizationId
          ]),
        ({ length }) => length === 0
      )
    },
    escalationId: kept(async () => {
      const escalations = [{ type: "support", title: "Cancellation", note: means.text }]
      const params = { caseId: (await of.case()).caseId }
      return textAt(await send("escalations.add", { params, body: { escalations } }), "data", "escalations", 0, "id")
    }),
    orderId: kept(async () => {
      const params = { caseId: (await of.case()).caseId }
      const placed = await send("orders.placeOrder", { params, body: { order: placeOrderExample.order } })
      await untilNoJobIsDue(query)
      return textAt(placed, "data", "order", "id")
    }),
    caseWithFile: kept(async () => {
      const made = await of.newCase()
      const content = Buffer.from(means.text).toString("base64")
      const body = { uploadedByUserId: means.providerId, fileName: "note.txt", contentType: "text/plain", content }
      await send("backOffice.attach", { params: { caseId: made.caseId }, body })
      const query = { caseId: made.caseId, includeAttachments: "true", documentFormat: "url" }
      const detail = await send("reading.caseDetail", { query })
      return { ...made, documentUrl: textAt(detail, "caseDetail", "attachments", 0, "url") }
    }),
    form: kept(async () => {
      const questions = [{ question: "How much do you weigh?", type: "TEXT", required: true }]
      const body = { title: `Form ${next()}`, questions }
      const form = await send("catalogue.createForm", { params: { organizationId }, body })
      return { formId: textAt(form, "id"), questionId: textAt(form, "questions", 0, "id") }
    }),
    bundleId: once(async () => {
      const texts = { name: "Bundle", description: "A program", imageUrl: "https://example.com/bundle.png" }
      const price = { price: "99.00", priceUnit: "USD", initialDiscount: "0.00", isSoldOut: false, isVisible: true }
      const body = { ...texts, ...price, productIds: [productId] }
      return textAt(await send("catalogue.createBundle", { params: { organizationId }, body }), "id")
    }),
    otherOrganizationId: kept(async () =>
      textAt(await send("organizations.create", { body: { name: "Another clinic" } }), "id")
    ),
    memberId: kept(async () => {
      const body = { firstName: "Jane", lastName: "Rivera", role: "SUPPORT", email: `left${next()}@example.com` }
      return textAt(await send("members.add", { params: { organizationId }, body }), "id")
    }),
    apiKey: kept(async () => {
      const issued = await send("apiKeys.issue", { params: { organizationId }, body: {} })
      return { id: textAt(issued, "id"), key: textAt(issued, "key") }
    }),
    promoCodeId: kept(async () => {
      const body = { code: `Changed ${next()}`, organizationId, percentDiscount: 10 }
      return textAt(await send("adminPromoCodes.create", { body }), "id")
    }),
    promoCode: once(async () => {
      const body = { code: `Used ${next()}`, organizationId, percentDiscount: 10 }
      return textAt(await send("adminPromoCodes.create", { body }), "code")
    }),
    calendarEvent: kept(async () => {
      const made = await of.newCase()
      const times = {
        startTime: "2058-09-01T14:00:00.000Z",
        endTime: "2058-09-01T14:30:00.000Z",
        timeZone: "America/New_York"
      }
      const place = { meetingLink: "https://meet.example.com/1", location: "zoom_conference" }
      const event = { title: "Follow-up visit", agentName: "custom", ...times, ...place }
      await send("calendarActions.create", { params: { caseId: made.caseId }, body: { calendar: event } })
      const detail = await send("reading.caseDetail", { query: { caseId: made.caseId, includeCalendarEvents: "true" } })
      return { ...made, eventId: textAt(detail, "caseDetail", "calendarEvents", 0, "id") }
    }),
    slot: () => Promise.resolve(nextSlot()),
    appointment: kept(async () => {
      const made = await of.newCase()
      const place = { timezone: "America/New_York", location: "google_conference" }
      const body = { eventTypeId: "et_demo_30min", startTime: nextSlot(), email: made.email, ...place }
      await send("bookings.book", { body })
      const booked = "SELECT id AS found FROM scheduling.calendar_events WHERE organization_id = $1 AND user_id = $2"
      const id = await read(`${booked} AND agent_event_id IS NOT NULL`, made.userId)
      return { ...made, appointmentId: id }
    }),
    meetingId: async () =>
      read(
        "SELECT agent_event_id AS found FROM scheduling.calendar_events WHERE organization_id = $1 AND id = $2",
        (await of.appointment()).appointmentId
      ),
    code: kept(async () => {
      const { email } = await of.case()
      await send("signIn.sendCode", { body: { email } })
      const codeIn = ({ data }: { readonly data?: unknown }) =>
        Array.isArray(data) ? (/\b\d{6}\b/.exec(data.map(({ text }) => text).join(" "))?.[0] ?? "") : ""
      const messages = await again(
        () => send("messages.list", { query: { to: email } }),
        (found) => codeIn(Object(found)) !== ""
      )
      return { email, code: codeIn(Object(messages)) }
    }),
    session: kept(async () => {
      const tokens = await send("signIn.verifyCode", { body: await of.code() })
      return { accessToken: textAt(tokens, "accessToken"), refreshToken: textAt(tokens, "refreshToken") }
    }),
    setup: kept(async () => {
      const made = await of.case()
      const secret = textAt(await send("intents.createSetupIntent", { body: { email: made.email } }), "paymentSecret")
      const setupId = secret.slice(0, secret.indexOf("_secret_"))
      await stripe.setupIntents.confirm(setupId, {
        payment_method: "pm_card_visa",
        return_url: "https://shop.example.com"
      })
      return { ...made, setupId }
    }),
    setupIntentId: once(async () => {
      const visa = { payment_method: "pm_card_visa", return_url: "https://example.com" }
      return (await stripe.setupIntents.create({ ...visa, confirm: true })).id
    }),
    savedMethod: kept(async () => {
      const made = await of.setup()
      const place = { city: "San Francisco", state: "CA", country: "US", postal_code: "94105" }
      const shippingAddress = { line1: "500 Howard Street", line2: means.text, ...place }
      await send("paymentSetup.completeSetup", { body: { gatewaySetupID: made.setupId, shippingAddress } })
      return made
    }),
    heldPaymentId: kept(holdPayment),
    takenPaymentId: kept(async () => {
      const paymentId = await holdPayment()
      await send("adminPayments.capture", { params: { paymentId }, body: {} })
      return paymentId
    }),
    paidIntentId: async () =>
      read(
        "SELECT intent_id AS found FROM payments.payments WHERE organization_id = $1 AND id = $2",
        await of.takenPaymentId()
      ),
    endpointId: once(async () => {
      const { caseId } = await of.newCase()
      const endpointId = await addEndpoint({ url: `${means.fileUrl}?some`, eventTypes: ["webhook.test"] })
      const events = await again(() => send("events.list", { query: { caseId } }), hasRows)
      await send("webhookDeliveries.resend", {
        params: { eventId: textAt(events, "data", 0, "id") },
        body: { endpointId }
      })
      return endpointId
    }),
    newEndpointId: kept(() => addEndpoint({ url: `${means.fileUrl}?new`, eventTypes: ["webhook.test"] })),
    enabledEndpointId: once(() => addEndpoint({ url: means.fileUrl, eventTypes: ["webhook.test"] })),
    roomForEndpoint: async () => {
      const added = "SELECT id FROM cases.webhook_endpoints WHERE organization_id = $1 AND url LIKE '%?added'"
      for (const row of await query(added, [organizationId])) {
        await send("webhookEndpoints.remove", { params: { endpointId: textAt(row, "id") } })
      }
    },
    delivery: async () => {
      const params = { endpointId: await of.endpointId() }
      const listed = await again(() => send("webhookDeliveries.list", { params, query: { limit: "1" } }), hasRows)
      return { deliveryId: textAt(listed, "data", 0, "id"), eventId: textAt(listed, "data", 0, "eventId") }
    },
    idleEndpointId: async () => {
      const endpointId = await of.endpointId()
      await untilNoJobIsDue(query)
      return endpointId
    },
    failedJobId: kept(async () => {
      const id = randomUUID()
      await query(
        `INSERT INTO cases.jobs (id, queue_name, organization_id, version, payload, request_id, state, due_at, ended_at)
         VALUES ($1, 'retired', $2, 1, 'unreadable', 'fixture', 'failed', now(), now())`,
        [id, nobody]
      )
      return id
    }),
    ...means.seeds
  }
  return of
}
