import { brokenProblems, crossSiteProblem, problem, requestProblem, signInProblem } from "../http/Problem.ts"
import { RateLimited } from "../http/RequestErrors.ts"
import { PasskeyRejected } from "./Passkey.ts"
import { SessionUnknown } from "./StaffSession.ts"

/** 429 of sign-ins: too many of one address. */
export const tooManySignIns = problem(
  RateLimited,
  429,
  "Too many requests",
  ({ limit, retryAfter }) => `At most ${limit} requests per ${retryAfter} seconds are allowed. Try again later.`
)

/** The errors of every endpoint of staff who sign in. */
export const signInErrors = [requestProblem, crossSiteProblem, ...brokenProblems] as const

/** The errors of every endpoint that needs a session. */
export const sessionErrors = [...signInErrors, signInProblem(SessionUnknown)] as const

export const passkeyRejected = problem(
  PasskeyRejected,
  401,
  "Passkey refused",
  "The passkey was not accepted. Ask for new options, and try again."
)
