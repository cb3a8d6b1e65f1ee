import type { Fixtures } from "./Fixtures.ts"
import type { MakeRequest, Operation, Operations } from "./Operation.ts"

const fileBody = ({ text }: Fixtures) => ({
  fileName: `${text}.txt`,
  contentType: "text/plain",
  content: Buffer.from(text).toString("base64")
})

const notDone = { status: "ACTIVE", isArchived: "false", order: "OLDEST" }

const ofCase =
  (make: "assignedCase" | "case" = "case"): MakeRequest =>
  async (fixtures) => ({ params: { caseId: (await fixtures[make]()).caseId } })

const ofAnyCase = { request: ofCase() }

const forProvider =
  (makeRequest: MakeRequest): MakeRequest =>
  async (fixtures) => ({ ...(await makeRequest(fixtures)), ...(await fixtures.providerSession()) })

const ofCaseOfProvider: MakeRequest = async (fixtures) => {
  const { params = {} } = await ofCase("assignedCase")(fixtures)
  await fixtures.send("backOffice.assign", { params, body: { providerId: fixtures.providerId } })
  return { params }
}

const ofAnyCaseAndForProvider = {
  ...ofAnyCase,
  measured: { "for its provider": { request: forProvider(ofCaseOfProvider) } }
}

const ofViewer: Operation = {
  request: async (fixtures) => ({ ...(await ofCase()(fixtures)), headers: (await fixtures.staff()).headers }),
  unaudited: "it says who of the staff looks at a case, and shows nothing of it"
}

