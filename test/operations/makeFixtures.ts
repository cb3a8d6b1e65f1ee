import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { placeOrderExample } from "@care/domain/cases"
import type { ServiceName } from "@care/domain/peers"
import type StripeClient from "stripe"
import type { Fixtures, PatientCase } from "./Fixtures.ts"
import { makeStaffFixtures } from "./makeStaffFixtures.ts"
import { textAt } from "./textAt.ts"
import { type Query, untilNoJobIsDue } from "./untilNoJobIsDue.ts"

/** An organization, the means to send its requests, and access to the database. */
export interface FixtureOptions
  extends Pick<
    Fixtures,
    "fileUrl" | "newEmail" | "next" | "organizationId" | "person" | "productId" | "providerId" | "send" | "text"
  > {
  readonly query: Query
  readonly stripe: StripeClient
  /** Fixtures that exist already and are not made. */
  readonly seeds?: Partial<Fixtures>
}

const noOrganization = "00000000-0000-0000-0000-000000000000"
const waitingCaseCount = 10
const slotsPerDay = 12
let slotCount = 0

// Returns a different half-hour slot of the scheduling stand-in at each call, on working days.
const nextSlot = (): string => {
  slotCount += 1
  const day = Math.floor(slotCount / slotsPerDay)
  const start = new Date()
  start.setUTCDate(start.getUTCDate() + 7 - ((start.getUTCDay() + 6) % 7) + 7 * Math.floor(day / 5) + (day % 5))
  start.setUTCHours(15, 30 * (slotCount % slotsPerDay), 0, 0)
  return start.toISOString()
}

const memoize = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let promise: Promise<A> | undefined
  return () => {
    promise ??= make()
    return promise
  }
}

