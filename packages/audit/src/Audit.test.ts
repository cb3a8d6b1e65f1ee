import { randomUUID } from "node:crypto"
import fs, { appendFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AuditLink, AuditQuery, ServiceAuditRecord } from "@care/domain/audit"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { isUnavailable, type Page } from "@care/service-kit"
import { countLockWaits, temporaryFolder, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, ConfigProvider, Context, Data, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "./Audit.ts"
import { chainHash, firstHash } from "./chainHash.ts"
import { layerAudit } from "./layerAudit.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"
import { makeOwnAudit } from "./testing/makeOwnAudit.ts"

class Refused extends Data.TaggedError("Refused") {}

const newRead = (organizationId: OrganizationId) => ({
  organizationId,
  action: "CASE_READ" as const,
  userId: UserId.make(randomUUID())
})

layer(layerAuditedDatabase("cases", 20), { excludeTestServices: true })("the audit", (it) => {
  const organization = Effect.sync(() => OrganizationId.make(randomUUID()))

  const recordsOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const repo = yield* makeAuditRepo
    return (yield* repo.page({ organizationId, limit: 100 })).data
  })

  /** Checks all links of an organization, and returns the end of its chain. */
  const verifyChain = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const repo = yield* makeAuditRepo
    const end = { organizationId, count: 0, hash: firstHash }
    for (let isLast = false; !isLast; ) {
      const page: Page<AuditLink, number> = yield* repo.links(organizationId, end.count, 1000)
      for (const { hash, number, record } of page.data) {
        assert.strictEqual(number, end.count + 1)
        assert.strictEqual(hash, chainHash(end.hash, number, record ?? assert.fail("a record is missing")))
        end.count = number
        end.hash = hash
      }
      isLast = page.nextCursor === null
    }
    return end
  })

  it.effect("a recorded read is in a file of mode 600, and then once in the database, however often it is moved", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const folder = yield* temporaryFolder()
      const [audit, outbox] = yield* makeOwnAudit(folder)
      yield* Effect.all([audit.read(newRead(organizationId)), audit.read(newRead(organizationId))], {
        concurrency: "unbounded"
      })
      const [file = ""] = readdirSync(folder)
      assert.strictEqual(statSync(join(folder, file)).mode & 0o777, 0o600)
      const [, other] = yield* makeOwnAudit(folder)
      yield* Effect.all([other.takeOver, outbox.move, other.takeOver], { concurrency: "unbounded" })
      assert.lengthOf(yield* recordsOf(organizationId), 2)
      assert.deepStrictEqual(readdirSync(folder), [])
      assert.strictEqual(yield* outbox.bytes, 0)
    }).pipe(Effect.scoped)
  )

  it.effect("reads are linked when they are stored, or later if another process is linking", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeAuditRepo
      const [audit, outbox] = yield* makeOwnAudit()
      const linked = Effect.map(repo.links(organizationId, 0, 10), ({ data }) => data.length)
      yield* audit.read(newRead(organizationId))
      yield* audit.read(newRead(organizationId))
      yield* outbox.move
      assert.strictEqual(yield* linked, 2)

      const [links, ends] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const other = yield* sql`SELECT pg_advisory_xact_lock(hashtext('care audit ' || current_schema()))`.pipe(
        Effect.andThen(Deferred.succeed(links, undefined)),
        Effect.andThen(Deferred.await(ends)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(links)
      yield* audit.read(newRead(organizationId))
      yield* outbox.move
      assert.lengthOf(yield* recordsOf(organizationId), 3)
      assert.strictEqual(yield* linked, 2)
      yield* Deferred.succeed(ends, undefined)
      yield* Fiber.join(other)
      yield* yield* makeAuditChains
      assert.strictEqual(yield* linked, 3)
    }).pipe(Effect.scoped)
  )

  it.effect("the outbox of an ended process is taken over once, without an incomplete line", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const folder = yield* temporaryFolder()
      const [audit] = yield* makeOwnAudit(folder)
      for (let count = 0; count < 3; count += 1) yield* audit.read(newRead(organizationId))
      const file = join(folder, readdirSync(folder)[0] ?? "")
      appendFileSync(file, `{"organizationId":"${organizationId}","id":"`)
      const others = yield* Effect.all([makeOwnAudit(folder), makeOwnAudit(folder), makeOwnAudit(folder)])
      const takeOver = Effect.forEach(others, ([, outbox]) => outbox.takeOver, { concurrency: "unbounded" })
      yield* takeOver
      assert.lengthOf(yield* recordsOf(organizationId), 3)
      // The file may belong to a process that is only slow.
      assert.lengthOf(readdirSync(folder), 1)
      utimesSync(file, 0, 0)
      yield* takeOver
      assert.deepStrictEqual(readdirSync(folder), [])
      assert.lengthOf(yield* recordsOf(organizationId), 3)
    }).pipe(Effect.scoped)
  )

  it.effect("a file that cannot be taken over delays no other, and is an error", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const folder = yield* temporaryFolder()
      const [audit] = yield* makeOwnAudit(folder)
      yield* audit.read(newRead(organizationId))
      // Some of the bad files come before the good one, whatever the order of the folder.
      for (let name = 0; name < 8; name += 1) {
        writeFileSync(join(folder, `${name}${randomUUID()}-1.lines`), `{"organizationId":"none","id":"none"}\n`)
      }
      const [, other] = yield* makeOwnAudit(folder)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(other.takeOver)))
      assert.lengthOf(yield* recordsOf(organizationId), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("reads are synced to the disk within about a second, also while the database is locked", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const sql = yield* SqlClient.SqlClient
      const folder = yield* temporaryFolder()
      const { fdatasync } = fs
      const synced = new Set<number>()
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          fs.fdatasync = Object.assign((descriptor: number, done: fs.NoParamCallback) => {
            synced.add(fs.fstatSync(descriptor).ino)
            fdatasync(descriptor, done)
          }, fdatasync)
        }),
        () =>
          Effect.sync(() => {
            fs.fdatasync = fdatasync
          })
      )
      const config = ConfigProvider.layer(ConfigProvider.fromEnvRecord({ AUDIT_OUTBOX_DIR: folder }))
      const context = yield* Layer.build(Layer.fresh(layerAudit("cases")).pipe(Layer.provide(config)))
      const { read } = Context.get(context, Audit)
      yield* Effect.gen(function* () {
        yield* sql`CREATE INDEX nothing_is_added ON audit_entries (at)`
        yield* read(newRead(organizationId))
        yield* until(countLockWaits(), (count) => count > 0)
        yield* read(newRead(organizationId))
        yield* until(
          Effect.sync(() => synced.size),
          (files) => files === 2
        )
        return yield* new Refused()
      }).pipe(sql.withTransaction, Effect.flip)
      const records = yield* until(recordsOf(organizationId), (found) => found.length > 0)
      assert.isAtMost(records.length, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("an organization has an end as long as it has a link or a record", () =>
    Effect.gen(function* () {
      const [headless, linkless] = [yield* organization, yield* organization]
      const [audit, sql] = [yield* Audit, yield* SqlClient.SqlClient]
      const repo = yield* makeAuditRepo
      yield* audit.changed({ organizationId: headless, action: "PROFILE_CHANGED" })
      yield* yield* makeAuditChains
      yield* sql`DELETE FROM audit_heads WHERE organization_id = ${headless}`
      yield* sql`
        INSERT INTO audit_records (organization_id, id, at, action, actor_type, request_id, kinds)
        VALUES (${linkless}, gen_random_uuid(), now(), 'CASE_READ', 'JOB', 'none', '{}')
      `
      const ends: Array<string> = []
      for (let after: string | undefined; ; after = ends.at(-1)) {
        const page = yield* repo.heads(undefined, after, 2)
        ends.push(...page.map(({ organizationId }) => organizationId))
        if (page.length < 2) break
      }
      assert.includeMembers(ends, [headless, linkless])
      assert.deepStrictEqual(ends, [...new Set(ends)].sort())
      const none = { organizationId: headless, count: 0, hash: firstHash }
      assert.deepStrictEqual(yield* repo.heads(headless, undefined, 2), [none])
      assert.lengthOf((yield* repo.strays(linkless, undefined, 10)).data, 1)
    })
  )

  it.effect("a record that became unreadable is missing from its chain, and hides no other", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const [audit, sql] = [yield* Audit, yield* SqlClient.SqlClient]
      const repo = yield* makeAuditRepo
      const id = randomUUID()
      yield* sql`
        WITH made AS (
          INSERT INTO audit_records (organization_id, id, at, action, actor_type, request_id, kinds)
          VALUES (${organizationId}, ${id}, now(), 'NOTHING_OF_OURS', 'NOBODY', 'none', '{}')
        )
        INSERT INTO audit_links (organization_id, number, record_id, hash)
        VALUES (${organizationId}, 1, ${id}, decode(${firstHash}, 'hex'))
      `
      yield* sql`
        INSERT INTO audit_heads (organization_id, count, hash) VALUES (${organizationId}, 1, decode(${firstHash}, 'hex'))
      `
      yield* audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      yield* yield* makeAuditChains
      const records = (yield* repo.links(organizationId, 0, 10)).data.map(({ record }) => record?.action ?? null)
      assert.deepStrictEqual(records, [null, "PROFILE_CHANGED"])
      assert.deepStrictEqual(yield* repo.strays(organizationId, undefined, 10), { data: [], nextCursor: null })
    })
  )

  it.effect("a read without room in the outbox is refused as temporary, and reads go on when there is room", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      // Room for one record and half of another.
      const [audit, outbox] = yield* makeOwnAudit(yield* temporaryFolder(), 600)
      yield* audit.read(newRead(organizationId))
      const refused = yield* Effect.exit(audit.read(newRead(organizationId)))
      assert.isTrue(Exit.isFailure(refused) && isUnavailable(Cause.squash(refused.cause)))
      yield* outbox.move
      yield* audit.read(newRead(organizationId))
      yield* outbox.move
      assert.lengthOf(yield* recordsOf(organizationId), 2)
      // Of two records in one write only the first has room.
      const together = Effect.replicateEffect(Effect.exit(audit.read(newRead(organizationId))), 2, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual((yield* together).map(Exit.isFailure), [false, true])
      yield* outbox.move
      assert.strictEqual(yield* outbox.bytes, 0)
    }).pipe(Effect.scoped)
  )

  it.effect("an organization whose reads fill its share of the outbox is refused alone, until they are moved", () =>
    Effect.gen(function* () {
      const [flooding, bystander] = [yield* organization, yield* organization]
      const [audit, outbox] = yield* makeOwnAudit(yield* temporaryFolder(), 40_000)
      const isKept = (organizationId: OrganizationId) =>
        Effect.map(Effect.exit(audit.read(newRead(organizationId))), Exit.isSuccess)
      const flood = yield* Effect.replicateEffect(isKept(flooding), 200, { concurrency: 20 })
      assert.includeMembers(flood, [true, false])
      assert.isFalse(yield* isKept(flooding))
      const others = yield* Effect.replicateEffect(isKept(bystander), 20)
      assert.notInclude(others, false)
      // Also in one write.
      assert.deepStrictEqual(yield* Effect.all([isKept(flooding), isKept(bystander)], { concurrency: "unbounded" }), [
        false,
        true
      ])
      yield* outbox.move
      assert.isTrue(yield* isKept(flooding))
      assert.lengthOf(yield* recordsOf(bystander), 21)
    }).pipe(Effect.scoped)
  )

  it.effect("a list is one record of each organization, which is found by each case and patient", () =>
    Effect.gen(function* () {
      const [organizationId, other] = [yield* organization, yield* organization]
      const repo = yield* makeAuditRepo
      const [audit, outbox] = yield* makeOwnAudit()
      const caseOf = (owner: OrganizationId, userId: UserId | null) => ({
        ...{ organizationId: owner, userId, caseId: CaseId.make(randomUUID()) }
      })
      const patient = UserId.make(randomUUID())
      // Two cases of one patient, one of them shown twice, a case without a patient, and one of another organization.
      const [first, second, nobodys] = [
        caseOf(organizationId, patient),
        caseOf(organizationId, patient),
        caseOf(organizationId, null)
      ]
      const many = Array.from({ length: 990 }, () => ({
        ...caseOf(organizationId, null),
        userId: UserId.make(randomUUID())
      }))
      const foreign = { ...caseOf(other, null), userId: UserId.make(randomUUID()) }
      yield* audit.listed("APPOINTMENTS_READ", [first, second, first, nobodys, foreign, ...many])
      assert.isAtMost(yield* outbox.bytes, 100_000)
      yield* outbox.move

      const found = (query: Partial<AuditQuery>) =>
        Effect.map(repo.page({ organizationId, limit: 10, ...query }), ({ data }) => data)
      const [record, ...otherRecords] = yield* found({})
      if (record === undefined) return assert.fail("the list was not recorded")
      assert.deepStrictEqual(otherRecords, [])
      assert.deepInclude(record, { action: "APPOINTMENTS_READ", caseId: null, userId: null, kinds: ["APPOINTMENTS"] })
      const shownCases = [first, second, nobodys, ...many].map(({ caseId, userId }) => ({ caseId, userId }))
      assert.sameDeepMembers([...record.shown], shownCases)
      const last = many.at(-1) ?? assert.fail()
      for (const query of [
        { userId: patient },
        { caseId: second.caseId },
        { caseId: first.caseId, userId: patient },
        { caseId: nobodys.caseId },
        { caseId: last.caseId, userId: last.userId, action: "APPOINTMENTS_READ" as const }
      ]) {
        assert.deepStrictEqual(yield* found(query), [record], JSON.stringify(Object.keys(query)))
      }
      for (const query of [
        { userId: foreign.userId },
        { caseId: first.caseId, userId: last.userId },
        { userId: patient, action: "CASE_FOUND" as const },
        { userId: patient, to: record.at }
      ]) {
        assert.deepStrictEqual(yield* found(query), [], JSON.stringify(Object.keys(query)))
      }
      // A list with one case is recorded as a read of it.
      assert.deepInclude((yield* repo.page({ organizationId: other, limit: 10 })).data[0], {
        ...{ caseId: foreign.caseId, userId: foreign.userId, shown: [] }
      })
      const [link] = (yield* repo.links(organizationId, 0, 10)).data
      assert.strictEqual(link?.hash, chainHash(firstHash, 1, record))
    }).pipe(Effect.scoped)
  )

  it.effect("waiting lists are linked however many ids they name, and their pages end early", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeAuditRepo
      const link = yield* makeAuditChains
      const [audit, outbox] = yield* makeOwnAudit()
      const userId = UserId.make(randomUUID())
      const list = Array.from({ length: 1000 }, () => ({
        ...{ organizationId, userId, caseId: CaseId.make(randomUUID()) }
      }))
      yield* Effect.replicateEffect(audit.listed("CASE_FOUND", list), 25)
      yield* sql`SELECT pg_advisory_xact_lock(hashtext('care audit ' || current_schema()))`.pipe(
        Effect.andThen(Effect.provideService(outbox.move, SqlClient.SqlClient, sql)),
        sql.withTransaction
      )
      yield* link
      const seenIds: Array<string> = []
      let cursor: AuditQuery["cursor"]
      for (;;) {
        const page: Page<ServiceAuditRecord> = yield* repo.page({
          ...{ organizationId, userId, limit: 100 },
          ...(cursor !== undefined && { cursor })
        })
        assert.isAtMost(page.data.length, 11)
        seenIds.push(...page.data.map(({ id }) => id))
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      assert.strictEqual(new Set(seenIds).size, 25)
      assert.lengthOf(seenIds, 25)
      assert.strictEqual((yield* verifyChain(organizationId)).count, 25)
    }).pipe(Effect.scoped)
  )

  it.effect("a change that is rolled back is not recorded", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const [audit, sql] = [yield* Audit, yield* SqlClient.SqlClient]
      const change = audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      yield* Effect.flip(sql.withTransaction(Effect.andThen(change, new Refused())))
      assert.lengthOf(yield* recordsOf(organizationId), 0)
      yield* sql.withTransaction(change)
      assert.deepInclude((yield* recordsOf(organizationId))[0], { action: "PROFILE_CHANGED", kinds: ["PROFILE"] })
    })
  )

  it.effect("the service's role cannot change or remove what was recorded and linked", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const [audit, sql] = [yield* Audit, yield* SqlClient.SqlClient]
      yield* audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      yield* yield* makeAuditChains
      // The tables of version 1, those that have partitions, and their partitions.
      const tables = yield* sql<{ name: string; hasRights: boolean; triggers: number }>`
        SELECT relname AS name, has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE') AS has_rights,
               (SELECT count(*)::int FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = 'refuse_change' AND tgenabled = 'O') AS triggers
        FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
          AND relname ~ '^audit_(records|shown|links|entries.*|entry_cases.*)$'
        ORDER BY relname
      `
      assert.lengthOf(tables, 3 + 2 * (1 + 1 + 3))
      // The role lacks the rights, and a trigger refuses roles that have them. Each alone would be enough.
      for (const { hasRights, name, triggers } of tables) {
        assert.deepStrictEqual({ hasRights, triggers }, { hasRights: false, triggers: 1 }, name)
        const changes = [
          sql`UPDATE ${sql(name)} SET organization_id = organization_id`,
          sql`DELETE FROM ${sql(name)}`,
          sql`TRUNCATE ${sql(name)}`
        ]
        for (const change of changes) {
          assert.deepInclude((yield* Effect.flip(change)).reason.cause, { code: "42501" })
        }
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`GRANT UPDATE, DELETE, TRUNCATE ON ${sql(name)} TO CURRENT_USER`
            for (const change of changes) {
              const tried = yield* Effect.flip(sql.withTransaction(change))
              assert.include(JSON.stringify(tried.reason.cause), "refuse_audit_change()")
            }
            yield* sql`REVOKE UPDATE, DELETE, TRUNCATE ON ${sql(name)} FROM CURRENT_USER`
          })
        )
      }
      assert.lengthOf((yield* (yield* makeAuditRepo).links(organizationId, 0, 10)).data, 1)
    })
  )

  it.effect("parallel linking links each record once, without a gap", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const audit = yield* Audit
      const repo = yield* makeAuditRepo
      const link = yield* makeAuditChains
      const record = audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      yield* Effect.replicateEffect(Effect.andThen(record, link), 20, { concurrency: 10, discard: true })
      yield* link
      const end = yield* verifyChain(organizationId)
      assert.strictEqual(end.count, 20)
      assert.deepStrictEqual(yield* repo.heads(organizationId, undefined, 10), [end])
      assert.deepStrictEqual(yield* repo.strays(organizationId, undefined, 100), { data: [], nextCursor: null })
    })
  )
})
