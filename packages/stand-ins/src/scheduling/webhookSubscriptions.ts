import { randomBytes } from "node:crypto"
import { Schema } from "effect"
import { type Call, checkPlan } from "./Call.ts"
import { checkOwner } from "./checkOwner.ts"
import { jane, organizationUri, userUri } from "./Host.ts"
import { listPage } from "./listPage.ts"
import { micros, optional, page, sortedBy, uriOf } from "./params.ts"
import { notFound } from "./Refusal.ts"
import { route } from "./route.ts"
import { eventKinds, type Subscription } from "./Subscription.ts"
import { subscribe, unsubscribe } from "./subscriptions.ts"

const nothing = Schema.Struct({})

// Only subscriptions of the organization: this project registers no other.
const scope = { organization: uriOf("organizations"), scope: Schema.Literals(["organization"]) }

const Listed = Schema.Struct({ ...page, ...scope, sort: sortedBy("created_at") })

const url = Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/, { message: "has to be a URL" }))

const New = Schema.Struct({
  ...scope,
  url,
  events: Schema.Array(Schema.Literals(eventKinds)).check(Schema.isMinLength(1, { message: "has to name an event" })),
  signing_key: optional(Schema.NonEmptyString)
})

const shown = ({ url }: Pick<Call, "url">, subscription: Subscription) => ({
  uri: `${url}/webhook_subscriptions/${subscription.id}`,
  callback_url: subscription.url,
  created_at: micros(subscription.createdAt),
  updated_at: micros(subscription.updatedAt),
  retry_started_at: subscription.retryStartedAt === null ? null : micros(subscription.retryStartedAt),
  state: subscription.state,
  events: subscription.events,
  scope: "organization",
  organization: organizationUri(url),
  user: null,
  creator: userUri(url, jane)
})

const subscriptionAt = ({ ledger }: Call, id = ""): Subscription => {
  const found = ledger.get("subscription", id)
  if (found === undefined) throw notFound()
  return found
}

/** The routes of webhook subscriptions. */
export const subscriptionRoutes = [
  route("GET", "/webhook_subscriptions", Listed, (call, query, { path }) => {
    checkOwner(query)
    return listPage({ path, url: call.url }, query, {
      rows: call.ledger.all("subscription"),
      keyOf: ({ createdAt, id }) => `${String(createdAt).padStart(15, "0")} ${id}`,
      isDescending: query.sort === "created_at:desc",
      show: (subscription) => shown(call, subscription)
    })
  }),
  route("GET", "/webhook_subscriptions/:subscription", nothing, (call, _, { ids: [id] }) => ({
    resource: shown(call, subscriptionAt(call, id))
  })),
  route("POST", "/webhook_subscriptions", New, (call, { events, signing_key, url, ...query }) => {
    checkPlan(call)
    checkOwner(query)
    const signingKey = signing_key ?? randomBytes(32).toString("base64url")
    return { resource: shown(call, subscribe(call.ledger, { url, events, signingKey }, call.now)) }
  }),
  route("DELETE", "/webhook_subscriptions/:subscription", nothing, (call, _, { ids: [id] }) =>
    unsubscribe(call.ledger, subscriptionAt(call, id).id)
  )
]