/** The operations of the care team. */
export const backOffice = {
  "caseSearch.list": {
    request: async (fixtures) => ({ query: { email: (await fixtures.case()).email } }),
    variants: {
      all: () => ({}),
      "those of a status, of an organization": ({ organizationId }) => ({
        query: { organizationId, status: "ASSIGNED", isArchived: "false" }
      }),
      "those of a status that few have": ({ organizationId }) => ({ query: { organizationId, status: "REJECTED" } }),
      "those of a provider": ({ providerId }) => ({ query: { assignedTo: providerId, status: "IN_PROGRESS" } }),
      "the oldest that wait": ({ organizationId }) => ({ query: { organizationId, status: "OPEN", order: "OLDEST" } }),
      "the oldest that are not done": ({ organizationId }) => ({ query: { ...notDone, organizationId } }),
      "the most urgent": ({ organizationId }) => ({ query: { organizationId, status: "ACTIVE", order: "URGENCY" } }),
      "those of the last day": ({ organizationId }) => ({
        query: { organizationId, createdSince: new Date(Date.now() - 86_400_000).toISOString() }
      }),
      "those that changed lately": ({ organizationId }) => ({
        query: { organizationId, updatedSince: new Date(Date.now() - 3_600_000).toISOString() }
      })
    },
    measured: {
      "the oldest that are not done, for a provider": { request: forProvider(() => ({ query: notDone })) },
      "the oldest that wait, for a provider": {
        request: forProvider(() => ({ query: { ...notDone, status: "OPEN" } }))
      }
    },
    pages: {
      "the next page": () => ({}),
      "the next page, oldest first": ({ organizationId }) => ({ query: { organizationId, order: "OLDEST" } }),
      "the next page of the oldest that are not done": ({ organizationId }) => ({
        query: { ...notDone, organizationId }
      }),
      "the next page, most urgent first": ({ organizationId }) => ({ query: { organizationId, order: "URGENCY" } })
    }
  },
  "caseSearch.find": {
    request: async (fixtures) => ({
      body: { organizationId: fixtures.organizationId, q: (await fixtures.case()).email }
    }),
    variants: {
      "by an id": async (fixtures) => ({
        body: { organizationId: fixtures.organizationId, q: (await fixtures.case()).caseId }
      }),
      "by a phone number": async (fixtures) => ({
        body: { organizationId: fixtures.organizationId, q: (await fixtures.case()).phoneNumber }
      }),
      "by the beginning of a name that all have": ({ organizationId }) => ({ body: { organizationId, q: "maria" } })
    },
    measured: {
      "by the beginning of a name that all have, for a provider": {
        request: forProvider(({ organizationId }) => ({ body: { organizationId, q: "maria" } }))
      }
    }
  },
  "backOffice.case": ofAnyCaseAndForProvider,
  "backOffice.assign": {
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.assignedCase()).caseId },
      body: { providerId: fixtures.providerId }
    }),
    variants: {
      "of one that has no other provider": async (fixtures) => ({
        params: { caseId: (await fixtures.assignedCase()).caseId },
        body: { providerId: fixtures.providerId, onlyIfUnassigned: true }
      })
    }
  },
  "backOffice.assignAll": {
    request: async (fixtures) => ({
      body: {
        organizationId: fixtures.organizationId,
        caseIds: [(await fixtures.assignedCase()).caseId],
        providerId: fixtures.providerId
      }
    })
  },
  "backOffice.start": { request: ofCase("assignedCase") },
  "backOffice.decide": {
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.assignedCase()).caseId },
      body: {
        addedByUserId: fixtures.providerId,
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
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.case()).caseId },
      body: {
        authorUserId: fixtures.providerId,
        text: "How are you?",
        isRestricted: false,
        attachments: [fileBody(fixtures)]
      }
    }),
    unmarkedFields: ["attachments.*.contentType"]
  },
  "backOffice.attach": {
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.case()).caseId },
      body: { uploadedByUserId: fixtures.providerId, ...fileBody(fixtures) }
    }),
    unmarkedFields: ["contentType"]
  },
  "backOffice.completeEscalation": {
    request: async (fixtures) => ({ params: { escalationId: await fixtures.escalationId() } })
  },
  "caseChart.patient": ofAnyCaseAndForProvider,
  "caseChart.file": {
    request: async (fixtures) => {
      const { caseId, documentUrl } = await fixtures.caseWithFile()
      return { params: { caseId, documentId: new URL(documentUrl).pathname.split("/").at(-1) ?? "" } }
    }
  },
  "caseViewers.look": ofViewer,
  "caseViewers.leave": ofViewer,
  "breakGlass.open": {
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.case()).caseId },
      body: { reason: fixtures.text, userId: fixtures.providerId }
    })
  },
  "breakGlass.list": {
    request: ({ organizationId }) => ({ query: { organizationId } }),
    variants: { all: () => ({}) },
    pages: { "the next page": ({ organizationId }) => ({ query: { organizationId } }) }
  },
  "adminOrders.change": {
    request: async (fixtures) => ({
      params: { orderId: await fixtures.orderId() },
      body: { status: "SHIPPED", carrierName: "UPS" }
    }),
    organizationFields: ["carrierName", "pharmacyOrderId"]
  },
  "adminOrders.inError": {
    request: async (fixtures) => {
      await fixtures.failedOrder()
      return { query: { organizationId: fixtures.organizationId } }
    },
    pages: { "the next page": ({ organizationId }) => ({ query: { organizationId } }) }
  },
  "adminEscalations.add": {
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.newCase()).caseId },
      body: {
        escalations: [{ type: "clinical", title: "Lab Review", note: fixtures.text }]
      }
    }),
    unmarkedFields: ["escalations.*.title", "escalations.*.assignedToEmail"],
    quotes: "the text has the title, and names unknown fields"
  },
  "adminEscalations.list": {
    request: async (fixtures) => {
      await fixtures.escalationId()
      return { query: { organizationId: fixtures.organizationId } }
    },
    variants: {
      "those that are completed": ({ organizationId }) => ({ query: { organizationId, state: "COMPLETED" } }),
      "those that nobody has": ({ organizationId }) => ({ query: { organizationId, isUnassigned: "true" } }),
      "those that nobody has, completed": ({ organizationId }) => ({
        query: { organizationId, isUnassigned: "true", state: "COMPLETED" }
      }),
      "those of a member": ({ organizationId, providerId }) => ({ query: { organizationId, assignedTo: providerId } })
    },
    pages: {
      "the next page of those that are completed": ({ organizationId }) => ({
        query: { organizationId, state: "COMPLETED" }
      })
    }
  },
  "dashboard.read": {
    request: ({ organizationId }) => ({ query: { organizationId } }),
    unaudited: "counts"
  },
  "caseLists.comments": ofAnyCase,
  "caseLists.decisions": ofAnyCase,
  "caseLists.attachments": ofAnyCase,
  "caseLists.orders": ofAnyCase,
  "caseLists.escalations": ofAnyCase,
  "caseLists.formResponses": ofAnyCase,
  "caseLists.calendarEvents": ofAnyCase,
  "caseLists.activity": ofAnyCase,
  "caseLists.timeline": {
    ...ofAnyCase,
    measured: ofAnyCaseAndForProvider.measured,
    variants: {
      "entries of a kind": async (fixtures) => ({ ...(await ofCase()(fixtures)), query: { kind: "COMMENT" } })
    }
  }
} satisfies Partial<Operations>
