import { brokenProblems, problem, requestProblem } from "../http/Problem.ts"
import { RateLimited } from "../http/RequestErrors.ts"
import { PasskeyRejected } from "./Passkey.ts"
import { OtherSite, SessionPending, SessionUnknown, StepUpMissing } from "./StaffSession.ts"

/** 429 of sign-ins: too many of one address. */
export const tooManySignIns = problem(
  RateLimited,
  429,
  "Too many requests",
  ({ limit, retryAfter }) => `At most ${limit} requests per ${retryAfter} seconds are allowed. Try again later.`
)

/** The errors of every endpoint of staff who sign in. */
export const signInErrors = [
  requestProblem,
  problem(OtherSite, 403, "Request of another site", "Send the request from a page of the console."),
  ...brokenProblems
] as const

/** The errors of every endpoint that needs a session. */
export const sessionErrors = [
  ...signInErrors,
  problem(SessionUnknown, 401, "Not signed in", "Sign in: the session has ended, or there was none.")
] as const

export const sessionPending = problem(
  SessionPending,
  403,
  "Sign-in incomplete",
  "Use or enrol a passkey first, or use a recovery code."
)

export const stepUpMissing = problem(StepUpMissing, 403, "Step-up required", "Use a passkey again, and repeat this.")

export const passkeyRejected = problem(
  PasskeyRejected,
  401,
  "Passkey refused",
  "The passkey was not accepted. Ask for new options, and try again."
)
