import { randomUUID } from "node:crypto"
import { appendFileSync, readdirSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { OrganizationId, UserId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Cause, Data, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isUnavailable } from "../http/isUnavailable.ts"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { temporaryFolder } from "../testing/temporaryFolder.ts"
import { Audit } from "./Audit.ts"
import { AuditSpool } from "./AuditSpool.ts"
import { chainHash, firstHash } from "./chainHash.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"

class Refused extends Data.TaggedError("Refused") {}

const newRead = (organizationId: OrganizationId) => ({
  organizationId,
  action: "CASE_READ" as const,
  userId: UserId.make(randomUUID())
})

layer(layerTestDatabase("cases", 20), { excludeTestServices: true })("the audit", (it) => {
  const organization = Effect.sync(() => OrganizationId.make(randomUUID()))

  const recordsOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const repo = yield* makeAuditRepo
    return yield* repo.page({ organizationId, limit: 100 })
  })

  /** A process of its own whose spool is in the folder: its audit, and the spool. */
  const processIn = (folder: string, mostBytes?: number) =>
    Effect.all([Audit, AuditSpool]).pipe(
      Effect.provide(
        Layer.fresh(Audit.layer).pipe(Layer.provideMerge(Layer.fresh(AuditSpool.layer(folder, mostBytes))))
      )
    )

  it.effect(
    "a read is kept for its owner alone when it is answered, and in the database, once, however often it is moved",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* organization
        const folder = yield* temporaryFolder()
        const [audit, spool] = yield* processIn(folder)
        yield* Effect.all([audit.read(newRead(organizationId)), audit.read(newRead(organizationId))], {
          concurrency: "unbounded"
        })
        const [file = ""] = readdirSync(folder)
        assert.strictEqual(statSync(join(folder, file)).mode & 0o777, 0o600)
        const [, other] = yield* processIn(folder)
        yield* Effect.all([other.takeOver, spool.move, other.takeOver], { concurrency: "unbounded" })
        assert.lengthOf(yield* recordsOf(organizationId), 2)
        assert.deepStrictEqual(readdirSync(folder), [])
        assert.strictEqual(yield* spool.bytes, 0)
      }).pipe(Effect.scoped)
  )

  it.effect("what a process left is taken over by those who start, once, without the line that broke off", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const folder = yield* temporaryFolder()
      const [audit] = yield* processIn(folder)
      for (let count = 0; count < 3; count += 1) yield* audit.read(newRead(organizationId))
      const file = join(folder, readdirSync(folder)[0] ?? "")
      appendFileSync(file, `{"organization_id":"${organizationId}","id":"`)
      const others = yield* Effect.all([processIn(folder), processIn(folder), processIn(folder)])
      const takeOver = Effect.forEach(others, ([, spool]) => spool.takeOver, { concurrency: "unbounded" })
      yield* takeOver
      assert.lengthOf(yield* recordsOf(organizationId), 3)
      // It may be the file of somebody who is only slow.
      assert.lengthOf(readdirSync(folder), 1)
      utimesSync(file, 0, 0)
      yield* takeOver
      assert.deepStrictEqual(readdirSync(folder), [])
      assert.lengthOf(yield* recordsOf(organizationId), 3)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a read that has no room is refused as what passes by itself, and reads go on when there is room again",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* organization
        const [audit, spool] = yield* processIn(yield* temporaryFolder(), 500)
        yield* audit.read(newRead(organizationId))
        const refused = yield* Effect.exit(audit.read(newRead(organizationId)))
        assert.isTrue(Exit.isFailure(refused) && isUnavailable(Cause.squash(refused.cause)))
        yield* spool.move
        yield* audit.read(newRead(organizationId))
        yield* spool.move
        assert.lengthOf(yield* recordsOf(organizationId), 2)
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
      for (const statement of [
        sql`UPDATE audit_records SET action = 'CASE_READ' WHERE organization_id = ${organizationId}`,
        sql`DELETE FROM audit_records WHERE organization_id = ${organizationId}`,
        sql`TRUNCATE audit_records`,
        sql`UPDATE audit_links SET number = 7 WHERE organization_id = ${organizationId}`,
        sql`DELETE FROM audit_links WHERE organization_id = ${organizationId}`,
        sql`TRUNCATE audit_links`
      ]) {
        assert.deepInclude((yield* Effect.flip(statement)).reason.cause, { code: "42501" })
      }
      assert.lengthOf(yield* (yield* makeAuditRepo).links(organizationId, 0, 10), 1)
    })
  )

  it.effect("records are linked once and without a gap, however many link at once", () =>
    Effect.gen(function* () {
      const organizationId = yield* organization
      const audit = yield* Audit
      const repo = yield* makeAuditRepo
      const link = yield* makeAuditChains
      const record = audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.andThen(record, link), {
        concurrency: 10,
        discard: true
      })
      yield* link
      const links = yield* repo.links(organizationId, 0, 100)
      assert.deepStrictEqual(
        links.map(({ number }) => number),
        Array.from({ length: 20 }, (_, index) => index + 1)
      )
      let previous = firstHash
      for (const { hash, number, record } of links) {
        assert.strictEqual(hash, chainHash(previous, number, record ?? assert.fail("a record is missing")))
        previous = hash
      }
      assert.deepStrictEqual(yield* repo.heads(organizationId, undefined, 10), [
        { organizationId, count: 20, hash: previous }
      ])
      assert.deepStrictEqual(yield* repo.strays(organizationId, undefined, 100), { data: [], nextCursor: null })
    })
  )

  it.effect("a list has what it is asked for, newest first, page by page", () =>
    Effect.gen(function* () {
      const [organizationId, other] = [yield* organization, yield* organization]
      const audit = yield* Audit
      const repo = yield* makeAuditRepo
      const userId = UserId.make(randomUUID())
      for (const action of ["PROFILE_READ", "PROFILE_CHANGED", "SIGNED_IN"] as const) {
        yield* audit.changed(
          { organizationId, action, userId },
          { organizationId, action },
          { organizationId: other, action }
        )
      }
      const actions = (query: Partial<Parameters<typeof repo.page>[0]>) =>
        Effect.map(repo.page({ organizationId, limit: 100, ...query }), (rows) => rows.map(({ action }) => action))
      assert.deepStrictEqual(yield* actions({ userId }), ["SIGNED_IN", "PROFILE_CHANGED", "PROFILE_READ"])
      assert.deepStrictEqual(yield* actions({ action: "PROFILE_CHANGED" }), ["PROFILE_CHANGED", "PROFILE_CHANGED"])
      const all = yield* repo.page({ organizationId, limit: 100 })
      const [, , third, fourth] = all
      if (third === undefined || fourth === undefined) return assert.fail("there are not enough")
      const cursor = { createdAt: third.at, id: third.id }
      assert.deepStrictEqual((yield* repo.page({ organizationId, limit: 1, cursor }))[0], fourth)
      assert.lengthOf(all, 6)
      assert.lengthOf(yield* repo.page({ organizationId, limit: 100, to: all[5]?.at ?? new Date(0) }), 0)
    })
  )
})
