import { Effect } from "effect"
import { admin, call } from "./call.ts"

/** An organization with a key and a product. */
export interface Clinic {
  readonly organizationId: string
  readonly key: string
  readonly keyId: string
  readonly productId: string
}

/** Makes an organization with a key and a product. */
export const makeClinic = Effect.gen(function* () {
  const organizationId: string = (yield* admin("POST", "/organizations", { name: "Test clinic" })).json.id
  const issued = (yield* admin("POST", `/organizations/${organizationId}/api-keys`, {})).json
  const product = yield* admin("POST", `/organizations/${organizationId}/products`, { name: "Semaglutide program" })
  const clinic: Clinic = { organizationId, key: issued.key, keyId: issued.id, productId: product.json.id }
  return clinic
})

/** Makes the sandbox of an organization, with a test key and a product. */
export const makeSandbox = Effect.fnUntraced(function* (live: Pick<Clinic, "organizationId">) {
  const issued = yield* admin("POST", `/organizations/${live.organizationId}/api-keys`, { mode: "test" })
  const { id, key, organizationId } = issued.json
  const product = yield* admin("POST", `/organizations/${organizationId}/products`, { name: "Semaglutide program" })
  const sandbox: Clinic = { organizationId, key, keyId: id, productId: product.json.id }
  return sandbox
})

let patients = 0

/** Returns the data of a new patient. */
export const newPatient = () => {
  patients += 1
  const number = String(2_000_000 + patients)
  return {
    firstName: "Maria",
    lastName: "Lopez",
    email: `maria.${number}@example.com`,
    phoneNumber: `+1415${number}`,
    dob: "1988-04-12",
    gender: "FEMALE",
    shippingAddress: { addressLine1: "500 Howard Street", city: "San Francisco", state: "CA", country: "US" }
  }
}

let staff = 0

/** Adds a member of staff to an organization, by default a provider, and returns the id. */
export const addStaff = ({ organizationId }: Pick<Clinic, "organizationId">, changes: object = {}) => {
  staff += 1
  const person = { email: `staff.${staff}.${organizationId}@example.com`, firstName: "Jane", lastName: "Rivera" }
  const added = admin("POST", `/organizations/${organizationId}/members`, { ...person, role: "PROVIDER", ...changes })
  return Effect.map(added, ({ json }): string => json.id)
}

/** Returns the body of a decision; it approves by default. */
export const decisionBody = (addedByUserId: string, changes: object = {}) => ({
  addedByUserId,
  isApproved: true,
  isNoDecision: false,
  decisionText: "Decided",
  visitType: "SYNC_VIDEO",
  startDate: "2026-01-01T00:00:00.000Z",
  endDate: "2026-04-01T00:00:00.000Z",
  medInfo: [],
  ...changes
})

/** Returns a body of case creation that is accepted. */
export const caseBody = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = {}) => ({
  user: newPatient(),
  products: [
    {
      id: clinic.productId,
      visitType: "SYNC_VIDEO",
      form: {
        title: "Intake",
        questions: [
          { question: "How much do you weigh?", answer: "185", type: "TEXT", required: true, phi: true },
          { question: "Allergies?", answer: "No", type: "SINGLESELECT", options: ["Yes", "No"] }
        ]
      }
    }
  ],
  ...changes
})

/** A question of a dynamic case, with its answer. */
export const weightQuestion = {
  question: "How much do you weigh?",
  type: "TEXT",
  required: true,
  phi: true,
  answer: "185"
}

/** Returns a body for a dynamic case that is accepted. */
export const dynamicBody = (changes: Readonly<Record<string, unknown>> = {}) => {
  const { email, firstName, lastName, phoneNumber } = newPatient()
  return { firstName, lastName, email, phoneNumber, formTitle: "Intake", questions: [weightQuestion], ...changes }
}

/** Creates a case. */
export const createCase = (clinic: Clinic, body: unknown) => call("POST", "/api/v1/cases", { key: clinic.key, body })
