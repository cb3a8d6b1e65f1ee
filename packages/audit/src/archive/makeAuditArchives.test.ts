import { randomUUID } from "node:crypto"
import { firstHash } from "@care/audit/chainHash"
import { OrganizationId, UserId } from "@care/domain/ids"
import { PhiCipher } from "@care/phi"
import { countLockWaits, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "../Audit.ts"
import { makeAuditChains } from "../makeAuditChains.ts"
import { makeAuditRepo } from "../makeAuditRepo.ts"
import { makeChainsRepo } from "../makeChainsRepo.ts"
import { makeCheckpoints } from "../makeCheckpoints.ts"
import { atMoment } from "../testing/atMoment.ts"
import { layerAuditedDatabase } from "../testing/layerAuditedDatabase.ts"
import { openChains } from "./archiveLines.ts"
import { makeAuditArchives } from "./makeAuditArchives.ts"

const newOrganization = () => OrganizationId.make(randomUUID())

layer(layerAuditedDatabase("cases", 20), { excludeTestServices: true })("archives of the audit", (it) => {
  const addMonths = (...months: ReadonlyArray<number>) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(months, (month) => sql`CALL add_audit_month(${month}::integer)`, { discard: true })
    )

  /** Stores and links changes of an organization at a moment. */
  const change = Effect.fnUntraced(function* (moment: string, organizationId: OrganizationId, count = 1) {
    const at = atMoment(moment)
    const audit = yield* Audit
    const record = () => ({
      organizationId,
      action: "PROFILE_CHANGED" as const,
      userId: UserId.make(randomUUID())
    })
    for (let index = 0; index < count; index += 1) yield* at(audit.changed(record()))
    yield* at(yield* makeAuditChains)
  })

  /** Returns the lines of a chain's archive. */
  const piecesOf = Effect.fnUntraced(function* (month: number, organizationId: OrganizationId) {
    const { piece } = yield* makeAuditArchives
    const lines: Array<string> = []
    let cursor: number | null | undefined
    while (cursor !== null) {
      const { nextCursor, sealed }: { readonly nextCursor: number | null; readonly sealed: string } = yield* piece(
        month,
        organizationId,
        cursor
      )
      lines.push(sealed)
      cursor = nextCursor
    }
    return lines
  })

  const checkAll = Effect.fnUntraced(function* (
    month: number,
    organizationId: OrganizationId,
    lines: ReadonlyArray<string>
  ) {
    const { check } = yield* makeAuditArchives
    let proof: string | undefined
    const complete: Array<boolean> = []
    for (const line of lines) {
      const checked: { readonly proof: string; readonly isComplete: boolean } = yield* check(
        month,
        organizationId,
        line,
        proof
      )
      proof = checked.proof
      complete.push(checked.isComplete)
    }
    return complete
  })

  const monthsOf = (organizationId: OrganizationId) =>
    Effect.flatMap(makeAuditRepo, (repo) =>
      Effect.map(repo.links(organizationId, 0, 5000), ({ data }) => data.map(({ month }) => month))
    )

  const isThere = (month: number) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql<{ count: number }>`
          SELECT count(*)::int AS count FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace
            AND relname IN (${`audit_entries_${month}`}, ${`audit_entry_cases_${month}`})
        `,
        ([row]) => row?.count
      )
    )

  // The months of the tests are in their order: a new chain has no month that was archived.
  const atJuly = atMoment("2026-07-10T00:00:00Z")

  it.effect("a piece that was changed, or is of another chain, month or position, is refused", () =>
    Effect.gen(function* () {
      const [organizationId, other] = [newOrganization(), newOrganization()]
      yield* addMonths(202601, 202602, 202606, 202607)
      for (const owner of [organizationId, other]) {
        yield* change("2026-01-10T00:00:00Z", owner, 1001)
        yield* change("2026-02-10T00:00:00Z", owner)
        yield* change("2026-06-20T00:00:00Z", owner)
      }
      const [first = "", second = ""] = yield* piecesOf(202601, organizationId)
      const [february = ""] = yield* piecesOf(202602, organizationId)
      const [ofOther = ""] = yield* piecesOf(202601, other)
      const { check } = yield* makeAuditArchives
      const { proof } = yield* check(202601, organizationId, first, undefined)
      const refused = Effect.fnUntraced(function* (line: string, before?: string) {
        return (yield* Effect.flip(check(202601, organizationId, line, before))).reason
      })
      const at = Math.floor(first.length / 2)
      const swapped = `${first.slice(0, at)}${first[at] === "A" ? "B" : "A"}${first.slice(at + 1)}`
      for (const line of [
        swapped,
        second,
        february,
        ofOther,
        "k1:",
        "nonsense",
        `${first}=`,
        ` ${first}`,
        first.replace("k1", "k9")
      ]) {
        assert.match(yield* refused(line), /^The piece after record 0 of .* is not sound: audit archive/)
      }
      assert.match(yield* refused(first, proof), /^The piece after record 1000 of .* is not sound/)
      assert.include(yield* refused(second, "k1:nonsense"), "begin again with the first piece")
      assert.isTrue((yield* check(202601, organizationId, second, proof)).isComplete)
    })
  )

  it.effect("a month with changed records, without a checkpoint, or with an open chain is not archived", () =>
    Effect.gen(function* () {
      const [changed, open] = [newOrganization(), newOrganization()]
      const sql = yield* SqlClient.SqlClient
      yield* addMonths(202603)
      const archives = yield* makeAuditArchives
      yield* change("2026-03-10T00:00:00Z", changed, 2)
      yield* change("2026-03-10T00:00:00Z", open, 2)
      yield* sql`UPDATE audit_heads SET count = 1 WHERE organization_id = ${open}`
      const openReason = (yield* Effect.flip(atJuly(archives.remove(202603)))).reason
      assert.include(openReason, `The end of the chain of ${open} in cases was removed or set back`)
      yield* sql`UPDATE audit_heads SET count = 2 WHERE organization_id = ${open}`
      yield* atJuly(archives.chains(202603, undefined, 10))
      yield* sql`GRANT UPDATE, DELETE ON audit_entries_202603 TO CURRENT_USER`
      yield* sql`ALTER TABLE audit_entries_202603 DISABLE TRIGGER ALL`.pipe(
        Effect.catch(() => sql`ALTER TABLE audit_entries_202603 DISABLE TRIGGER refuse_change`)
      )
      yield* sql`UPDATE audit_entries_202603 SET user_id = NULL WHERE organization_id = ${changed} AND number = 2`
      assert.include(
        (yield* Effect.flip(archives.piece(202603, changed))).reason,
        "were changed after record 1: run care audit verify --month 2026-03"
      )
      const late = newOrganization()
      yield* sql`
        INSERT INTO audit_entries (organization_id, number, id, at, month, kinds, hash, action, actor_type, request_name)
        VALUES (${late}, 1, ${randomUUID()}, now(), 202603, 0, decode(${firstHash}, 'hex'), 'CASE_READ', 'JOB', 'none')
      `
      // What no checkpoint has is not removed, whatever was checked.
      yield* sql`UPDATE audit_checkpoints SET archived_at = now() WHERE month = 202603`
      assert.deepInclude((yield* Effect.flip(sql`CALL remove_audit_month(202603)`)).reason.cause, { code: "P0001" })
      assert.strictEqual(yield* isThere(202603), 2)
      // Who only says that a month was archived has no seal of it.
      const [march] = yield* (yield* makeCheckpoints).list(changed, 0, 10)
      assert.deepInclude(march, { isArchived: true, isGenuine: false })
    })
  )

  it.effect("a month that somebody reads is removed when they are done; meanwhile nothing is changed", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      yield* addMonths(202604)
      yield* change("2026-04-10T00:00:00Z", organizationId)
      yield* atJuly((yield* makeAuditArchives).chains(202604, undefined, 10))
      yield* checkAll(202604, organizationId, yield* piecesOf(202604, organizationId))
      const { remove } = yield* makeAuditArchives
      const isHeld = yield* Deferred.make<void>()
      const waits = (isWaiting: boolean) => until(countLockWaits(), (count) => count > 0 === isWaiting)
      // The removal gives up after a second, so that writers go on, and tries again.
      const reading = sql`SELECT FROM audit_entries WHERE month = 202604`.pipe(
        Effect.andThen(Deferred.succeed(isHeld, undefined)),
        Effect.andThen(waits(true)),
        Effect.andThen(waits(false)),
        Effect.andThen(waits(true)),
        sql.withTransaction
      )
      const removing = Effect.andThen(Deferred.await(isHeld), atJuly(remove(202604)))
      yield* Effect.all([reading, removing], { concurrency: "unbounded" })
      assert.strictEqual(yield* isThere(202604), 0)
      // While somebody links records, which may be of a new chain, nothing is removed.
      const [isTaken, isRefused] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const linking = (yield* makeChainsRepo).takeTurn.pipe(
        Effect.andThen(Deferred.succeed(isTaken, undefined)),
        Effect.andThen(Deferred.await(isRefused)),
        sql.withTransaction
      )
      const refusal = Deferred.await(isTaken).pipe(
        Effect.andThen(Effect.flip(atJuly(remove(202604)))),
        Effect.ensuring(Deferred.succeed(isRefused, undefined))
      )
      const [, { reason }] = yield* Effect.all([linking, refusal], { concurrency: "unbounded" })
      assert.include(reason, "2026-04 is in use in cases: try again.")
    })
  )

  it.effect("a month is removed once all its pieces were checked, of all chains; the chains go on after it", () =>
    Effect.gen(function* () {
      const [organizationId, other] = [newOrganization(), newOrganization()]
      yield* addMonths(202605)
      yield* change("2026-05-10T00:00:00Z", organizationId, 1100)
      yield* change("2026-05-10T00:00:00Z", other)
      yield* change("2026-06-10T00:00:00Z", organizationId)
      const archives = yield* makeAuditArchives
      const cipher = yield* PhiCipher
      const refusal = (effect: Effect.Effect<unknown, { readonly reason: string }>) =>
        Effect.map(Effect.flip(effect), ({ reason }) => reason)

      assert.include(
        yield* refusal(atMoment("2026-05-31T23:59:59Z")(archives.chains(202605, undefined, 10))),
        "is not over"
      )
      const page = yield* atJuly(archives.chains(202605, undefined, 1))
      const rest = yield* atJuly(archives.chains(202605, page.nextCursor ?? assert.fail("one page"), 1))
      assert.isNull(rest.nextCursor)
      const listed = [...page.data, ...rest.data]
      assert.sameMembers(
        listed.map((chain) => chain.organizationId),
        [organizationId, other]
      )
      assert.deepInclude(listed.find((chain) => chain.organizationId === organizationId) ?? {}, {
        countBefore: 0,
        hashBefore: firstHash,
        count: 1100
      })
      assert.deepStrictEqual(
        JSON.parse(openChains(cipher, "cases", 202605, page.nextCursor ?? undefined, rest.sealed)).next,
        null
      )

      const lines = yield* piecesOf(202605, organizationId)
      assert.lengthOf(lines, 2)
      // Nothing is removed that was not checked.
      const notAll = /not all in an archive: run care audit archive 2026-05 again/
      assert.match(yield* refusal(atJuly(archives.remove(202605))), notAll)
      assert.deepStrictEqual(yield* checkAll(202605, organizationId, lines), [false, true])
      assert.match(yield* refusal(atJuly(archives.remove(202605))), notAll)
      assert.deepStrictEqual(yield* checkAll(202605, other, yield* piecesOf(202605, other)), [true])
      const sql = yield* SqlClient.SqlClient
      assert.deepInclude((yield* Effect.flip(sql`CALL remove_audit_month(202605)`)).reason.cause, { code: "P0001" })
      assert.strictEqual(yield* isThere(202605), 2)

      // Several at once and again, while processes whose clocks are months behind write for new organizations.
      const lateOnes = Array.from({ length: 6 }, newOrganization)
      const [removed] = yield* Effect.all(
        [
          Effect.all(
            Array.from({ length: 4 }, () => Effect.exit(atJuly(archives.remove(202605)))),
            { concurrency: "unbounded" }
          ),
          Effect.forEach(lateOnes, (late) => change("2026-05-20T00:00:00Z", late), { concurrency: "unbounded" })
        ],
        { concurrency: "unbounded" }
      )
      // One that came before the removal is archived first.
      for (const exit of removed) {
        if (Exit.isFailure(exit)) assert.match(String(Cause.squash(exit.cause)), /not all in an archive|ArchiveRefused/)
      }
      yield* atJuly(archives.chains(202605, undefined, 10))
      for (const late of lateOnes) {
        yield* checkAll(202605, late, yield* Effect.orElseSucceed(piecesOf(202605, late), () => []))
      }
      const { chains } = yield* atJuly(archives.remove(202605))
      assert.deepStrictEqual(yield* atJuly(archives.remove(202605)), { chains })
      assert.isAtLeast(chains, 2)
      assert.lengthOf(yield* sql`SELECT FROM audit_entries WHERE month = 202605`, 0)
      for (const late of lateOnes)
        assert.deepStrictEqual(yield* (yield* makeAuditRepo).strays(late, undefined, 10), {
          data: [],
          nextCursor: null
        })
      assert.strictEqual(yield* isThere(202605), 0)
      assert.deepStrictEqual(yield* monthsOf(organizationId), [202606])
      const [may] = yield* (yield* makeCheckpoints).list(organizationId, 0, 10)
      assert.deepInclude(may, { month: 202605, count: 1100, isGenuine: true, isArchived: true })
      assert.isTrue((yield* atJuly(archives.chains(202605, undefined, 10))).isArchived)
      assert.include(yield* refusal(archives.piece(202605, organizationId)), "was archived already")
      // What is in files can be checked after that, too.
      assert.deepStrictEqual(yield* checkAll(202605, organizationId, lines), [false, true])

      // Reads say so.
      const repo = yield* makeAuditRepo
      const archivedOf = (query: object) =>
        Effect.map(repo.page({ limit: 10, ...query }), ({ archivedMonths }) => archivedMonths)
      assert.deepStrictEqual(yield* archivedOf({ organizationId }), [202605])
      assert.include((yield* archivedOf({})) ?? [], 202605)
      assert.deepStrictEqual(yield* archivedOf({ organizationId, to: new Date("2026-05-20") }), [202605])
      assert.isUndefined(yield* archivedOf({ organizationId, from: new Date("2026-06-01") }))
      assert.isUndefined(yield* archivedOf({ organizationId: newOrganization() }))

      // A process whose clock is months behind adds nothing to it.
      const late = newOrganization()
      yield* change("2026-05-20T00:00:00Z", late)
      yield* change("2026-05-20T00:00:00Z", organizationId)
      assert.deepStrictEqual([yield* monthsOf(late), yield* monthsOf(organizationId)], [[202606], [202606, 202607]])
    })
  )
})
