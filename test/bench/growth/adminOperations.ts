import type { OperationTable } from "./OperationTable.ts"
import {
  addedEscalation,
  formerPatientId,
  joinedProvider,
  newBundle,
  newPatientId,
  nextPage,
  note,
  orderAtPharmacy,
  retiredJob
} from "./preparations.ts"
import { textAt } from "./World.ts"

/** What operators and the care team do. */
export const adminOperations: OperationTable = {
  "GET /admin/v1/audit": ({ operator }) => operator.get("/admin/v1/audit"),
  "GET /admin/v1/audit: of an organization, an action": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/audit?organizationId=${organizationId}&action=CASE_STARTED`),
  "GET /admin/v1/audit: of a case": ({ operator, take }) => operator.get(`/admin/v1/audit?caseId=${take().caseId}`),
  "GET /admin/v1/audit: of a patient": ({ operator, take }) => operator.get(`/admin/v1/audit?userId=${take().userId}`),
  "GET /admin/v1/audit/heads/:service": ({ operator }) => operator.get("/admin/v1/audit/heads/cases"),
  "GET /admin/v1/audit/links/:service/:organizationId": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/audit/links/cases/${organizationId}?limit=100`),
  "GET /admin/v1/audit/strays/:service/:organizationId": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/audit/strays/cases/${organizationId}?limit=100`),
  "GET /admin/v1/cases": ({ operator }) => operator.get("/admin/v1/cases"),
  "GET /admin/v1/cases: the next page": (world) => nextPage(world, "/admin/v1/cases?limit=20"),
  "GET /admin/v1/cases: those of a status, of an organization": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/cases?organizationId=${organizationId}&status=ASSIGNED&isArchived=false`),
  "GET /admin/v1/cases: those of a status that few have": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/cases?organizationId=${organizationId}&status=REJECTED`),
  "GET /admin/v1/cases: those of a provider": ({ operator, providerId }) =>
    operator.get(`/admin/v1/cases?assignedTo=${providerId}&status=IN_PROGRESS`),
  "GET /admin/v1/cases: those of a patient": ({ operator, take }) =>
    operator.get(`/admin/v1/cases?email=${take().email}`),
  "GET /admin/v1/cases: those that changed lately": ({ operator, organizationId }) =>
    operator.get(
      `/admin/v1/cases?organizationId=${organizationId}&updatedSince=${new Date(Date.now() - 3_600_000).toISOString()}`
    ),
  "GET /admin/v1/cases/:caseId": ({ operator, take }) => operator.get(`/admin/v1/cases/${take().caseId}`),
  "GET /admin/v1/cases/:caseId/comments": ({ operator, take }) =>
    operator.get(`/admin/v1/cases/${take().caseId}/comments`),
  "GET /admin/v1/cases/:caseId/decisions": ({ operator, take }) =>
    operator.get(`/admin/v1/cases/${take().caseId}/decisions`),
  "GET /admin/v1/cases/:caseId/attachments": ({ operator, take }) =>
    operator.get(`/admin/v1/cases/${take().caseId}/attachments`),
  "GET /admin/v1/cases/:caseId/orders": ({ operator, take }) => operator.get(`/admin/v1/cases/${take().caseId}/orders`),
  "GET /admin/v1/cases/:caseId/escalations": ({ operator, take }) =>
    operator.get(`/admin/v1/cases/${take().caseId}/escalations`),
  "POST /admin/v1/escalations/:escalationId/complete": async (world) =>
    world.operator.post(`/admin/v1/escalations/${await addedEscalation(world)}/complete`, undefined),
  "GET /admin/v1/cases/:caseId/form-responses": ({ operator, take }) =>
    operator.get(`/admin/v1/cases/${take().caseId}/form-responses`),
  "GET /admin/v1/cases/:caseId/calendar-events": ({ operator, take }) =>
    operator.get(`/admin/v1/cases/${take().caseId}/calendar-events`),
  "GET /admin/v1/cases/:caseId/activity": ({ operator, take }) =>
    operator.get(`/admin/v1/cases/${take().caseId}/activity`),
  "POST /admin/v1/cases/:caseId/assign": ({ operator, providerId, take }) =>
    operator.post(`/admin/v1/cases/${take("ASSIGNED").caseId}/assign`, { providerId }),
  "POST /admin/v1/cases/:caseId/start": ({ operator, take }) =>
    operator.post(`/admin/v1/cases/${take("ASSIGNED").caseId}/start`, undefined),
  "POST /admin/v1/cases/:caseId/decisions": ({ operator, providerId, take }) =>
    operator.post(`/admin/v1/cases/${take("ASSIGNED").caseId}/decisions`, {
      addedByUserId: providerId,
      isApproved: true,
      isNoDecision: false,
      decisionText: "Approved",
      visitType: "SYNC_VIDEO",
      startDate: "2026-01-01T00:00:00.000Z",
      endDate: "2026-04-01T00:00:00.000Z",
      medInfo: [{ medicine: "Semaglutide" }]
    }),
  "POST /admin/v1/cases/:caseId/comments": ({ operator, providerId, take }) =>
    operator.post(`/admin/v1/cases/${take().caseId}/comments`, {
      authorUserId: providerId,
      text: "How are you?",
      isRestricted: false,
      attachments: [note]
    }),
  "POST /admin/v1/cases/:caseId/attachments": ({ operator, providerId, take }) =>
    operator.post(`/admin/v1/cases/${take().caseId}/attachments`, { uploadedByUserId: providerId, ...note }),
  "PATCH /admin/v1/orders/:orderId": async (world) =>
    world.operator.patch(`/admin/v1/orders/${await orderAtPharmacy(world)}`, { status: "SHIPPED", carrierName: "UPS" }),
  "GET /admin/v1/organizations/:organizationId/usage": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/organizations/${organizationId}/usage`),
  "POST /admin/v1/organizations/:organizationId/products": ({ operator, organizationId }) =>
    operator.post(`/admin/v1/organizations/${organizationId}/products`, { name: "Another program" }),
  "POST /admin/v1/organizations/:organizationId/forms": ({ next, operator, organizationId }) =>
    operator.post(`/admin/v1/organizations/${organizationId}/forms`, {
      title: `Stored form ${next()}`,
      questions: [{ question: "How much do you weigh?", type: "TEXT", required: true }]
    }),
  // Of another organization, so that the list of bundles stays as long as it is.
  "POST /admin/v1/organizations/:organizationId/bundles": async (world) => {
    const created = await world.operator.post("/admin/v1/organizations", { name: "Bundles" })()
    return world.operator.post(`/admin/v1/organizations/${textAt(created, "id")}/bundles`, newBundle)
  },
  "POST /admin/v1/promo-codes": ({ next, operator, organizationId }) =>
    operator.post("/admin/v1/promo-codes", { code: `Created ${next()}`, organizationId, flatDiscount: 25 }),
  "GET /admin/v1/promo-codes": ({ operator }) => operator.get("/admin/v1/promo-codes"),
  "GET /admin/v1/promo-codes: the next page of an organization": (world) =>
    nextPage(world, `/admin/v1/promo-codes?organizationId=${world.organizationId}&limit=5`),
  "GET /admin/v1/promo-codes: those of a name that many have": ({ operator }) =>
    operator.get("/admin/v1/promo-codes?code=welcome"),
  "PATCH /admin/v1/promo-codes/:promoCodeId": async ({ next, operator, organizationId }) => {
    const promo = { code: `Changed ${next()}`, organizationId, percentDiscount: 10 }
    const made = await operator.post("/admin/v1/promo-codes", promo)()
    return operator.patch(`/admin/v1/promo-codes/${textAt(made, "id")}`, { isActive: false })
  },
  "POST /admin/v1/organizations": ({ operator }) =>
    operator.post("/admin/v1/organizations", { name: "Another clinic" }),
  "GET /admin/v1/organizations": ({ operator }) => operator.get("/admin/v1/organizations"),
  "GET /admin/v1/organizations: the next page": (world) => nextPage(world, "/admin/v1/organizations?limit=20"),
  "GET /admin/v1/organizations/:organizationId": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/organizations/${organizationId}`),
  "PATCH /admin/v1/organizations/:organizationId": ({ operator, organizationId }) =>
    operator.patch(`/admin/v1/organizations/${organizationId}`, { name: "Bench", isDisabled: false }),
  "POST /admin/v1/organizations/:organizationId/api-keys": ({ operator, organizationId }) =>
    operator.post(`/admin/v1/organizations/${organizationId}/api-keys`, { label: "another" }),
  "GET /admin/v1/organizations/:organizationId/api-keys": ({ operator, organizationId }) =>
    operator.get(`/admin/v1/organizations/${organizationId}/api-keys`),
  "GET /admin/v1/organizations/:organizationId/api-keys: the next page": (world) =>
    nextPage(world, `/admin/v1/organizations/${world.organizationId}/api-keys?limit=20`),
  "DELETE /admin/v1/api-keys/:apiKeyId": async ({ operator, organizationId }) => {
    const issued = await operator.post(`/admin/v1/organizations/${organizationId}/api-keys`, {})()
    return operator.delete(`/admin/v1/api-keys/${textAt(issued, "id")}`)
  },
  "POST /admin/v1/organizations/:organizationId/members: a provider for whom 10 cases wait, until they are assigned":
    joinedProvider,
  "DELETE /admin/v1/users/:userId": ({ operator, take }) => operator.delete(`/admin/v1/users/${take().userId}`),
  "DELETE /admin/v1/users/:userId: a member of staff": async ({ next, operator, organizationId }) => {
    const member = { firstName: "Jane", lastName: "Rivera", role: "SUPPORT", email: `left${next()}@example.com` }
    const made = await operator.post(`/admin/v1/organizations/${organizationId}/members`, member)()
    return operator.delete(`/admin/v1/users/${textAt(made, "id")}`)
  },
  "GET /admin/v1/messages": ({ operator }) => operator.get("/admin/v1/messages"),
  "GET /admin/v1/messages: the next page": (world) => nextPage(world, "/admin/v1/messages?limit=20"),
  "GET /admin/v1/messages: those to a receiver": ({ operator, take }) =>
    operator.get(`/admin/v1/messages?to=${take().email}`),
  "GET /admin/v1/messages: those of a channel": ({ operator }) => operator.get("/admin/v1/messages?channel=SMS"),
  "GET /admin/v1/jobs": ({ operator }) => operator.get("/admin/v1/jobs"),
  "GET /admin/v1/jobs: those that failed": ({ operator }) => operator.get("/admin/v1/jobs?state=failed"),
  "GET /admin/v1/jobs: those of a queue, the next page": (world) =>
    nextPage(world, "/admin/v1/jobs?queue=assignment&limit=20"),
  "GET /admin/v1/phi-keys": ({ operator }) => operator.get("/admin/v1/phi-keys"),
  "POST /admin/v1/phi-keys/rotate": ({ operator }) => operator.post("/admin/v1/phi-keys/rotate", {}),
  "POST /admin/v1/reconciliations": ({ operator }) => operator.post("/admin/v1/reconciliations", {}),
  // What was seeded of a patient was sealed for other places than its own.
  "GET /admin/v1/users/:userId/export": async (world) =>
    world.operator.get(`/admin/v1/users/${await newPatientId(world)}/export`),
  "POST /admin/v1/users/:userId/erase": async (world) =>
    world.operator.post(`/admin/v1/users/${await newPatientId(world)}/erase`, { force: true }),
  "POST /admin/v1/users/:userId/erase: without an active case": async (world) =>
    world.operator.post(`/admin/v1/users/${await formerPatientId(world)}/erase`, {}),
  "POST /admin/v1/jobs/:jobId/retry": async (world) =>
    world.operator.post(`/admin/v1/jobs/${await retiredJob(world)}/retry`, undefined)
}