const poll = async <Answer>(request: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> => {
  for (;;) {
    const answer = await request()
    if (isDone(answer)) return answer
    await setTimeout(2)
  }
}

const hasRows = (answer: unknown): boolean => Object(answer).data.length > 0

/** Makes the fixtures of an organization. With `isSinglePatient` each thing is made once, and all are about the same patient. */
export const makeFixtures = (options: FixtureOptions, { isSinglePatient = false } = {}): Fixtures => {
  const { next, organizationId, productId, query, send, stripe } = options
  const newOrShared: <A>(make: () => Promise<A>) => () => Promise<A> = isSinglePatient ? memoize : (make) => make

  const createCase = async (user: object): Promise<string> =>
    textAt(await send("intake.createCase", { body: { user, products: [{ id: productId }] } }), "data", "caseId")

  const close = async (caseId: string) => {
    await send("statusChanges.change", { params: { caseId }, body: { status: "CLOSE" } })
  }

  const makeSandboxCase = async () => {
    const issued = await send("apiKeys.issue", { params: { organizationId }, body: { mode: "test" } })
    const sandbox = { organizationId: textAt(issued, "organizationId") }
    const product = await send("catalogue.createProduct", { params: sandbox, body: { name: "A program" } })
    const headers = { "cv-api-key": textAt(issued, "key") }
    // Another patient than those of the organization.
    const other = { email: await fixtures.newEmail(), phoneNumber: `+1415${5_000_000 + next()}` }
    const user = { ...(await fixtures.person()), ...other }
    const body = { user, products: [{ id: textAt(product, "id") }], forceCreate: true }
    const caseId = textAt(await send("intake.createCase", { headers, body }), "data", "caseId")
    await poll(
      () => send("backOffice.case", { params: { caseId } }),
      (found) => textAt(found, "status") === "ASSIGNED"
    )
    return { caseId, headers }
  }

  const makeClosedCase = async (): Promise<PatientCase> => {
    const patientCase = await fixtures.newCase()
    if (!isSinglePatient) await close(patientCase.caseId)
    return patientCase
  }

  const holdPayment = async (): Promise<PatientCase & { readonly paymentId: string }> => {
    const patientCase = await fixtures.savedMethod()
    const params = { caseId: patientCase.caseId }
    const body = { amount: 49.5, description: options.text, preauthorize: true }
    const created = await send("newPayments.create", { params, body })
    return { ...patientCase, paymentId: textAt(created, "data", "result", "paymentId") }
  }

  const addEndpoint = async (body: object): Promise<string> =>
    textAt(await send("webhookEndpoints.create", { body }), "data", "id")

  const readText = async (service: ServiceName, statement: string, ...values: ReadonlyArray<string>): Promise<string> =>
    textAt(await query(service, statement, [organizationId, ...values]), 0, "found")

  const fixtures: Fixtures = {
    ...options,
    ...makeStaffFixtures(options),
    person: newOrShared(options.person),
    newEmail: newOrShared(options.newEmail),
    case: () => fixtures.newCase(),
    newCase: newOrShared(async () => {
      const user = await fixtures.person()
      const caseId = await createCase(user)
      const created = await send("backOffice.case", { params: { caseId } })
      const userId = textAt(created, "submitter", "id")
      return { caseId, shortId: textAt(created, "shortId"), userId, email: user.email, phoneNumber: user.phoneNumber }
    }),
    assignedCase: async () => {
      const patientCase = await fixtures.newCase()
      await poll(
        () => send("backOffice.case", { params: { caseId: patientCase.caseId } }),
        (found) => textAt(found, "status") !== "OPEN"
      )
      return patientCase
    },
    sandboxCaseId: newOrShared(async () => (await makeSandboxCase()).caseId),
    orderedSandboxCaseId: async () => {
      const { caseId, headers } = await makeSandboxCase()
      const params = { caseId }
      await send("orders.placeOrder", { headers, params, body: { order: placeOrderExample.order } })
      await poll(
        () => send("reading.orders", { headers, params }),
        (found) => textAt(found, "data", 0, "status") === "SUBMITTED"
      )
      return caseId
    },
    formerCase: makeClosedCase,
    closedCase: makeClosedCase,
    // Takes the license for one state from all providers first. The conditions match the indexes: reading a million patients instead
    // would empty the caches before the next measurement.
    waitingCases: async () => {
      for (const [service, table, condition] of [
        ["auth", "auth.users", "is_active AND deleted_at IS NULL"],
        ["cases", "cases.people", "is_active"]
      ] as const) {
        await query(
          service,
          `UPDATE ${table} SET licensed_states = '{CA}'
           WHERE organization_id = $1 AND role = 'PROVIDER' AND ${condition} AND 'WY' = ANY(licensed_states)`,
          [organizationId]
        )
      }
      for (let count = 0; count < waitingCaseCount; count += 1) {
        const user = await fixtures.person()
        await createCase({ ...user, shippingAddress: { ...user.shippingAddress, state: "WY" } })
      }
      await untilNoJobIsDue(query, organizationId)
    },
    untilAssigned: async () => {
      const openCase = "organization_id = $1 AND NOT is_archived AND NOT is_test AND status = 'OPEN'"
      await poll(
        () =>
          query(
            "cases",
            `SELECT FROM (SELECT EXISTS (SELECT FROM cases.cases WHERE ${openCase}) AS waits) WHERE waits`,
            [organizationId]
          ),
        ({ length }) => length === 0
      )
    },
    escalation: newOrShared(async () => {
      const patientCase = await fixtures.case()
      const escalations = [{ type: "support", title: "Cancellation", note: options.text }]
      const added = await send("escalations.add", { params: { caseId: patientCase.caseId }, body: { escalations } })
      return { ...patientCase, escalationId: textAt(added, "data", "escalations", 0, "id") }
    }),
    escalationId: async () => (await fixtures.escalation()).escalationId,
    order: newOrShared(async () => {
      const patientCase = await fixtures.case()
      const body = { order: placeOrderExample.order }
      const placed = await send("orders.placeOrder", { params: { caseId: patientCase.caseId }, body })
      await untilNoJobIsDue(query, organizationId)
      return { ...patientCase, orderId: textAt(placed, "data", "order", "id") }
    }),
    orderId: async () => (await fixtures.order()).orderId,
    failedOrder: newOrShared(async () => {
      const params = { orderId: await fixtures.orderId() }
      await send("adminOrders.change", { params, body: { status: "ERROR" } })
    }),
    caseWithFile: newOrShared(async () => {
      const patientCase = await fixtures.newCase()
      const content = Buffer.from(options.text).toString("base64")
      const body = { uploadedByUserId: options.providerId, fileName: "note.txt", contentType: "text/plain", content }
      await send("backOffice.attach", { params: { caseId: patientCase.caseId }, body })
      const query = { caseId: patientCase.caseId, includeAttachments: "true", documentFormat: "url" }
      const detail = await send("reading.caseDetail", { query })
      return { ...patientCase, documentUrl: textAt(detail, "caseDetail", "attachments", 0, "url") }
    }),
    form: newOrShared(async () => {
      const questions = [{ question: "How much do you weigh?", type: "TEXT", required: true }]
      const body = { title: `Form ${next()}`, questions }
      const form = await send("catalogue.createForm", { params: { organizationId }, body })
      return { formId: textAt(form, "id"), questionId: textAt(form, "questions", 0, "id") }
    }),
    bundleId: memoize(async () => {
      const description = { name: "Bundle", description: "A program", imageUrl: "https://example.com/bundle.png" }
      const price = { price: "99.00", priceUnit: "USD", initialDiscount: "0.00", isSoldOut: false, isVisible: true }
      const body = { ...description, ...price, productIds: [productId] }
      return textAt(await send("catalogue.createBundle", { params: { organizationId }, body }), "id")
    }),
    unusedProductId: newOrShared(async () =>
      textAt(await send("catalogue.createProduct", { params: { organizationId }, body: { name: "A program" } }), "id")
    ),
    otherOrganizationId: newOrShared(async () =>
      textAt(await send("organizations.create", { body: { name: "Another clinic" } }), "id")
    ),
    memberId: newOrShared(async () => {
      const body = { firstName: "Jane", lastName: "Rivera", role: "SUPPORT", email: `left${next()}@example.com` }
      return textAt(await send("members.add", { params: { organizationId }, body }), "id")
    }),
    apiKey: newOrShared(async () => {
      const issued = await send("apiKeys.issue", { params: { organizationId }, body: {} })
      return { id: textAt(issued, "id"), key: textAt(issued, "key") }
    }),
    promoCodeId: newOrShared(async () => {
      const body = { code: `Changed ${next()}`, organizationId, percentDiscount: 10 }
      return textAt(await send("adminPromoCodes.create", { body }), "id")
    }),
    promoCode: memoize(async () => {
      const body = { code: `Used ${next()}`, organizationId, percentDiscount: 10 }
      return textAt(await send("adminPromoCodes.create", { body }), "code")
    }),
    calendarEvent: newOrShared(async () => {
      const patientCase = await fixtures.newCase()
      const times = {
        startTime: "2058-09-01T14:00:00.000Z",
        endTime: "2058-09-01T14:30:00.000Z",
        timeZone: "America/New_York"
      }
      const place = { meetingLink: "https://meet.example.com/1", location: "zoom_conference" }
      const event = { title: "Follow-up visit", agentName: "custom", ...times, ...place }
      await send("calendarActions.create", { params: { caseId: patientCase.caseId }, body: { calendar: event } })
      const detail = await send("reading.caseDetail", {
        query: { caseId: patientCase.caseId, includeCalendarEvents: "true" }
      })
      return { ...patientCase, eventId: textAt(detail, "caseDetail", "calendarEvents", 0, "id") }
    }),
    slot: () => Promise.resolve(nextSlot()),
    appointment: newOrShared(async () => {
      const patientCase = await fixtures.newCase()
      const place = { timezone: "America/New_York", location: "google_conference" }
      const body = { eventTypeId: "et_demo_30min", startTime: nextSlot(), email: patientCase.email, ...place }
      await send("bookings.book", { body })
      const bookedEvent =
        "SELECT id AS found FROM scheduling.calendar_events WHERE organization_id = $1 AND user_id = $2"
      const id = await readText("scheduling", `${bookedEvent} AND agent_event_id IS NOT NULL`, patientCase.userId)
      return { ...patientCase, appointmentId: id }
    }),
    meetingId: async () =>
      readText(
        "scheduling",
        "SELECT agent_event_id AS found FROM scheduling.calendar_events WHERE organization_id = $1 AND id = $2",
        (await fixtures.appointment()).appointmentId
      ),
    code: newOrShared(async () => {
      const { email } = await fixtures.case()
      await send("signIn.sendCode", { body: { email } })
      const codeIn = ({ data }: { readonly data?: unknown }) =>
        Array.isArray(data) ? (/\b\d{6}\b/.exec(data.map(({ text }) => text).join(" "))?.[0] ?? "") : ""
      const messages = await poll(
        () => send("messages.list", { query: { to: email } }),
        (found) => codeIn(Object(found)) !== ""
      )
      return { email, code: codeIn(Object(messages)) }
    }),
    session: newOrShared(async () => {
      const tokens = await send("signIn.verifyCode", { body: await fixtures.code() })
      return { accessToken: textAt(tokens, "accessToken"), refreshToken: textAt(tokens, "refreshToken") }
    }),
    setup: newOrShared(async () => {
      const patientCase = await fixtures.case()
      const secret = textAt(
        await send("intents.createSetupIntent", { body: { email: patientCase.email } }),
        "paymentSecret"
      )
      const setupId = secret.slice(0, secret.indexOf("_secret_"))
      await stripe.setupIntents.confirm(setupId, {
        payment_method: "pm_card_visa",
        return_url: "https://shop.example.com"
      })
      return { ...patientCase, setupId }
    }),
    setupIntentId: memoize(async () => {
      const cardParams = { payment_method: "pm_card_visa", return_url: "https://example.com" }
      return (await stripe.setupIntents.create({ ...cardParams, confirm: true })).id
    }),
    savedMethod: newOrShared(async () => {
      const patientCase = await fixtures.setup()
      const place = { city: "San Francisco", state: "CA", country: "US", postal_code: "94105" }
      const shippingAddress = { line1: "500 Howard Street", line2: options.text, ...place }
      await send("paymentSetup.completeSetup", { body: { gatewaySetupID: patientCase.setupId, shippingAddress } })
      return patientCase
    }),
    heldPayment: newOrShared(holdPayment),
    heldPaymentId: async () => (await fixtures.heldPayment()).paymentId,
    takenPaymentId: newOrShared(async () => {
      const { paymentId } = await holdPayment()
      await send("adminPayments.capture", { params: { paymentId }, body: {} })
      return paymentId
    }),
    paidIntentId: async () =>
      readText(
        "payments",
        "SELECT intent_id AS found FROM payments.payments WHERE organization_id = $1 AND id = $2",
        await fixtures.takenPaymentId()
      ),
    endpointId: memoize(async () => {
      const { caseId } = await fixtures.newCase()
      const endpointId = await addEndpoint({ url: `${options.fileUrl}?some`, eventTypes: ["ping"] })
      const events = await poll(() => send("events.list", { query: { caseId } }), hasRows)
      await send("webhookDeliveries.resend", {
        params: { eventId: textAt(events, "data", 0, "id") },
        body: { endpointId }
      })
      return endpointId
    }),
    newEndpointId: newOrShared(() => addEndpoint({ url: `${options.fileUrl}?new`, eventTypes: ["ping"] })),
    enabledEndpointId: memoize(() => addEndpoint({ url: options.fileUrl, eventTypes: ["ping"] })),
    roomForEndpoint: async () => {
      const addedEndpoints = "SELECT id FROM cases.webhook_endpoints WHERE organization_id = $1 AND url LIKE '%?added'"
      for (const row of await query("cases", addedEndpoints, [organizationId])) {
        await send("webhookEndpoints.remove", { params: { endpointId: textAt(row, "id") } })
      }
    },
    delivery: async () => {
      const params = { endpointId: await fixtures.endpointId() }
      const listed = await poll(() => send("webhookDeliveries.list", { params, query: { limit: "1" } }), hasRows)
      return { deliveryId: textAt(listed, "data", 0, "id"), eventId: textAt(listed, "data", 0, "eventId") }
    },
    idleEndpointId: async () => {
      const endpointId = await fixtures.endpointId()
      await untilNoJobIsDue(query, organizationId)
      return endpointId
    },
    failedJobId: newOrShared(async () => {
      const id = randomUUID()
      // The payload is no more than the id of the suite's key, k1: with another one, or none, `care keys` would count it as not rotated.
      await query(
        "cases",
        `INSERT INTO cases.jobs (id, queue_name, organization_id, version, payload, request_id, state, due_at, ended_at)
         VALUES ($1, 'retired', $2, 1, decode('026b31', 'hex'), 'fixture', 'failed', now(), now())`,
        [id, noOrganization]
      )
      return id
    }),
    ...options.seeds
  }
  return fixtures
}
