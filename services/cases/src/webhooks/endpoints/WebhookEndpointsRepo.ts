import type { PagePosition } from "@care/domain/http"
import { OrganizationId, type WebhookEndpointId } from "@care/domain/ids"
import { WebhookEndpoint } from "@care/domain/webhooks"
import { type OpenedRow, ofNobody, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute, inScope, rowsOf } from "@care/service-kit"
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

/** A change of an endpoint. Undefined columns stay unchanged. */
type Change = Pick<WebhookEndpointRow, "organizationId" | "id"> & {
  readonly [Column in keyof WebhookEndpointRow]?: WebhookEndpointRow[Column] | undefined
}

const states = rowsOf(
  Schema.Struct({ isEnabled: Schema.Boolean, failingSince: Schema.NullOr(Schema.Date), updatedAt: Schema.Date })
)

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))
const counts = rowsOf(Schema.Struct({ count: Schema.Int }))

export const makeWebhookEndpointsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const endpoints = yield* sealedRowsOf(WebhookEndpointRow)
  const columns = sql`
    organization_id, id, url, event_types, includes_test_cases, is_enabled, disabled_reason, secret, previous_secret,
    previous_secret_until, failing_since, created_at, updated_at
  `
  const selectEndpoint = (organizationId: OrganizationId, id: WebhookEndpointId) => sql`
    SELECT ${columns} FROM webhook_endpoints WHERE organization_id = ${organizationId} AND id = ${id}
  `

  // Uncommitted endpoints are invisible, so whoever needs all of them waits for this lock.
  const lockList = (organizationId: OrganizationId) =>
    execute(sql`
      SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' endpoints ' || ${organizationId}, 0))
    `)

  return {
    /** Waits for others who add an endpoint to the organization, and keeps them out until the transaction ends. */
    lockList,

    /** Counts the organization's endpoints under that lock. Without it, parallel additions would not count each other. */
    lockListAndCount: (organizationId: OrganizationId) =>
      Effect.andThen(
        lockList(organizationId),
        counts.one(sql`
          SELECT count(*)::integer AS count FROM webhook_endpoints WHERE organization_id = ${organizationId}
        `)
      ),

    /** Clears `failing_since` of an organization's endpoints. */
    forgetFailures: (organizationId: OrganizationId) =>
      execute(sql`
        UPDATE webhook_endpoints SET failing_since = NULL
        WHERE organization_id = ${organizationId} AND failing_since IS NOT NULL
      `),

    insert: (endpoint: WebhookEndpointRow) =>
      execute(sql`INSERT INTO webhook_endpoints ${sql.insert(endpoints.seal(ofNobody, endpoint))}`),

    /** Returns the organization of an endpoint in the scope. The paths of operators and staff name the endpoint alone. */
    findOwner: (id: WebhookEndpointId, scope: OrganizationId | undefined) =>
      owners.first(sql`SELECT organization_id FROM webhook_endpoints WHERE id = ${id} AND ${inScope(sql, scope)}`),

    find: (organizationId: OrganizationId, id: WebhookEndpointId) =>
      endpoints.first(selectEndpoint(organizationId, id)),

    /** Locks an endpoint against changes until the transaction ends, and returns it. */
    lock: (organizationId: OrganizationId, id: WebhookEndpointId) =>
      endpoints.first(sql`${selectEndpoint(organizationId, id)} FOR NO KEY UPDATE`),

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
