import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type AuditCheckpoint, monthAfter, monthOf } from "@care/domain/audit"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerTestCipherWith, makePhiKey } from "@care/phi/testing"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Audit } from "./Audit.ts"
import { chainHash, firstHash } from "./chainHash.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditMonths } from "./makeAuditMonths.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { makeCheckpoints } from "./makeCheckpoints.ts"
import { makeStoreReads } from "./makeStoreReads.ts"
import { currentProvenance, lineOf } from "./NewRecord.ts"
import { insertRecordsOfVersion1 } from "./recorded.ts"
import { idBoundOf, newRecordId } from "./recordId.ts"
import { atMoment } from "./testing/atMoment.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"
import { makeOwnAudit } from "./testing/makeOwnAudit.ts"

const newOrganization = () => OrganizationId.make(randomUUID())

const newRead = (organizationId: OrganizationId) => ({
  organizationId,
  action: "CASE_READ" as const,
  userId: UserId.make(randomUUID())
})

const inMay = atMoment("2026-05-31T23:59:59.900Z")
const inJune = atMoment("2026-06-01T00:00:00.100Z")
const inJuly = atMoment("2026-07-02T00:00:00Z")

describe("months", () => {
  plainIt("follow each other over the end of a year", () => {
    assert.strictEqual(monthOf(new Date("2026-12-31T23:59:59.999Z")), 202612)
    assert.deepStrictEqual([monthAfter(202612), monthAfter(202611, 3)], [202701, 202702])
  })

  plainIt("ids of records are in the order of time, and a position of another kind of id is between them", () => {
    const [early, late] = [new Date("2026-05-01T00:00:00.000Z"), new Date("2026-05-01T00:00:00.001Z")]
    const [first, second] = [newRecordId(early), newRecordId(late)]
    assert.isBelow(first.localeCompare(second), 0)
    assert.strictEqual(idBoundOf({ createdAt: late, id: second }), second)
    // An id that is random: below or above those of the moment.
    for (const [id, isAbove] of [
      ["00000000-0000-4000-8000-000000000000", false],
      ["ffffffff-ffff-4fff-8fff-ffffffffffff", true]
    ] as const) {
      const bound = idBoundOf({ createdAt: late, id })
      assert.isTrue(first < bound, id)
      assert.strictEqual(second < bound, isAbove, id)
    }
  })
})

