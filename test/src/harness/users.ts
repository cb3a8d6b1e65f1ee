import { Effect } from "effect"
import { admin, call } from "./call.ts"
import { caseBody, createCase, makeClinic } from "./fixtures.ts"

/** The body of a refusal that names what there is. */
export const failed = (message: string) => ({ success: false, message })

/** The body of a refusal of what a request says. */
export const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })

/** A clinic, and a patient of it with an active case. */
export const clinicWithPatient = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const body = caseBody(clinic)
  const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
  return { clinic, user: body.user, caseId }
})

/** Asks for the own profile, with an access token if one is given. */
export const me = (key: string, token: string | undefined) =>
  call("GET", "/api/v1/users/me", { key, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })

/** Asks whether somebody exists. */
export const checkUser = (key: string, query: string) => call("GET", `/api/v1/check-user?${query}`, { key })

/** Asks for an action on a user. */
export const act = (key: string, action: "UPDATE_PROFILE" | "UPDATE_EMAIL", data: unknown) =>
  call("POST", "/api/v1/users", { key, body: { action, data } })

/** Adds a member of staff. */
export const addMember = (organizationId: string, email: string) =>
  admin("POST", `/organizations/${organizationId}/members`, {
    email,
    firstName: "Pat",
    lastName: "Staff",
    role: "SUPPORT"
  })
