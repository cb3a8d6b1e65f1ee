import type { Actor, Identity } from "@care/domain/http"
import { Context, Effect } from "effect"
import { CurrentIdentity } from "../http/layerIdentity.ts"

/** The queue whose job is being done; undefined outside of jobs. */
export const CurrentQueue = Context.Reference<string | undefined>("@care/service-kit/identity/CurrentQueue", {
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
    case "pharmacy":
      return { type: "PHARMACY", id: null }
    case "stripe":
      return { type: "STRIPE", id: null }
    case "scheduling":
      return { type: "SCHEDULING", id: null }
    // Whoever has a link got it from the partner.
    case "link":
      return { type: "API_KEY", id: null }
  }
}

/** Who makes the change that is made now: who asks for it, or the job that does it. */
export const currentActor: Effect.Effect<Actor> = Effect.gen(function* () {
  const identity = yield* CurrentIdentity
  return identity === undefined ? { type: "JOB", id: (yield* CurrentQueue) ?? null } : actorOf(identity)
})
