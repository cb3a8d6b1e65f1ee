import { Schema } from "effect"
import type { MakeRequest, Operations } from "./Operation.ts"
import { textAt } from "./textAt.ts"

const organizationParams: MakeRequest = ({ organizationId }) => ({ params: { organizationId } })
const notAboutPatients = "an organization is no patient"
const organizationKeys = "a key is an organization's"
const organizationRequests = "an organization's own requests, without their contents"
const clockOfSandbox = "a clock has no patient"
const onlyKeys = "keys are changed, and what they seal is neither read nor told"
const idsAndTimes = "ids and times alone"
const wouldRecordItself = "ids and times alone: a record of each look would be looked at, too"
const auditQuery: MakeRequest = ({ organizationId }) => ({
  params: { service: "cases", organizationId },
  query: { limit: "100" }
})

const decodePiece = Schema.decodeUnknownSync(Schema.Struct({ sealed: Schema.String }))

// A month without records.
const archivedChain = ({ organizationId }: Parameters<MakeRequest>[0]) => ({
  params: { service: "cases", month: "2020-01", organizationId }
})

const pieceOf = async (fixtures: Parameters<MakeRequest>[0]) => {
  const { sealed } = decodePiece(await fixtures.send("auditArchives.piece", archivedChain(fixtures)))
  return { sealed }
}

const newIncident: MakeRequest = () => ({
  body: { title: "Orders are late", impact: "DEGRADED", text: "The pharmacy does not answer." }
})

const decodeIncident = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))

