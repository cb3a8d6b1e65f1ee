const text = { type: "string" } as const
const textOrNull = { type: "string", nullable: true } as const
const flag = { type: "boolean" } as const
const time = { type: "string", format: "date-time" } as const
const timeOrNull = { ...time, nullable: true } as const
const list = <Item>(items: Item) => ({ type: "array", items }) as const

const person = {
  type: "object",
  properties: {
    id: text,
    email: text,
    firstName: text,
    lastName: text,
    role: text,
    phoneNumber: text,
    isActive: flag,
    createdAt: time,
    updatedAt: time
  }
} as const
const personOrNull = { ...person, nullable: true } as const

const prescriber = {
  type: "object",
  properties: {
    firstName: text,
    lastName: text,
    title: text,
    titleSuffix: text,
    email: text,
    phoneNumber: text,
    npi: text,
    dea: text,
    address: text,
    address2: textOrNull,
    city: text,
    state: text,
    postalCode: text,
    country: textOrNull
  }
} as const

const attachment = {
  type: "object",
  properties: {
    id: text,
    fileName: text,
    contentType: text,
    size: { type: "integer" },
    uploadedAt: time,
    uploadedBy: person
  }
} as const

const comment = {
  type: "object",
  properties: {
    id: text,
    text,
    author: person,
    createdAt: time,
    isRestricted: flag,
    attachments: list(attachment)
  }
} as const

const medicine = {
  type: "object",
  properties: {
    id: text,
    medicine: text,
    dosage: text,
    refillCount: { type: "integer" },
    pharmacyInstructions: text,
    dosingFrequency: text,
    externalId: textOrNull,
    isRefill: flag,
    treatmentPeriod: text,
    isPriorAuthRequested: flag
  }
} as const

const decision = {
  type: "object",
  properties: {
    id: text,
    isApproved: flag,
    isNoDecision: flag,
    startDate: time,
    endDate: time,
    decisionText: text,
    category: textOrNull,
    createdAt: time,
    visitType: text,
    productId: textOrNull,
    addedBy: prescriber,
    medInfo: list(medicine)
  }
} as const

const detail = {
  type: "object",
  properties: {
    id: text,
    shortId: text,
    createdAt: time,
    updatedAt: time,
    title: text,
    status: text,
    type: text,
    submitter: person,
    assignedTo: personOrNull,
    assignedBy: personOrNull,
    inProgressAt: timeOrNull,
    closedAt: timeOrNull,
    isArchived: flag,
    comments: list(comment),
    notes: list(comment),
    decisions: list(decision)
  }
} as const

const identifier = { type: "string", maxLength: 320, format: "storable" } as const

/** The case detail's query and answer, which is written by it: the suite's, but for what only comes when asked for. */
export const caseDetailSchema = {
  querystring: { type: "object", properties: { caseId: identifier, email: identifier } },
  response: {
    200: { type: "object", properties: { status: { type: "integer" }, success: flag, caseDetail: detail } }
  }
} as const
