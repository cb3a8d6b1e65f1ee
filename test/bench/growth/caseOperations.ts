import { newCase } from "../newCase.ts"
import type { OperationTable } from "./OperationTable.ts"
import {
  caseWithEvent,
  caseWithFile,
  escalation,
  firstRequest,
  formWith,
  newEvent,
  newOrder,
  question,
  shippedOrder
} from "./preparations.ts"
import { textAt } from "./World.ts"

const detail = "/api/v1/customer-case-detail"

/** What partners do with cases, files and bundles. */
export const caseOperations: OperationTable = {
  "POST /api/v1/cases: a new patient": ({ partner, productId }) => partner.post("/api/v1/cases", newCase(productId)),
  "POST /api/v1/cases: a known patient, with a payment and a promo code": ({
    partner,
    productId,
    setupIntentId,
    take
  }) => {
    const providerReference = { type: "SETUP_INTENT", id: setupIntentId }
    const payment = { amount: 49.5, currency: "USD", promoCode: "SPRING100", providerReference }
    const { email, phoneNumber } = take("APPROVED")
    const { user, ...body } = newCase(productId)
    return partner.post("/api/v1/cases", { ...body, payment, user: { ...user, email, phoneNumber } })
  },
  "POST /api/v1/cases: an idempotency key again": async ({ next, partner, productId }) => {
    const create = partner.post("/api/v1/cases", { ...newCase(productId), idempotencyKey: `key ${next()}` })
    await create()
    return create
  },
  "POST /api/v1/dynamic-case: a new form": ({ next, partner }) =>
    partner.post("/api/v1/dynamic-case", formWith(`New form ${next()}`)),
  "POST /api/v1/dynamic-case: a known form, with a file elsewhere": ({ fileUrl, partner }) =>
    partner.post("/api/v1/dynamic-case", {
      ...formWith("Form 50"),
      questions: [
        question,
        { question: "Results?", type: "FILE", required: false, answer: [{ name: "results.txt", data: fileUrl }] }
      ]
    }),
  "POST /api/v1/customer-dynamic-case-form": ({ partner, take }) =>
    partner.post("/api/v1/customer-dynamic-case-form", {
      caseId: take().caseId,
      formTitle: "Follow-up",
      questions: [{ ...question, questionId: "weight" }]
    }),
  "POST /api/v1/cases/:caseId/CHANGE_CASE_STATUS: close": ({ partner, take }) =>
    partner.post(`/api/v1/cases/${take().caseId}`, { action: "CHANGE_CASE_STATUS", status: "CLOSE", reason: "Done" }),
  "POST /api/v1/cases/:caseId/CHANGE_CASE_STATUS: open": ({ partner, take }) =>
    partner.post(`/api/v1/cases/${take("ASSIGNED").caseId}`, { action: "CHANGE_CASE_STATUS", status: "OPEN" }),
  "POST /api/v1/cases/:caseId/UPDATE_CASE_PRODUCT": async ({ partner, productId }) => {
    const caseId = textAt(await partner.post("/api/v1/cases", newCase(productId))(), "data", "caseId")
    return partner.post(`/api/v1/cases/${caseId}`, {
      action: "UPDATE_CASE_PRODUCT",
      caseProductInput: { productId, status: "CLOSE", reason: "Done" }
    })
  },
  "POST /api/v1/cases/:caseId/ADD_ESCALATION": ({ partner, take }) =>
    partner.post(`/api/v1/cases/${take().caseId}`, { action: "ADD_ESCALATION", escalations: [escalation] }),
  "POST /api/v1/cases/:caseId/CREATE_CALENDAR_EVENT": ({ partner, take }) =>
    partner.post(`/api/v1/cases/${take().caseId}`, newEvent),
  "POST /api/v1/cases/:caseId/CANCEL_CALENDAR_EVENT": async (world) => {
    const { caseId, eventId } = await caseWithEvent(world)
    return world.partner.post(`/api/v1/cases/${caseId}`, { action: "CANCEL_CALENDAR_EVENT", calendar: { id: eventId } })
  },
  "GET /api/v1/calendar/appointments: of a day": ({ partner }) =>
    partner.get("/api/v1/calendar/appointments?start_date=2059-06-01&end_date=2059-06-01"),
  "GET /api/v1/calendar/appointments: of a patient": async (world) => {
    const { email } = await caseWithEvent(world)
    return world.partner.get(`/api/v1/calendar/appointments?user_email=${email}`)
  },
  "GET /api/v1/customer-case-detail: a case": ({ partner, take }) => partner.get(`${detail}?caseId=${take().caseId}`),
  "GET /api/v1/customer-case-detail: the newest case of an email": ({ partner, take }) =>
    partner.get(`${detail}?email=${take().email}`),
  "GET /api/v1/customer-case-detail: a case with everything": async (world) => {
    const caseId = await caseWithFile(world)
    const everything = "includeAttachments=true&includeCalendarEvents=true&includeOrders=true"
    return world.partner.get(`${detail}?caseId=${caseId}&${everything}`)
  },
  "POST /api/v1/cases/:caseId/PLACE_ORDER": newOrder,
  "POST /webhooks/pharmacy": shippedOrder,
  "GET /api/v1/documents/:documentId": async (world) => {
    const caseId = await caseWithFile(world)
    const query = `caseId=${caseId}&includeAttachments=true&documentFormat=url`
    const url = new URL(textAt(await world.partner.get(`${detail}?${query}`)(), "caseDetail", "attachments", 0, "url"))
    return world.partner.get(url.pathname + url.search)
  },
  "GET /api/v1/customer-latest-case-id: an email": ({ partner, take }) =>
    partner.get(`/api/v1/customer-latest-case-id?email=${take().email}`),
  "GET /api/v1/customer-latest-case-id: a phone number": ({ partner, take }) =>
    partner.get(`/api/v1/customer-latest-case-id?phoneNumber=${encodeURIComponent(take().phoneNumber)}`),
  "GET /api/v1/audit-records": ({ partner }) => partner.get("/api/v1/audit-records"),
  "GET /api/v1/audit-records: of a patient": ({ partner, take }) =>
    partner.get(`/api/v1/audit-records?userId=${take().userId}`),
  "GET /api/v1/promo-codes": ({ partner }) => partner.get("/api/v1/promo-codes?code=spring100"),
  "GET /api/v1/organization/bundles": ({ partner }) => partner.get("/api/v1/organization/bundles"),
  "GET /api/v1/organization/bundles: with a key's first request": async (world) =>
    (await firstRequest(world)).get("/api/v1/organization/bundles"),
  "GET /api/v1/organization/bundles/:bundleUUID": ({ bundleId, partner }) =>
    partner.get(`/api/v1/organization/bundles/${bundleId}`)
}