/** The operations of operators, and those that the gateway answers itself. */
export const administration = {
  "organizations.create": {
    request: () => ({ body: { name: "Another clinic" } }),
    unaudited: notAboutPatients,
    organizationFields: true
  },
  "organizations.list": {
    request: () => ({}),
    pages: { "the next page": () => ({}) },
    unaudited: notAboutPatients
  },
  "organizations.get": { request: organizationParams, unaudited: notAboutPatients },
  "organizations.update": {
    request: ({ organizationId }) => ({ params: { organizationId }, body: { name: "Bench", isDisabled: false } }),
    unaudited: notAboutPatients,
    organizationFields: true
  },
  "apiKeys.issue": {
    request: ({ organizationId }) => ({ params: { organizationId }, body: { label: "another" } }),
    changesAccess: true,
    organizationFields: true
  },
  "apiKeys.list": {
    request: organizationParams,
    variants: {
      "those that ended": ({ organizationId }) => ({ params: { organizationId }, query: { isActive: "false" } })
    },
    pages: { "the next page": organizationParams },
    unaudited: organizationKeys
  },
  "apiKeys.change": {
    request: async (fixtures) => ({
      params: { apiKeyId: (await fixtures.apiKey()).id },
      body: { label: "changed", scopes: ["cases:read"] }
    }),
    changesAccess: true,
    organizationFields: true
  },
  "apiKeys.rotate": {
    request: async (fixtures) => ({ params: { apiKeyId: (await fixtures.apiKey()).id }, body: { overlapSeconds: 60 } }),
    changesAccess: true,
    organizationFields: true
  },
  "apiKeys.revoke": {
    request: async (fixtures) => ({ params: { apiKeyId: (await fixtures.apiKey()).id } }),
    changesAccess: true
  },
  "requestLogs.list": {
    // No request fails so, and the answer stays the same while others are logged.
    request: () => ({ query: { status: "5xx" } }),
    variants: {
      "those that failed": () => ({ query: { status: "4xx", limit: "20" } }),
      "one request": () => ({ query: { requestId: "0b9f2c8e-6c1d-4f43-9d55-2f8a7c1e4b60" } }),
      "those of an operation": () => ({ query: { method: "GET", path: "/api/v1/nothing" } })
    },
    pages: { "the next page": () => ({}) },
    foreign: { status: 200 },
    unaudited: organizationRequests
  },
  "testMessages.list": {
    request: () => ({}),
    pages: { "the next page": () => ({}) },
    foreign: { status: 200 },
    unaudited: notAboutPatients
  },
  "adminRequestLogs.list": {
    request: ({ organizationId }) => ({ query: { organizationId } }),
    pages: { "the next page": ({ organizationId }) => ({ query: { organizationId } }) },
    unaudited: organizationRequests
  },
  "adminRequestLogs.days": {
    request: ({ organizationId }) => ({ query: { organizationId } }),
    unaudited: organizationRequests
  },
  "testClock.get": { request: () => ({}), foreign: { status: 200 }, unaudited: clockOfSandbox },
  "testClock.advance": {
    request: () => ({ body: { by: "PT1S" } }),
    foreign: { status: 200 },
    addsNothing: []
  },
  "testClock.find": {
    request: async ({ send }) => ({
      params: { advanceId: textAt(await send("testClock.advance", { body: { by: "PT1S" } }), "data", "advance", "id") }
    }),
    foreign: { status: 404 },
    unaudited: clockOfSandbox
  },
  "testReset.reset": { request: () => ({}), foreign: { status: 200 }, addsNothing: [] },
  "messages.list": {
    request: async (fixtures) => ({ query: { to: (await fixtures.case()).email } }),
    variants: {
      all: () => ({}),
      "those of a channel": () => ({ query: { channel: "SMS" } })
    },
    pages: { "the next page": () => ({}) },
    unaudited: "the mailbox of development, which is not there where messages are really sent"
  },
  "auditRecords.list": {
    request: async (fixtures) => ({ query: { userId: (await fixtures.case()).userId } }),
    variants: { all: () => ({}) },
    foreign: { status: 200 },
    unaudited: wouldRecordItself
  },
  "jobs.list": {
    request: () => ({}),
    variants: {
      "those that failed": () => ({ query: { state: "failed" } })
    },
    pages: { "those of a queue, the next page": () => ({ query: { queue: "assignment" } }) },
    unaudited: "what a job carries is never shown",
    organizationFields: true
  },
  "jobs.retry": {
    request: async (fixtures) => ({ params: { jobId: await fixtures.failedJobId() } }),
    unaudited: "what a job carries is never shown; what it does it records"
  },
  "audit.list": {
    request: async (fixtures) => ({ query: { caseId: (await fixtures.case()).caseId } }),
    variants: {
      all: () => ({}),
      "of an organization, an action": ({ organizationId }) => ({ query: { organizationId, action: "CASE_STARTED" } }),
      "of a patient": async (fixtures) => ({ query: { userId: (await fixtures.case()).userId } })
    },
    unaudited: wouldRecordItself
  },
  "audit.heads": { request: () => ({ params: { service: "cases" } }), unaudited: "counts and hashes" },
  "audit.links": { request: auditQuery, unaudited: idsAndTimes },
  "audit.checkpoints": { request: auditQuery, unaudited: "counts and hashes" },
  "audit.strays": { request: auditQuery, unaudited: idsAndTimes },
  "auditArchives.chains": {
    request: () => ({ params: { service: "cases", month: "2020-01" } }),
    unaudited: "counts and hashes"
  },
  "auditArchives.piece": { request: archivedChain, unaudited: idsAndTimes },
  "auditArchives.check": {
    request: async (fixtures) => ({ ...archivedChain(fixtures), body: await pieceOf(fixtures) }),
    unaudited: idsAndTimes,
    unmarkedFields: ["sealed", "proof"]
  },
  "auditArchives.remove": {
    request: () => ({ params: { service: "cases", month: "2020-01" }, body: {} }),
    unaudited: idsAndTimes
  },
  "phiKeys.list": { request: () => ({}), unaudited: onlyKeys },
  "phiKeys.rotate": {
    request: () => ({ body: {} }),
    unaudited: onlyKeys,
    unmarkedFields: ["from"]
  },
  "reconciliations.sweep": {
    request: () => ({ body: {} }),
    unaudited: "ids alone: what the providers told is recorded as a change of what it changes"
  },
  "serviceHealth.list": { request: () => ({}), unaudited: "counts and times" },
  "incidents.open": { request: newIncident, unaudited: "nothing about a patient", organizationFields: true },
  "incidents.list": { request: () => ({}), unaudited: "nothing about a patient" },
  "incidents.update": {
    request: async (fixtures) => ({
      params: { incidentId: decodeIncident(await fixtures.send("incidents.open", await newIncident(fixtures))).id },
      body: { text: "The database answers again.", isResolved: true }
    }),
    unaudited: "nothing about a patient",
    organizationFields: true
  },
  "troubles.list": { request: () => ({}), unaudited: "counts" },
  "usage.list": { request: organizationParams, unaudited: "counts" },
  "usage.rateLimits": { request: organizationParams, unaudited: "counts" }
} satisfies Partial<Operations>
