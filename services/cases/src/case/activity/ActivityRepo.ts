import { type Provenance, recorded } from "@care/audit"
import {
  abandonedStatus,
  CaseActivity,
  type CaseActivityType,
  caseTransitions,
  type NewCaseActivity,
  notifiedActivities
} from "@care/domain/cases"
import { Actor } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { eventTypeOf } from "@care/domain/webhooks"
import { affects, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"

const ActivityRow = Schema.Struct({
  ...Struct.omit(CaseActivity.fields, ["actor"]),
  at: Schema.Date,
  actorType: Actor.fields.type,
  actorId: Actor.fields.id
})
export type ActivityRow = typeof ActivityRow.Type

const rows = rowsOf(ActivityRow)

/** A new entry of a case's activity. `details` is a JSON object. */
interface NewActivity extends Provenance {
  readonly type: CaseActivity["type"]
  readonly details: Statement.Fragment
}

/**
 * Returns the parts of a statement that store an entry of a case's activity, and audit it. `source` is the part that increments
 * `activity_count`. It has `organization_id`, `id`, `user_id`, `activity_count`, `updated_at` and `status` of the case. Notices to people
 * (`CaseNotices`) and events for the partner follow later. The creation of an abandoned case is no event.
 */
export const insertActivity = (
  sql: SqlClient.SqlClient,
  source: Statement.Fragment,
  { details, type, ...provenance }: NewActivity
): Statement.Fragment => sql`
  noted AS (
    INSERT INTO case_activity (
      organization_id, case_id, sequence, id, type, actor_type, actor_id, at, details, awaits_notice, awaits_event
    )
    SELECT organization_id, id, activity_count, gen_random_uuid(), ${type}, ${provenance.actor.type}, ${provenance.actor.id}::text,
           updated_at, ${details}, ${notifiedActivities.includes(type)}::boolean,
           ${eventTypeOf(type) !== undefined}::boolean AND (${type !== "CASE_CREATED"}::boolean OR status <> ${abandonedStatus})
    FROM ${source}
  ), ${recorded(sql, sql`SELECT organization_id, id AS case_id, user_id FROM ${source}`, { action: type, ...provenance })}
`

export const makeActivityRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    after: (organizationId: OrganizationId, caseId: CaseId, sequence: number, limit: number) =>
      rows.all(sql`
        SELECT id, sequence, type, actor_type, actor_id, at, details FROM case_activity
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND sequence > ${sequence}
        ORDER BY sequence
        LIMIT ${limit}
      `),

    before: (organizationId: OrganizationId, caseId: CaseId, sequence: number, limit: number) =>
      rows.all(sql`
        SELECT id, sequence, type, actor_type, actor_id, at, details FROM case_activity
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND sequence < ${sequence}
        ORDER BY sequence DESC
        LIMIT ${limit}
      `),

    /** Returns the last entry of one of the types. */
    last: (organizationId: OrganizationId, caseId: CaseId, types: ReadonlyArray<CaseActivityType>) =>
      rows.first(sql`
        SELECT id, sequence, type, actor_type, actor_id, at, details FROM case_activity
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND type = ANY(${types}::text[])
        ORDER BY sequence DESC
        LIMIT 1
      `),

    wasClosedSince: (organizationId: OrganizationId, caseId: CaseId, { details, type }: NewCaseActivity) => {
      const ofCase = sql`organization_id = ${organizationId} AND case_id = ${caseId}`
      return affects(sql`
        SELECT sequence FROM case_activity
        WHERE ${ofCase} AND type = ${caseTransitions.close.activity} AND sequence > (
          SELECT max(sequence) FROM case_activity
          WHERE ${ofCase} AND type = ${type} AND details @> ${JSON.stringify(details)}::jsonb
        )
        LIMIT 1
      `)
    }
  }
})
