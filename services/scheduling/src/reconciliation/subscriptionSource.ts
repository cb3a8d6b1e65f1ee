import type { SweepSource, SweptPage } from "@care/service"
import { isTestMode } from "@care/service-kit"
import { DateTime, Effect, Redacted, Schema } from "effect"
import { collectionOf, ProviderApi, ProviderSettings, WebhookSubscription } from "../provider/index.ts"
import { ownOrganization } from "./ownOrganization.ts"

const events = ["invitee.created", "invitee.canceled"]

/** A provider whose pages never end is not read on. */
const maxSubscriptions = 1000

const difference = (action: "REPAIRED" | "REPORTED", what: string, id: string): SweptPage["differences"] => [
  { action, what, id, organizationId: null }
]

/**
 * Checks the webhook subscription at the provider. The provider disables a subscription for ever when its callbacks
 * failed for 24 hours; a disabled or missing one is replaced. The comparison of meetings finds what was missed
 * meanwhile.
 */
export const makeSubscriptionSource = Effect.gen(function* () {
  const api = yield* ProviderApi
  const { live, test, webhookUrl } = yield* ProviderSettings

  const register = Effect.fnUntraced(function* (organization: string, url: string, key: Redacted.Redacted) {
    const subscription = { url, events, organization, scope: "organization", signing_key: Redacted.value(key) }
    return yield* Effect.as(api.change(undefined, "/webhook_subscriptions", subscription, Schema.Unknown), true).pipe(
      // The free plan has no webhooks, and a parallel sweep may have registered it.
      Effect.catchTag("ProviderErrorResponse", () => Effect.succeed(false))
    )
  })

  // Returns all subscriptions of an organization. An account with one for each test environment may have more than one page.
  const listed = Effect.fnUntraced(function* (organization: string) {
    const subscriptions: Array<typeof WebhookSubscription.Type> = []
    let token: string | undefined
    do {
      const query = {
        organization,
        scope: "organization",
        count: "100",
        ...(token !== undefined && { page_token: token })
      }
      const page = yield* api.read(undefined, "/webhook_subscriptions", query, collectionOf(WebhookSubscription))
      subscriptions.push(...page.collection)
      token = page.pagination?.next_page_token ?? undefined
    } while (token !== undefined && subscriptions.length < maxSubscriptions)
    return subscriptions
  })

  const compare = Effect.gen(function* () {
    const [signingSecret] = ((yield* isTestMode) ? test : live).webhookSecrets
    const organization = yield* ownOrganization.pipe(Effect.provideService(ProviderApi, api))
    const subscriptions = yield* listed(organization)
    if (webhookUrl === undefined || signingSecret === undefined) {
      const disabled = subscriptions.filter(({ state }) => state !== "active")
      const what = "A webhook subscription is disabled: set PUBLIC_URL, by which ours is known and registered anew"
      return disabled.flatMap(({ uri }) => difference("REPORTED", what, uri))
    }
    const own = subscriptions.find(({ callback_url }) => callback_url === webhookUrl)
    if (own?.state === "active") return []
    if (own !== undefined) yield* api.remove(undefined, `/webhook_subscriptions/${encodeURIComponent(own.uri)}`)
    const id = own?.uri ?? webhookUrl
    return (yield* register(organization, webhookUrl, signingSecret))
      ? difference("REPAIRED", "The webhook subscription was not active, and is registered anew", id)
      : difference("REPORTED", "The webhook subscription is not active, and the provider refused to register it", id)
  })

  const source: SweepSource = {
    name: "webhook-subscription",
    page: () =>
      Effect.gen(function* () {
        const cursor = DateTime.formatIso(yield* DateTime.now)
        const differences = yield* compare
        return { cursor, isLast: true, compared: 1, differences }
      }).pipe(
        Effect.catchTag("ProviderNotConfigured", () =>
          Effect.succeed({ cursor: "", isLast: true, compared: 0, differences: [] })
        ),
        Effect.orDie
      )
  }
  return source
})
