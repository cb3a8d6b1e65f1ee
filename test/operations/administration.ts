import type { Operations, Recipe } from "./Operation.ts"

const organization: Recipe = ({ organizationId }) => ({ params: { organizationId } })
const noPatient = "an organization is no patient"
const key = "a key is an organization's"
const phiKeys = "keys are changed, and what they seal is neither read nor told"
const ids = "ids and times alone"
const looks = "ids and times alone: a record of each look would be looked at, too"
const audit: Recipe = ({ organizationId }) => ({
  params: { service: "cases", organizationId },
  query: { limit: "100" }
})

/** What operators do, and what the gateway answers itself. */
export const administration = {
  "organizations.create": { request: () => ({ body: { name: "Another clinic" } }), unaudited: noPatient, own: true },
  "organizations.list": {
    request: () => ({}),
    pages: { "the next page": () => ({}) },
    unaudited: noPatient
  },
  "organizations.get": { request: organization, unaudited: noPatient },
  "organizations.update": {
    request: ({ organizationId }) => ({ params: { organizationId }, body: { name: "Bench", isDisabled: false } }),
    unaudited: noPatient,
    own: true
  },
  "apiKeys.issue": {
    request: ({ organizationId }) => ({ params: { organizationId }, body: { label: "another" } }),
    unaudited: key,
    own: true
  },
  "apiKeys.list": {
    request: organization,
    pages: { "the next page": organization },
    unaudited: key
  },
  "apiKeys.revoke": { request: async (of) => ({ params: { apiKeyId: (await of.apiKey()).id } }), unaudited: key },
  "messages.list": {
    request: async (of) => ({ query: { to: (await of.case()).email } }),
    also: {
      all: () => ({}),
      "those of a channel": () => ({ query: { channel: "SMS" } })
    },
    pages: { "the next page": () => ({}) },
    unaudited: "the mailbox of development, which is not there where messages are really sent"
  },
  "auditRecords.list": {
    request: async (of) => ({ query: { userId: (await of.case()).userId } }),
    also: { all: () => ({}) },
    foreign: { status: 200 },
    unaudited: looks
  },
  "jobs.list": {
    request: () => ({}),
    also: {
      "those that failed": () => ({ query: { state: "failed" } })
    },
    pages: { "those of a queue, the next page": () => ({ query: { queue: "assignment" } }) },
    unaudited: "what a job carries is never shown",
    own: true
  },
  "jobs.retry": {
    request: async (of) => ({ params: { jobId: await of.failedJobId() } }),
    unaudited: "what a job carries is never shown; what it does it records"
  },
  "audit.list": {
    request: async (of) => ({ query: { caseId: (await of.case()).caseId } }),
    also: {
      all: () => ({}),
      "of an organization, an action": ({ organizationId }) => ({ query: { organizationId, action: "CASE_STARTED" } }),
      "of a patient": async (of) => ({ query: { userId: (await of.case()).userId } })
    },
    unaudited: looks
  },
  "audit.heads": { request: () => ({ params: { service: "cases" } }), unaudited: "counts and hashes" },
  "audit.links": { request: audit, unaudited: ids },
  "audit.strays": { request: audit, unaudited: ids },
  "phiKeys.list": { request: () => ({}), unaudited: phiKeys },
  "phiKeys.rotate": {
    request: () => ({ body: {} }),
    unaudited: phiKeys,
    spares: ["from"]
  },
  "reconciliations.sweep": {
    request: () => ({ body: {} }),
    unaudited: "ids alone: what the providers told is recorded as a change of what it changes"
  },
  "usage.list": { request: organization, unaudited: "counts" }
} satisfies Partial<Operations>
