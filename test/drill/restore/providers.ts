import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { inDatabase } from "../../src/harness/database.ts"
import type { Clinic } from "../../src/harness/fixtures.ts"
import { Suite } from "../../src/harness/Suite.ts"
import { askStripe } from "../../src/harness/stripe.ts"

const decodeMeetings = Schema.decodeUnknownSync(
  Schema.Struct({ collection: Schema.Array(Schema.Struct({ uri: Schema.String, status: Schema.String })) })
)

// The pharmacy's API has no list of its orders, so its own file is read. A line has the rows of one transaction.
const decodeLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Tuple([Schema.String, Schema.String, Schema.Unknown])))
)

/** What the third parties have of a clinic: the ids of paid and of held payments, of meetings that take place, and of orders. */
export const atProviders = Effect.fnUntraced(function* ({ organizationId }: Clinic, pharmacyFile: string) {
  const { schedulingProviderUrl: url, secrets } = yield* Suite
  const intents = yield* askStripe((client) =>
    client.paymentIntents.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
  )
  const own = intents.filter(({ metadata }) => metadata["organizationId"] === organizationId)
  const withStatus = (status: string) => own.filter((intent) => intent.status === status).map(({ id }) => id)
  const meetings = yield* Effect.promise(async () => {
    const query = new URLSearchParams({ organization: `${url}/organizations/org_demo`, status: "active", count: "100" })
    const headers = { authorization: `Bearer ${secrets.SCHEDULING_API_TOKEN}` }
    return decodeMeetings(await (await fetch(`${url}/scheduled_events?${query}`, { headers })).json())
  })
  const lines = readFileSync(pharmacyFile, "utf8").split("\n").slice(0, -1)
  const taken = lines.flatMap((line) => decodeLine(line)).flatMap(([kind, id]) => (kind === "order" ? [id] : []))
  return {
    paid: withStatus("succeeded"),
    held: withStatus("requires_capture"),
    meetings: meetings.collection.map(({ uri }) => uri.split("/").at(-1) ?? ""),
    orders: [...new Set(taken)]
  }
})

export type AtProviders = Effect.Success<ReturnType<typeof atProviders>>

/** What the database has of the same. */
export const inDatabases = Effect.fnUntraced(function* ({ organizationId }: Clinic) {
  const payments = yield* inDatabase(
    "payments",
    (sql) => sql<{ id: string }>`
      SELECT intent_id AS id FROM payments.payments WHERE organization_id = ${organizationId} AND intent_id IS NOT NULL
    `
  )
  const meetings = yield* inDatabase(
    "scheduling",
    (sql) => sql<{ id: string }>`
      SELECT agent_event_id AS id FROM scheduling.calendar_events
      WHERE organization_id = ${organizationId} AND agent_event_id IS NOT NULL AND NOT is_deleted
    `
  )
  const orders = yield* inDatabase(
    "cases",
    (sql) => sql<{ id: string }>`SELECT external_id AS id FROM cases.orders WHERE organization_id = ${organizationId}`
  )
  const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => new Set(rows.map(({ id }) => id.split("/").at(-1)))
  return { payments: idsOf(payments), meetings: idsOf(meetings), orders: idsOf(orders) }
})

/** Returns what identifies the stored cases, orders and payments of a clinic, and its visits (`resultOf`). */
export const storedResults = Effect.fnUntraced(function* ({ organizationId }: Clinic) {
  const cases = yield* inDatabase(
    "cases",
    (sql) => sql<{ id: string }>`
      SELECT id FROM cases.cases WHERE organization_id = ${organizationId}
      UNION ALL SELECT id FROM cases.orders WHERE organization_id = ${organizationId}
    `
  )
  const payments = yield* inDatabase(
    "payments",
    (sql) => sql<{ id: string }>`SELECT id FROM payments.payments WHERE organization_id = ${organizationId}`
  )
  const visits = yield* inDatabase(
    "scheduling",
    (sql) => sql<{ startsAt: Date }>`
      SELECT starts_at AS "startsAt" FROM scheduling.calendar_events WHERE organization_id = ${organizationId}
    `
  )
  return new Set([
    ...[...cases, ...payments].map(({ id }) => id),
    ...visits.map(({ startsAt }) => startsAt.toISOString())
  ])
})

/** Returns the states here of a captured payment, a shipped order and a meeting that was called off. */
export const statesOf = Effect.fnUntraced(function* (ids: {
  readonly paymentId: string
  readonly orderId: string
  readonly meetingId: string
}) {
  const payments = yield* inDatabase(
    "payments",
    (sql) => sql<{ state: string }>`SELECT status AS state FROM payments.payments WHERE id = ${ids.paymentId}`
  )
  const orders = yield* inDatabase(
    "cases",
    (sql) => sql<{ state: string }>`SELECT status AS state FROM cases.orders WHERE id = ${ids.orderId}`
  )
  const meetings = yield* inDatabase(
    "scheduling",
    (sql) => sql<{ state: string }>`
      SELECT status AS state FROM scheduling.calendar_events WHERE agent_event_id LIKE ${`%${ids.meetingId}`}
    `
  )
  return [...payments, ...orders, ...meetings].map(({ state }) => state).join(", ")
})

/** Returns what third parties have and the database lacks. */
export const orphans = (theirs: AtProviders, ours: Effect.Success<ReturnType<typeof inDatabases>>): AtProviders => ({
  paid: theirs.paid.filter((id) => !ours.payments.has(id)),
  held: theirs.held.filter((id) => !ours.payments.has(id)),
  meetings: theirs.meetings.filter((id) => !ours.meetings.has(id)),
  orders: theirs.orders.filter((id) => !ours.orders.has(id))
})
