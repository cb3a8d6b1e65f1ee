import { Effect } from "effect"
import { admin, call } from "./call.ts"
import { caseBody, createCase, makeClinic } from "./fixtures.ts"

/** Returns the body of a refusal with a message. */
export const failed = (message: string) => ({ success: false, message })

/** Returns the body of a refusal of an invalid request. */
export const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })

/** Makes a clinic with a patient who has an active case. */
export const clinicWithPatient = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const body = caseBody(clinic)
  const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
  return { clinic, user: body.user, caseId }
})

/** Requests the signed-in user's profile, with an access token if one is given. */
export const getProfile = (key: string, token: string | undefined) =>
  call("GET", "/api/v1/users/me", { key, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })

/** Requests whether a user exists. */
export const checkUser = (key: string, query: string) => call("GET", `/api/v1/check-user?${query}`, { key })

/** Sends UPDATE_PROFILE or UPDATE_EMAIL. */
export const changeUser = (key: string, action: "UPDATE_PROFILE" | "UPDATE_EMAIL", data: unknown) =>
  call("POST", "/api/v1/users", { key, body: { action, data } })

/** Adds a member of staff. */
export const addMember = (organizationId: string, email: string) =>
  admin("POST", `/organizations/${organizationId}/members`, {
    email,
    firstName: "Pat",
    lastName: "Staff",
    role: "SUPPORT"
  })
