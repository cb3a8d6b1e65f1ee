import type { Actor, Identity } from "@care/domain/http"
import type { UserId } from "@care/domain/ids"
import { Context } from "effect"
import { CurrentIdentity } from "../http/layerIdentity.ts"

/** The queue of the current job; undefined outside of jobs. */
export const CurrentQueue = Context.Reference<string | undefined>("@care/service-kit/identity/CurrentQueue", {
  defaultValue: () => undefined
})

/** The patient of the request's access token; undefined if the endpoint needs none. */
export const CurrentPatient = Context.Reference<UserId | undefined>("@care/service-kit/identity/CurrentPatient", {
  defaultValue: () => undefined
})

const actorOf = (identity: Identity): Actor => {
  switch (identity._tag) {
    case "partner":
      return { type: "API_KEY", id: identity.apiKeyId }
    case "service":
      return { type: "SERVICE", id: identity.service }
    case "operator":
      return { type: "OPERATOR", id: null }
    // Auth knows the person.
    case "session":
      return { type: "USER", id: null }
    case "staff":
      return { type: "USER", id: identity.userId }
    case "pharmacy":
      return { type: "PHARMACY", id: null }
    case "stripe":
      return { type: "STRIPE", id: null }
    case "scheduling":
      return { type: "SCHEDULING", id: null }
    // The caller got the link from the partner.
    case "link":
      return { type: "API_KEY", id: null }
  }
}

/** Returns the actor in a context: the caller of the request, or the job. */
export const actorIn = (context: Context.Context<never>): Actor => {
  const patient = Context.get(context, CurrentPatient)
  if (patient !== undefined) return { type: "PATIENT", id: patient }
  const identity = Context.get(context, CurrentIdentity)
  return identity === undefined ? { type: "JOB", id: Context.get(context, CurrentQueue) ?? null } : actorOf(identity)
}
