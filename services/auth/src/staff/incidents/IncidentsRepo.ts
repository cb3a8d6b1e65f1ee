import { Incident, type IncidentChange, type IncidentId } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { platformId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const incidents = rowsOf(Incident)

export const makeIncidentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("id, title, impact, text, created_at, updated_at, resolved_at")
  return {
    insert: (incident: Incident) =>
      execute(sql`INSERT INTO incidents ${sql.insert({ organizationId: platformId, ...incident })}`),

    page: (before: PagePosition, limit: number) =>
      incidents.all(sql`
        SELECT ${columns} FROM incidents
        WHERE organization_id = ${platformId} AND (created_at, id) < (${before.createdAt}, ${before.id})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `),

    update: (id: IncidentId, { impact, isResolved, text }: IncidentChange, at: Date) =>
      incidents.first(sql`
        UPDATE incidents
        SET text = coalesce(${text ?? null}, text), impact = coalesce(${impact ?? null}, impact), updated_at = ${at},
            resolved_at = CASE ${isResolved ?? null}::boolean WHEN true THEN coalesce(resolved_at, ${at}) WHEN false THEN NULL ELSE resolved_at END
        WHERE organization_id = ${platformId} AND id = ${id}
        RETURNING ${columns}
      `)
  }
})
