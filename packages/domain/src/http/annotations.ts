import { Context } from "effect"
import type { StoredKind } from "./quotas.ts"

/** The value of the body field `action` that selects an endpoint. The gateway appends it to the path of the contract. */
export const Action = Context.Reference<string | undefined>("@care/domain/http/Action", {
  defaultValue: () => undefined
})

export interface RateLimitRule {
  /** In capitals. Endpoints with one name share one count. Headers show the name. */
  readonly name: string
  readonly requests: number
  /** For docs/configuration.md. */
  readonly meaning: string
}

/** Returns the name of the setting that changes `requests` of a rule. */
export const rateLimitVariable = ({ name }: RateLimitRule): string => `RATE_LIMIT_${name}`

/** The rule of `rateLimits` for an endpoint with a limit of its own. */
export const RateLimit = Context.Reference<RateLimitRule | undefined>("@care/domain/http/RateLimit", {
  defaultValue: () => undefined
})

/** The quotas that a request counts against: a value of `addsTo`. */
export const AddsTo = Context.Reference<ReadonlyArray<StoredKind>>("@care/domain/http/AddsTo", {
  defaultValue: () => []
})

/** Whether an endpoint also takes the organization's key from the body, as `key`. The header wins. */
export const KeyInBody = Context.Reference<boolean>("@care/domain/http/KeyInBody", { defaultValue: () => false })

/** Whether the answer of a read has an `ETag`, and a request that names it in `If-None-Match` is answered with 304. */
export const EntityTag = Context.Reference<boolean>("@care/domain/http/EntityTag", { defaultValue: () => false })

/** Finds all mistakes of a request, not only the first (`HttpApi.ParseOptions`). */
export const allMistakes = { errors: "all" } as const

/** Whether an endpoint takes files in its body, which may then be larger. */
export const TakesFiles = Context.Reference<boolean>("@care/domain/http/TakesFiles", { defaultValue: () => false })

/** The window of all rate limits. */
export const rateWindowSeconds = 60

const perMinute = (name: string, requests: number, meaning: string): RateLimitRule => ({ name, requests, meaning })

/**
 * The limits of requests. `writes` counts every write of the partner API, and the two of staff every request of a person. Each of the others
 * counts the endpoints that are annotated with it (`RateLimit`). 500 for the list of appointments is a number of the specification ("Limits"). The other numbers are ours.
 */
export const rateLimits = {
  writes: perMinute(
    "WRITES",
    3000,
    "write requests of an organization (every POST, PATCH, PUT and DELETE of the partner API)"
  ),
  /** Each may cause thousands of our requests. */
  webhookReplays: perMinute(
    "WEBHOOK_REPLAYS",
    120,
    "requests of an organization to resend or replay events, or to send a test event"
  ),
  appointmentsList: perMinute("APPOINTMENTS_LIST", 500, "requests of an organization for the list of appointments"),
  appointmentsBooking: perMinute("APPOINTMENTS_BOOKING", 100, "requests of an organization to book an appointment"),
  appointmentsCancel: perMinute("APPOINTMENTS_CANCEL", 100, "requests of an organization to cancel an appointment"),
  staffSignIn: perMinute("STAFF_SIGN_IN", 600, "requests of an address with which staff sign in"),
  staff: perMinute("STAFF", 600, "requests of a person of staff to the admin API"),
  staffOfOrganization: perMinute("STAFF_OF_ORGANIZATION", 6000, "requests of all staff of an organization together")
}

/**
 * The limits of answers that reveal data of others. The service counts them (`makeAnswerLimit`), because only it knows which answers do.
 */
export const answerLimits = {
  userLookup: perMinute(
    "USER_LOOKUP",
    300,
    "requests of an organization to `check-user`, `UPDATE_PROFILE` and `UPDATE_EMAIL` that name an email or phone number which none of its users has"
  ),
  unknownPromoCodes: perMinute(
    "PROMO_CODES",
    120,
    "unknown promo codes that an organization sends to `promo-codes` and with new cases"
  )
}
