import { type Mode, Organization, type OrganizationChange, OrganizationSnapshot } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { OrganizationId, platformId } from "@care/domain/ids"
import { currentVersion } from "@care/domain/versions"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const organizations = rowsOf(Organization)
const snapshots = rowsOf(OrganizationSnapshot)
const ids = rowsOf(Schema.Struct({ id: OrganizationId }))
const counts = rowsOf(Schema.Struct({ count: Schema.Natural }))

export const makeOrganizationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(
    `id, name, CASE WHEN live_organization_id IS NULL THEN 'live' ELSE 'test' END AS mode, live_organization_id, contact_email, is_disabled, support_may_read_answers, coalesce(api_version, '${currentVersion}') AS api_version, created_at`
  )
  const ofSandbox = sql.literal("' (test)'")
  // The organization of the platform is no partner.
  const isPartner = sql`id <> ${platformId}`
  const isHere = sql.literal(
    "NOT EXISTS (SELECT FROM absent_organizations a WHERE a.organization_id = organizations.id)"
  )
  return {
    insert: ({ mode: _, ...organization }: Organization) =>
      execute(
        sql`INSERT INTO organizations ${sql.insert({ ...organization, apiVersion: null, updatedAt: organization.createdAt })}`
      ),

    /** Adds the sandbox of a live organization, unless it has one. Locks the live one. Returns its id, if it was added. */
    insertSandbox: (id: OrganizationId, live: OrganizationId, createdAt: Date) =>
      ids.first(sql`
        INSERT INTO organizations (
          id, live_organization_id, name, contact_email, is_disabled, support_may_read_answers, api_version, created_at, updated_at
        )
        SELECT ${id}::uuid, id, name || ${ofSandbox}, contact_email, is_disabled, support_may_read_answers, api_version,
               ${createdAt}::timestamptz, ${createdAt}::timestamptz
        FROM organizations WHERE id = ${live}
        FOR NO KEY UPDATE
        ON CONFLICT (live_organization_id) DO NOTHING
        RETURNING id
      `),

    /** Stores that an organization is a sandbox where its messages and jobs look: also for calls that do not tell. */
    markSandbox: (id: OrganizationId) =>
      execute(sql`
        INSERT INTO test_organizations (organization_id) VALUES (${id}) ON CONFLICT (organization_id) DO NOTHING
      `),

    findSandbox: (live: OrganizationId) =>
      ids.first(sql`SELECT id FROM organizations WHERE live_organization_id = ${live}`),

    find: (id: OrganizationId) =>
      organizations.first(sql`SELECT ${columns} FROM organizations WHERE id = ${id} AND ${isPartner} AND ${isHere}`),

    count: Effect.map(
      counts.one(
        sql`SELECT count(*)::integer AS count FROM organizations WHERE ${isPartner} AND live_organization_id IS NULL AND ${isHere}`
      ),
      ({ count }) => count
    ),

    page: (mode: Mode | undefined, after: PagePosition, limit: number) =>
      organizations.all(sql`
        SELECT ${columns} FROM organizations
        WHERE (created_at, id) > (${after.createdAt}, ${after.id}) AND ${isPartner} AND ${isHere}
          AND (${mode ?? null}::text IS NULL OR (live_organization_id IS NULL) = (${mode ?? null}::text = 'live'))
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    update: (
      id: OrganizationId,
      { apiVersion, contactEmail, isDisabled, name, supportMayReadAnswers }: OrganizationChange,
      updatedAt: Date
    ) =>
      organizations.first(sql`
        UPDATE organizations
        SET name = coalesce(${name ?? null}, name), is_disabled = coalesce(${isDisabled ?? null}, is_disabled),
            contact_email = CASE WHEN ${contactEmail === undefined}::boolean THEN contact_email ELSE ${contactEmail ?? null} END,
            support_may_read_answers = coalesce(${supportMayReadAnswers ?? null}, support_may_read_answers),
            api_version = coalesce(${apiVersion ?? null}, api_version),
            updated_at = ${updatedAt}, version = version + 1
        WHERE id = ${id} AND ${isPartner}
        RETURNING ${columns}
      `),

    /** Renames, disables or enables the sandbox of an organization. Returns its id, if there is one and that changes it. */
    updateSandbox: (live: OrganizationId, { isDisabled, name }: OrganizationChange, updatedAt: Date) =>
      isDisabled === undefined && name === undefined
        ? Effect.succeed([])
        : ids.all(sql`
            UPDATE organizations
            SET name = coalesce(${name ?? null} || ${ofSandbox}, name), is_disabled = coalesce(${isDisabled ?? null}, is_disabled),
                updated_at = ${updatedAt}, version = version + 1
            WHERE live_organization_id = ${live}
            RETURNING id
          `),

    /** Returns the snapshot of an organization that other services store. */
    snapshots: (id: OrganizationId) =>
      snapshots.all(sql`
        SELECT id AS organization_id, version, is_disabled, support_may_read_answers FROM organizations WHERE id = ${id}
      `)
  }
})
