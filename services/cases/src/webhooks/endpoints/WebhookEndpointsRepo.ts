import type { PagePosition } from "@care/domain/http"
import { OrganizationId, type WebhookEndpointId } from "@care/domain/ids"
import { WebhookEndpoint } from "@care/domain/webhooks"
import { type OpenedRow, ofNobody, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"

/** A stored endpoint. `previousSecret` is valid until `previousSecretUntil`. */
export const WebhookEndpointRow = sealedRow("webhook_endpoints", ["organizationId", "id"], {
  ...Struct.omit(WebhookEndpoint.fields, ["enabled", "includeTestCases"]),
  organizationId: OrganizationId,
  url: sealed(WebhookEndpoint.fields.url, ""),
  includesTestCases: Schema.Boolean,
  isEnabled: Schema.Boolean,
  secret: sealed(Schema.String, ""),
  previousSecret: sealed(Schema.NullOr(Schema.String)),
  previousSecretUntil: Schema.NullOr(Schema.Date),
  failingSince: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type WebhookEndpointRow = OpenedRow<typeof WebhookEndpointRow>

/** A change of an endpoint, by its key. What is undefined stays. */
type Change = Pick<WebhookEndpointRow, "organizationId" | "id"> & {
  readonly [Column in keyof WebhookEndpointRow]?: WebhookEndpointRow[Column] | undefined
}

const states = rowsOf(
  Schema.Struct({ isEnabled: Schema.Boolean, failingSince: Schema.NullOr(Schema.Date), updatedAt: Schema.Date })
)

const counted = rowsOf(Schema.Struct({ count: Schema.Int }))

export const makeWebhookEndpointsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const endpoints = yield* sealedRowsOf(WebhookEndpointRow)
  const columns = sql`
    organization_id, id, url, event_types, includes_test_cases, is_enabled, disabled_reason, secret, previous_secret,
    previous_secret_until, failing_since, created_at, updated_at
  `
  const one = (organizationId: OrganizationId, id: WebhookEndpointId) => sql`
    SELECT ${columns} FROM webhook_endpoints WHERE organization_id = ${organizationId} AND id = ${id}
  `

  // Nobody sees endpoints that are being added: whoever has to know of all waits for them.
  const takeTurn = (organizationId: OrganizationId) =>
    execute(sql`
      SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' endpoints ' || ${organizationId}, 0))
    `)

  return {
    /** Takes turns with those who add an endpoint to the organization, until the transaction ends. */
    takeTurn,

    /** Counts the organization's endpoints, in turn: two who add one at once would not count the other's. */
    countInTurn: (organizationId: OrganizationId) =>
      Effect.andThen(
        takeTurn(organizationId),
        counted.one(sql`
          SELECT count(*)::integer AS count FROM webhook_endpoints WHERE organization_id = ${organizationId}
        `)
      ),

    /** Forgets since when the endpoints of an organization fail. */
    forgetFailures: (organizationId: OrganizationId) =>
      execute(sql`
        UPDATE webhook_endpoints SET failing_since = NULL
        WHERE organization_id = ${organizationId} AND failing_since IS NOT NULL
      `),

    insert: (endpoint: WebhookEndpointRow) =>
      execute(sql`INSERT INTO webhook_endpoints ${sql.insert(endpoints.seal(ofNobody, endpoint))}`),

    find: (organizationId: OrganizationId, id: WebhookEndpointId) => endpoints.first(one(organizationId, id)),

    /** Returns the same, locked against changes until the transaction ends. */
    lock: (organizationId: OrganizationId, id: WebhookEndpointId) =>
      endpoints.first(sql`${one(organizationId, id)} FOR NO KEY UPDATE`),

    /** Returns the organization's endpoints, oldest first. */
    page: (organizationId: OrganizationId, after: PagePosition, limit: number) =>
      endpoints.all(sql`
        SELECT ${columns} FROM webhook_endpoints
        WHERE organization_id = ${organizationId} AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    update: (change: Change) =>
      endpoints.one(sql`
        UPDATE webhook_endpoints SET ${sql.update(endpoints.seal(ofNobody, change), ["organizationId", "id"])}
        WHERE organization_id = ${change.organizationId} AND id = ${change.id}
        RETURNING ${columns}
      `),

    remove: (organizationId: OrganizationId, id: WebhookEndpointId) =>
      affects(sql`
        DELETE FROM webhook_endpoints WHERE organization_id = ${organizationId} AND id = ${id} RETURNING id
      `),

    /** Locks and returns what an attempt may change of an endpoint. */
    lockState: (organizationId: OrganizationId, id: WebhookEndpointId) =>
      states.first(sql`
        SELECT is_enabled, failing_since, updated_at FROM webhook_endpoints
        WHERE organization_id = ${organizationId} AND id = ${id}
        FOR NO KEY UPDATE
      `)
  }
})
