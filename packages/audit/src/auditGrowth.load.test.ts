import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"

const tables = ["audit_records", "audit_links", "audit_heads", "audit_unlinked", "audit_shown"]

layer(layerAuditedDatabase("cases", 4), { excludeTestServices: true })("twenty thousand audit records", (it) => {
  it.effect("are linked, of all organizations, and what is asked about them costs as much as of a few", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeAuditRepo
      const link = yield* makeAuditChains
      const [organizationId, other] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      const [userId, reader] = [UserId.make(randomUUID()), UserId.make(randomUUID())]
      const caseId = CaseId.make(randomUUID())
      // Reads of the case, and lists that show it, some together with another patient.
      const addOfCase = (count: number) => sql`
        WITH recorded AS (
          INSERT INTO audit_records (organization_id, id, at, action, actor_type, case_id, user_id, request_id, kinds)
          SELECT ${organizationId}, gen_random_uuid(), now() - n * interval '1 second', 'CASE_READ', 'JOB', ${caseId}::uuid,
                 CASE n % 2 WHEN 1 THEN ${reader}::uuid ELSE CASE n WHEN 2 THEN ${userId}::uuid ELSE gen_random_uuid() END END, 'none', '{}'
          FROM generate_series(1, ${count}::integer) n
        ), lists AS (
          INSERT INTO audit_records (
            organization_id, id, at, action, actor_type, request_id, kinds, shown_case_ids, shown_user_ids
          )
          SELECT ${organizationId}, gen_random_uuid(), now() - n * interval '1 second', 'CASE_FOUND', 'JOB', 'none', '{}',
                 ARRAY[${caseId}::uuid], ARRAY[${reader}::uuid]
          FROM generate_series(1, ${count}::integer) n
          RETURNING organization_id, id, at, action
        )
        INSERT INTO audit_shown SELECT organization_id, id, at, action, ${caseId}::uuid, ${reader}::uuid, true FROM lists
      `
      const add = (owner: OrganizationId, count: number) => sql`
        WITH recorded AS (
          INSERT INTO audit_records (organization_id, id, at, action, actor_type, user_id, request_id, kinds)
          SELECT ${owner}, gen_random_uuid(), now() - n * interval '1 second', CASE n % 2 WHEN 0 THEN 'CASE_READ' ELSE 'PROFILE_READ' END,
                 'JOB', CASE WHEN n % 100 = 0 THEN ${userId}::uuid END, 'none', '{}'
          FROM generate_series(1, ${count}::integer) n
          RETURNING organization_id, id
        )
        INSERT INTO audit_unlinked SELECT organization_id, id FROM recorded
      `
      const query = { limit: 10, organizationId }
      const measure = Effect.gen(function* () {
        return {
          list: yield* readsOf(tables, repo.page(query)),
          ofAction: yield* readsOf(tables, repo.page({ ...query, action: "CASE_READ" })),
          ofCase: yield* readsOf(tables, repo.page({ ...query, caseId })),
          ofReader: yield* readsOf(tables, repo.page({ ...query, userId: reader })),
          ofCaseAndPatient: yield* readsOf(tables, repo.page({ ...query, caseId, userId: reader })),
          ofCaseAndAnother: yield* readsOf(tables, repo.page({ ...query, caseId, userId })),
          ofPatient: yield* readsOf(tables, repo.page({ ...query, userId })),
          links: yield* readsOf(tables, repo.links(organizationId, 300, 100)),
          strays: yield* readsOf(tables, repo.strays(organizationId, undefined, 100)),
          heads: yield* readsOf(tables, repo.heads(undefined, undefined, 100))
        }
      })
      yield* add(organizationId, 2000)
      yield* addOfCase(200)
      yield* add(other, 10)
      yield* link
      yield* sql`ANALYZE audit_records, audit_links, audit_shown`
      const few = yield* measure
      yield* add(organizationId, 20_000)
      yield* addOfCase(5000)
      yield* add(other, 10)
      yield* link
      const heads = yield* repo.heads(undefined, undefined, 100)
      assert.sameDeepMembers(
        heads.map(({ count, organizationId }) => ({ count, organizationId })),
        [
          { count: 22_000, organizationId },
          { count: 20, organizationId: other }
        ]
      )
      // Autovacuum would do this soon after so many inserts.
      yield* sql`ANALYZE audit_records, audit_links, audit_shown`
      const many = yield* measure
      for (const name of Struct.keys(few)) {
        assert.isAbove(few[name], 0, name)
        assert.isAtMost(many[name], few[name] + 20, name)
      }
    })
  )
})
