import { type Provenance, recorded } from "@care/audit"
import {
  abandonedStatus,
  CaseActivity,
  caseTransitions,
  type NewCaseActivity,
  noticedActivities
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
const rows = rowsOf(ActivityRow)

/** Something that happened to a case, about to be stored. `details` are members of an object of JSON. */
interface NewActivity extends Provenance {
  readonly type: CaseActivity["type"]
  readonly details: Statement.Fragment
}

/**
 * The parts of a statement that store what happened to a case and record it in the audit, in the same statement that counts
 * its activity up: `source` is the name of that part, which has `organization_id`, `id`, `user_id`, `activity_count`,
 * `updated_at` and `status` of the case. Who has to be told of it is looked for later: people (`CaseNotices`), and the
 * partner, of all but the creation of an abandoned case.
 */
export const noteActivity = (
  sql: SqlClient.SqlClient,
  source: Statement.Fragment,
  { details, type, ...provenance }: NewActivity
): Statement.Fragment => sql`
  noted AS (
    INSERT INTO case_activity (
      organization_id, case_id, sequence, id, type, actor_type, actor_id, at, details, awaits_notice, awaits_event
    )
    SELECT organization_id, id, activity_count, gen_random_uuid(), ${type}, ${provenance.actor.type}, ${provenance.actor.id}::text,
           updated_at, ${details}, ${noticedActivities.includes(type)}::boolean,
           ${eventTypeOf(type) !== undefined}::boolean AND (${type !== "CASE_CREATED"}::boolean OR status <> ${abandonedStatus})
    FROM ${source}
  ), ${recorded(sql, sql`SELECT organization_id, id AS case_id, user_id FROM ${source}`, { action: type, ...provenance })}
`

export const makeActivityRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** What happened to a case after a number, oldest first. */
    after: (organizationId: OrganizationId, caseId: CaseId, sequence: number, limit: number) =>
      rows.all(sql`
        SELECT id, sequence, type, actor_type, actor_id, at, details FROM case_activity
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND sequence > ${sequence}
        ORDER BY sequence
        LIMIT ${limit}
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
