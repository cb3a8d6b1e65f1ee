import { randomUUID } from "node:crypto"
import { monthAfter, monthOf } from "@care/domain/audit"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { currentProvenance, lineOf } from "./NewRecord.ts"
import { insertRecordsOfVersion1 } from "./recorded.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"

const current = monthOf(new Date())

// The tables of version 1, those of this version, and the partitions in use.
const tables = [
  ...["audit_records", "audit_links", "audit_heads", "audit_unlinked", "audit_shown", "audit_waiting"],
  ...["audit_entries", "audit_entry_cases"].flatMap((table) =>
    [current, monthAfter(current), monthAfter(current, 2), "default"].map((part) => `${table}_${part}`)
  )
]

// An id of the moment `at`, as services make them.
const idOfMoment = `(
  regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7')
  || right(gen_random_uuid()::text, 21)
)::uuid`

layer(layerAuditedDatabase("cases", 4), { excludeTestServices: true })("twenty thousand audit records", (it) => {
  it.effect("are linked, of all organizations, and what is asked about them costs as much as of a few", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeAuditRepo
      const link = yield* makeAuditChains
      const [organizationId, other] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      const [userId, reader, person] = [UserId.make(randomUUID()), UserId.make(randomUUID()), UserId.make(randomUUID())]
      const rare = UserId.make(randomUUID())
      const caseId = CaseId.make(randomUUID())
      const newId = sql.literal(idOfMoment)
      // Reads of the case, 24 a week, and lists that show it.
      const addOfCase = (count: number) => sql`
        INSERT INTO audit_waiting (
          organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds, shown_case_ids,
          shown_user_ids
        )
        SELECT ${organizationId}, ${newId}, at, CASE WHEN is_list THEN 'CASE_FOUND' ELSE 'CASE_READ' END, 'USER',
               ${person}::text,
               CASE WHEN NOT is_list THEN ${caseId}::uuid END,
               CASE WHEN NOT is_list THEN
                 CASE n % 2 WHEN 1 THEN ${reader}::uuid ELSE CASE n WHEN 2 THEN ${userId}::uuid ELSE gen_random_uuid() END END
               END, 'none', '{}', CASE WHEN is_list THEN ARRAY[${caseId}::uuid] END,
               CASE WHEN is_list THEN ARRAY[${reader}::uuid] END
        FROM generate_series(1, ${count}::integer) n, unnest(ARRAY[true, false]) AS is_list,
             LATERAL (SELECT date_trunc('milliseconds', now()) - n * interval '7 hours' AS at) AS moment
      `
      // 2,016 a week, of them 20 of the patient and, at other times, as many by a rare person.
      const add = (owner: OrganizationId, count: number) => sql`
        INSERT INTO audit_waiting (organization_id, id, at, action, actor_type, actor_id, user_id, request_id, kinds)
        SELECT ${owner}, ${newId}, at, CASE n % 2 WHEN 0 THEN 'CASE_READ' ELSE 'PROFILE_READ' END,
               CASE n % 100 WHEN 1 THEN 'USER' ELSE 'JOB' END, CASE n % 100 WHEN 1 THEN ${rare}::text END, CASE WHEN n % 100 = 0 THEN ${userId}::uuid END, 'none', '{}'
        FROM generate_series(1, ${count}::integer) n,
             LATERAL (SELECT date_trunc('milliseconds', now()) - n * interval '5 minutes' AS at) AS moment
      `
      const query = { limit: 10, organizationId }
      const measure = Effect.gen(function* () {
        return {
          list: yield* readsOf(tables, repo.page(query)),
          ofAction: yield* readsOf(tables, repo.page({ ...query, action: "CASE_READ" })),
          ofCase: yield* readsOf(tables, repo.page({ ...query, caseId })),
          ofReader: yield* readsOf(tables, repo.page({ ...query, userId: reader })),
          ofCaseAndPatient: yield* readsOf(tables, repo.page({ ...query, caseId, userId: reader })),
          ofPatient: yield* readsOf(tables, repo.page({ ...query, userId })),
          ofPerson: yield* readsOf(tables, repo.page({ ...query, actorId: person })),
          ofRarePerson: yield* readsOf(tables, repo.page({ ...query, actorId: rare })),
          ofCaseAndPerson: yield* readsOf(tables, repo.page({ ...query, caseId, actorId: person })),
          links: yield* readsOf(tables, repo.links(organizationId, 300, 100)),
          strays: yield* readsOf(tables, repo.strays(organizationId, undefined, 100)),
          heads: yield* readsOf(tables, repo.heads(undefined, undefined, 100))
        }
      })
      const provenance = yield* currentProvenance
      const ofVersion1 = Array.from({ length: 10 }, () => lineOf({ organizationId, action: "CASE_CLOSED" }, provenance))
      yield* insertRecordsOfVersion1(sql, ofVersion1)
      yield* add(organizationId, 2000)
      yield* addOfCase(200)
      yield* add(other, 10)
      yield* link
      yield* sql`VACUUM ANALYZE audit_entries, audit_entry_cases, audit_waiting`
      const few = yield* measure
      yield* add(organizationId, 20_000)
      yield* addOfCase(5000)
      yield* add(other, 10)
      yield* link
      const heads = yield* repo.heads(undefined, undefined, 100)
      assert.sameDeepMembers(
        heads.map(({ count, organizationId }) => ({ count, organizationId })),
        [
          { count: 32_410, organizationId },
          { count: 20, organizationId: other }
        ]
      )
      // Autovacuum would do this soon after so many inserts.
      yield* sql`VACUUM ANALYZE audit_entries, audit_entry_cases, audit_waiting`
      const many = yield* measure
      for (const name of Struct.keys(few)) {
        assert.isAbove(few[name], 0, name)
        // Of a case and a patient, the records of a week are read and sorted.
        assert.isAtMost(many[name], few[name] + 60, name)
      }
    })
  )
})
