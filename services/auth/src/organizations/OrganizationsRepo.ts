import { Organization, type OrganizationChange, OrganizationSnapshot } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { type OrganizationId, platformId } from "@care/domain/ids"
import { currentVersion } from "@care/domain/versions"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const organizations = rowsOf(Organization)
const snapshots = rowsOf(OrganizationSnapshot)
const counts = rowsOf(Schema.Struct({ count: Schema.Natural }))

export const makeOrganizationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(
    `id, name, contact_email, is_disabled, support_may_read_answers, coalesce(api_version, '${currentVersion}') AS api_version, created_at`
  )
  // The organization of the platform is no partner.
  const isPartner = sql`id <> ${platformId}`
  const isHere = sql.literal(
    "NOT EXISTS (SELECT FROM absent_organizations a WHERE a.organization_id = organizations.id)"
  )
  return {
    insert: (organization: Organization) =>
      execute(
        sql`INSERT INTO organizations ${sql.insert({ ...organization, apiVersion: null, updatedAt: organization.createdAt })}`
      ),

    find: (id: OrganizationId) =>
      organizations.first(sql`SELECT ${columns} FROM organizations WHERE id = ${id} AND ${isPartner} AND ${isHere}`),

    count: Effect.map(
      counts.one(sql`SELECT count(*)::integer AS count FROM organizations WHERE ${isPartner} AND ${isHere}`),
      ({ count }) => count
    ),

    page: (after: PagePosition, limit: number) =>
      organizations.all(sql`
        SELECT ${columns} FROM organizations
        WHERE (created_at, id) > (${after.createdAt}, ${after.id}) AND ${isPartner} AND ${isHere}
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

    /** Returns the snapshot of an organization that other services store. */
    snapshots: (id: OrganizationId) =>
      snapshots.all(sql`
        SELECT id AS organization_id, version, is_disabled, support_may_read_answers FROM organizations WHERE id = ${id}
      `)
  }
})