layer(layerAuditedDatabase("cases", 20), { excludeTestServices: true })("the audit by months", (it) => {
  const linksOf = Effect.fnUntraced(function* (organizationId: OrganizationId, month?: number) {
    return (yield* (yield* makeAuditRepo).links(organizationId, 0, 1000, month)).data
  })
  const monthsOf = (organizationId: OrganizationId) =>
    Effect.map(linksOf(organizationId), (links) => links.map(({ month }) => month))
  const readAndMove = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const [audit, outbox] = yield* makeOwnAudit()
    yield* audit.read(newRead(organizationId))
    yield* outbox.move
  }, Effect.scoped)
  const changeAndLink = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    yield* (yield* Audit).changed({ organizationId, action: "PROFILE_CHANGED" })
    yield* yield* makeAuditChains
  })
  const endMonths = Effect.flatMap(makeAuditMonths, ({ end }) => end)
  const checkpointsOf = (organizationId: OrganizationId) =>
    Effect.flatMap(makeCheckpoints, ({ list }) => list(organizationId, 0, 100))

  it.effect("the partitions of this month and the next ones are there, and are added long before they are needed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const months = yield* makeAuditMonths
      const current = monthOf(new Date())
      assert.strictEqual(yield* months.countPrepared, 2)
      const later = atMoment(`${Math.floor(current / 100) + 1}-01-15T00:00:00Z`)
      const january = (Math.floor(current / 100) + 1) * 100 + 1
      // Parallel processes, and again.
      yield* Effect.all([months.prepare, months.prepare, months.prepare], { concurrency: "unbounded" }).pipe(
        Effect.exit,
        later
      )
      yield* later(months.prepare)
      assert.strictEqual(yield* later(months.countPrepared), 2)
      const [found] = yield* sql<{ count: number }>`
        SELECT count(*)::int AS count FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(${[january, january + 1, january + 2].map((month) => `audit_entries_${month}`)}::text[])
      `
      assert.strictEqual(found?.count, 3)
      for (const wrong of [202600, 202613, 1]) {
        const refused = yield* Effect.flip(sql`CALL add_audit_month(${wrong})`)
        assert.deepInclude(refused.reason.cause, { code: "P0001" })
      }
    })
  )

  it.effect("a record of a month without a partition is stored and found, and the months after it get theirs", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeAuditRepo
      const months = yield* makeAuditMonths
      const inAYear = atMoment("2031-03-15T00:00:00Z")
      yield* inAYear(readAndMove(organizationId))
      assert.deepStrictEqual(yield* monthsOf(organizationId), [203103])
      assert.lengthOf(yield* sql`SELECT FROM audit_entries_default WHERE organization_id = ${organizationId}`, 1)
      assert.lengthOf((yield* repo.page({ organizationId, limit: 10 })).data, 1)
      // That month cannot have one any more.
      yield* Effect.flip(Effect.sandbox(inAYear(months.prepare)))
      assert.strictEqual(yield* inAYear(months.countPrepared), 2)
    })
  )

  it.effect("a record is in the month in which it was linked, and none is added to a month that ended", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const [late, lateOutbox] = yield* makeOwnAudit()
      yield* inMay(readAndMove(organizationId))
      yield* inMay(late.read(newRead(organizationId)))
      yield* inMay((yield* Audit).changed({ organizationId, action: "PROFILE_CHANGED" }))
      yield* inJune(yield* makeAuditChains)
      yield* inJune(lateOutbox.move)
      yield* inJune(yield* makeAuditChains)
      assert.deepStrictEqual(yield* monthsOf(organizationId), [202605, 202606, 202606])
      // A process whose clock is behind.
      yield* inMay(changeAndLink(organizationId))
      yield* inJuly(endMonths)
      yield* inMay(changeAndLink(organizationId))
      yield* inMay(readAndMove(organizationId))
      yield* inMay(yield* makeAuditChains)
      assert.deepStrictEqual(yield* monthsOf(organizationId), [202605, 202606, 202606, 202606, 202607, 202607])
    }).pipe(Effect.scoped)
  )

  /** Checks that links lead from the state before a month to that after it, and returns how many there are. */
  const countLeading = Effect.fnUntraced(function* (organizationId: OrganizationId, checkpoint: AuditCheckpoint) {
    const links = yield* linksOf(organizationId, checkpoint.month)
    let [count, hash] = [checkpoint.countBefore, checkpoint.hashBefore]
    for (const { hash: next, number, record } of links) {
      count += 1
      hash = chainHash(hash, number, record ?? assert.fail(`no record ${number}`))
      assert.deepStrictEqual([number, next], [count, hash])
    }
    assert.deepStrictEqual([count, hash], [checkpoint.count, checkpoint.hash])
    return links.length
  })

  it.effect("a month that is over has a checkpoint, once, whether a record follows or none", () =>
    Effect.gen(function* () {
      const [active, idle] = [newOrganization(), newOrganization()]
      for (const at of [inMay, inMay, inJune]) yield* at(changeAndLink(active))
      yield* inMay(readAndMove(idle))
      // The first record in June has ended May.
      const [may] = yield* checkpointsOf(active)
      assert.deepInclude(may, { month: 202605, countBefore: 0, hashBefore: firstHash, count: 2, isGenuine: true })
      assert.deepStrictEqual(yield* checkpointsOf(idle), [])
      yield* Effect.all(
        Array.from({ length: 5 }, () => inJuly(endMonths)),
        { concurrency: "unbounded" }
      )
      yield* inJuly(endMonths)
      yield* inJuly(readAndMove(active))
      for (const [organizationId, months, counts] of [
        [active, [202605, 202606], [2, 1]],
        [idle, [202605], [1]]
      ] as const) {
        const checkpoints = yield* checkpointsOf(organizationId)
        assert.deepStrictEqual(
          checkpoints.map(({ month }) => month),
          [...months]
        )
        for (const [index, checkpoint] of checkpoints.entries()) {
          assert.isTrue(checkpoint.isGenuine)
          assert.strictEqual(yield* countLeading(organizationId, checkpoint), counts[index])
        }
      }
    })
  )

  it.effect("a checkpoint that was changed, moved or made by another key is not genuine", () =>
    Effect.gen(function* () {
      const [organizationId, other] = [newOrganization(), newOrganization()]
      const sql = yield* SqlClient.SqlClient
      for (const owner of [organizationId, other]) {
        for (const at of [inMay, inJune, inJuly]) yield* at(changeAndLink(owner))
      }
      const genuine = Effect.map(checkpointsOf(organizationId), (found) => found.map(({ isGenuine }) => isGenuine))
      assert.deepStrictEqual(yield* genuine, [true, true])
      const change = (statement: Statement.Statement<unknown>) =>
        Effect.gen(function* () {
          yield* sql`GRANT UPDATE, DELETE ON audit_checkpoints TO CURRENT_USER`
          yield* statement
          const found = yield* genuine
          return yield* Effect.fail(found)
        }).pipe(sql.withTransaction, Effect.flip)
      const ofMay = sql`organization_id = ${organizationId} AND month = 202605`
      const sealOf = (owner: OrganizationId, month: number) =>
        sql`(SELECT seal FROM audit_checkpoints WHERE organization_id = ${owner} AND month = ${month})`
      for (const statement of [
        sql`UPDATE audit_checkpoints SET count = 2 WHERE ${ofMay}`,
        sql`UPDATE audit_checkpoints SET hash = hash_before WHERE ${ofMay}`,
        sql`UPDATE audit_checkpoints SET count_before = 1 WHERE ${ofMay}`,
        sql`UPDATE audit_checkpoints SET seal = 'k1:' || split_part(${sealOf(organizationId, 202606)}, ':', 2) WHERE ${ofMay}`,
        sql`UPDATE audit_checkpoints SET seal = ${sealOf(other, 202605)} WHERE ${ofMay}`,
        sql`UPDATE audit_checkpoints SET seal = 'nonsense' WHERE ${ofMay}`
      ]) {
        assert.deepStrictEqual(yield* change(statement), [false, true])
      }
      const withOtherKey = yield* Effect.provide(genuine, layerTestCipherWith(makePhiKey("k1")), { local: true })
      assert.deepStrictEqual(withOtherKey, [false, false])
      assert.deepStrictEqual(yield* genuine, [true, true])
      // The service may seal anew, and nothing else.
      for (const statement of [
        sql`UPDATE audit_checkpoints SET count = 1 WHERE ${ofMay}`,
        sql`DELETE FROM audit_checkpoints WHERE ${ofMay}`
      ]) {
        assert.deepInclude((yield* Effect.flip(statement)).reason.cause, { code: "42501" })
      }
    })
  )

  it.effect("a month of a chain whose end was set back has no checkpoint until the chain goes on", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      for (let count = 0; count < 2; count += 1) yield* inMay(changeAndLink(organizationId))
      yield* sql`UPDATE audit_heads SET count = 1 WHERE organization_id = ${organizationId}`
      yield* inJune(endMonths)
      assert.deepStrictEqual(yield* checkpointsOf(organizationId), [])
      yield* sql`UPDATE audit_heads SET count = 2 WHERE organization_id = ${organizationId}`
      yield* inJune(endMonths)
      assert.lengthOf(yield* checkpointsOf(organizationId), 1)
    })
  )

  it.effect("records that are moved twice are stored once, also across the end of a month and in parallel", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const folder = yield* temporaryFolder()
      const [audit, own] = yield* makeOwnAudit(folder)
      yield* inMay(Effect.replicateEffect(audit.read(newRead(organizationId)), 30))
      const others = yield* Effect.all([makeOwnAudit(folder), makeOwnAudit(folder), makeOwnAudit(folder)])
      const takeOver = Effect.forEach(others, ([, outbox], index) => (index === 0 ? inMay : inJune)(outbox.takeOver), {
        concurrency: "unbounded"
      })
      yield* takeOver
      yield* inJune(own.move)
      yield* inJune(yield* makeAuditChains)
      const links = yield* linksOf(organizationId)
      assert.lengthOf(links, 30)
      assert.strictEqual(new Set(links.map(({ recordId }) => recordId)).size, 30)
    }).pipe(Effect.scoped)
  )

  it.effect("a read that is stored at once a second time is one entry, and the second one is no failure", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const store = yield* makeStoreReads
      const line = yield* inMay(
        Effect.map(currentProvenance, (provenance) => lineOf(newRead(organizationId), provenance))
      )
      yield* inMay(Effect.andThen(store([line]), store([line])))
      yield* inMay(yield* makeAuditChains)
      assert.lengthOf(yield* linksOf(organizationId), 1)
    })
  )

  it.effect("processes of version 1 go on: their records are in the same chain, and none is stored twice", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeAuditRepo
      const link = yield* makeAuditChains
      const lineOfVersion1 = Effect.map(currentProvenance, (provenance) => lineOf(newRead(organizationId), provenance))
      const storeByVersion1 = Effect.flatMap(lineOfVersion1, (line) => insertRecordsOfVersion1(sql, [line]))
      yield* inMay(storeByVersion1)
      yield* inMay(link)
      yield* inMay(changeAndLink(organizationId))
      yield* inMay(storeByVersion1)
      yield* inMay(link)
      // The file of a process of version 1, which may have moved it, and may do so once more.
      const folder = yield* temporaryFolder()
      const line = yield* inMay(lineOfVersion1)
      writeFileSync(join(folder, `${randomUUID()}-1.jsonl`), `${line}\n`)
      const [, outbox] = yield* makeOwnAudit(folder)
      yield* inMay(outbox.takeOver)
      yield* insertRecordsOfVersion1(sql, [line])
      yield* inMay(link)
      yield* inJune(changeAndLink(organizationId))
      assert.deepStrictEqual(yield* monthsOf(organizationId), [undefined, 202605, undefined, undefined, 202606])
      const [may] = yield* checkpointsOf(organizationId)
      assert.strictEqual(yield* countLeading(organizationId, may ?? assert.fail("May has no checkpoint")), 4)
      assert.lengthOf((yield* repo.page({ organizationId, limit: 10 })).data, 5)
      assert.deepStrictEqual((yield* repo.strays(organizationId, undefined, 10)).data, [])
    }).pipe(Effect.scoped)
  )
})
