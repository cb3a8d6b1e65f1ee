import type { Fixtures } from "./Fixtures.ts"
import type { Operations, Recipe } from "./Operation.ts"

const noteOf = ({ text }: Fixtures) => ({
  fileName: `${text}.txt`,
  contentType: "text/plain",
  content: Buffer.from(text).toString("base64")
})

const ofCase =
  (make: "assignedCase" | "case" = "case"): Recipe =>
  async (of) => ({ params: { caseId: (await of[make]()).caseId } })

const list = { request: ofCase() }

/** What the care team does. */
export const backOffice = {
  "caseSearch.list": {
    request: async (of) => ({ query: { email: (await of.case()).email } }),
    also: {
      all: () => ({}),
      "those of a status, of an organization": ({ organizationId }) => ({
        query: { organizationId, status: "ASSIGNED", isArchived: "false" }
      }),
      "those of a status that few have": ({ organizationId }) => ({ query: { organizationId, status: "REJECTED" } }),
      "those of a provider": ({ providerId }) => ({ query: { assignedTo: providerId, status: "IN_PROGRESS" } }),
      "those that changed lately": ({ organizationId }) => ({
        query: { organizationId, updatedSince: new Date(Date.now() - 3_600_000).toISOString() }
      })
    },
    pages: { "the next page": () => ({}) }
  },
  "backOffice.case": list,
  "backOffice.assign": {
    request: async (of) => ({
      params: { caseId: (await of.assignedCase()).caseId },
      body: { providerId: of.providerId }
    })
  },
  "backOffice.start": { request: ofCase("assignedCase") },
  "backOffice.decide": {
    request: async (of) => ({
      params: { caseId: (await of.assignedCase()).caseId },
      body: {
        addedByUserId: of.providerId,
        isApproved: true,
        isNoDecision: false,
        decisionText: "Approved",
        visitType: "SYNC_VIDEO",
        startDate: "2026-01-01T00:00:00.000Z",
        endDate: "2026-04-01T00:00:00.000Z",
        medInfo: [{ medicine: "Semaglutide" }]
      }
    })
  },
  "backOffice.comment": {
    request: async (of) => ({
      params: { caseId: (await of.case()).caseId },
      body: { authorUserId: of.providerId, text: "How are you?", isRestricted: false, attachments: [noteOf(of)] }
    }),
    spares: ["attachments.*.contentType"]
  },
  "backOffice.attach": {
    request: async (of) => ({
      params: { caseId: (await of.case()).caseId },
      body: { uploadedByUserId: of.providerId, ...noteOf(of) }
    }),
    spares: ["contentType"]
  },
  "backOffice.completeEscalation": {
    request: async (of) => ({ params: { escalationId: await of.escalationId() } })
  },
  "adminOrders.change": {
    request: async (of) => ({
      params: { orderId: await of.orderId() },
      body: { status: "SHIPPED", carrierName: "UPS" }
    }),
    own: ["carrierName", "pharmacyOrderId"]
  },
  "caseLists.comments": list,
  "caseLists.decisions": list,
  "caseLists.attachments": list,
  "caseLists.orders": list,
  "caseLists.escalations": list,
  "caseLists.formResponses": list,
  "caseLists.calendarEvents": list,
  "caseLists.activity": list
} satisfies Partial<Operations>
