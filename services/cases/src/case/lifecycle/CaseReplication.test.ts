import { randomUUID } from "node:crypto"
import { CaseId, type OrganizationId } from "@care/domain/ids"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { layerStoredCases, makeCase, makeClinic, storeProviders } from "../../../test/storedCases.ts"
import { makePeopleRepo } from "../people/PeopleRepo.ts"
import { Cases } from "./Cases.ts"
import { makeCasesRepo } from "./CasesRepo.ts"

class Refused extends Data.TaggedError("Refused") {}

layer(layerStoredCases, { excludeTestServices: true })("cases that are followed", (it) => {
  const sent = Effect.fnUntraced(function* (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) {
    const { snapshots } = yield* makeCasesRepo
    return (yield* snapshots(organizationId, ids)).map(({ isArchived, status, version }) => ({
      isArchived,
      status,
      version
    }))
  })
  const jobsOf = (organizationId: OrganizationId) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT id FROM jobs WHERE queue_name = 'case-replication' AND organization_id = ${organizationId}`
    ).pipe(Effect.map(({ length }) => length))
  const close = (organizationId: OrganizationId, id: CaseId) =>
    Effect.flatMap(Cases, (cases) => cases.move(organizationId, id, { name: "close", archiveNote: null }))

  it.effect("are replicated when they move; others are not, nor what is rolled back or refused", () =>
    Effect.gen(function* () {
      const [cases, sql] = [yield* Cases, yield* SqlClient.SqlClient]
      const { organizationId } = yield* makeClinic
      const [{ id, userId }, other] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
      assert.deepStrictEqual(yield* cases.follow(organizationId, id), {
        organizationId,
        caseId: id,
        userId,
        shortId: id,
        title: "",
        status: "OPEN",
        isArchived: false,
        isTest: false,
        version: 1
      })
      yield* close(organizationId, other.id)
      yield* Effect.flip(sql.withTransaction(Effect.andThen(close(organizationId, id), new Refused())))
      assert.strictEqual(yield* jobsOf(organizationId), 0)
      yield* close(organizationId, id)
      yield* Effect.flip(close(organizationId, id))
      assert.strictEqual(yield* jobsOf(organizationId), 1)
      assert.deepStrictEqual(yield* sent(organizationId, [id, other.id]), [
        { isArchived: true, status: "OPEN", version: 2 }
      ])
    })
  )

  it.effect("share a job when they are assigned together", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { first, organizationId } = yield* makeClinic
      yield* storeProviders(organizationId, [first])
      const [one, two, three] = [
        yield* makeCase(organizationId),
        yield* makeCase(organizationId),
        yield* makeCase(organizationId)
      ]
      yield* cases.follow(organizationId, one.id)
      yield* cases.follow(organizationId, three.id)
      const ids = [one.id, two.id, three.id]
      yield* cases.assignToLeastBusy(organizationId, ids)
      const assigned = { isArchived: false, status: "ASSIGNED", version: 2 }
      assert.deepStrictEqual(yield* sent(organizationId, ids), [assigned, assigned])
      assert.strictEqual(yield* jobsOf(organizationId), 1)
    })
  )

  it.effect("have a snapshot of after the move, or are replicated, when they are followed during a move", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { organizationId } = yield* makeClinic
      const [{ id }, other] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
      const [, [snapshot]] = yield* whileHeld(close(organizationId, id), [cases.follow(organizationId, id)])
      assert.deepInclude(snapshot, { isArchived: true, version: 2 })
      yield* whileHeld(cases.follow(organizationId, other.id), [close(organizationId, other.id)])
      assert.strictEqual(yield* jobsOf(organizationId), 1)
    })
  )

  it.effect("the newest unarchived case of a customer is followed, and never another organization's", () =>
    Effect.gen(function* () {
      const [cases, sql] = [yield* Cases, yield* SqlClient.SqlClient]
      const { keep } = yield* makePeopleRepo
      const { organizationId } = yield* makeClinic
      const [older, newer] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
      const email = `${older.userId}@example.com`
      yield* keep(readPersonSnapshot(organizationId, older.userId, 1, { email }))
      yield* sql`
        UPDATE cases SET user_id = ${older.userId}, created_at = created_at + interval '1 day', is_sole = false
        WHERE organization_id = ${organizationId} AND id = ${newer.id}
      `
      assert.strictEqual((yield* cases.followNewest(organizationId, email)).caseId, newer.id)
      yield* close(organizationId, newer.id)
      assert.strictEqual((yield* cases.followNewest(organizationId, email)).caseId, older.id)
      yield* close(organizationId, older.id)
      const { organizationId: other } = yield* makeClinic
      for (const [organization, customer] of [
        [organizationId, email],
        [organizationId, "nobody@example.com"],
        [other, email]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(cases.followNewest(organization, customer)))._tag, "CaseNotFound")
      }
      assert.strictEqual((yield* Effect.flip(cases.follow(other, older.id)))._tag, "CaseForbidden")
      assert.strictEqual((yield* Effect.flip(cases.follow(other, CaseId.make(randomUUID()))))._tag, "CaseNotFound")
    })
  )
})
