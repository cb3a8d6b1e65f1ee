import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { runAudit, tamper } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Link {
  readonly number: number
  readonly recordId: string
  readonly month: string
}

testsOn(Suite.layer, "the audit by months", (it) => {
  const linksOf = ({ organizationId }: Clinic) =>
    Effect.map(admin("GET", `/audit/links/cases/${organizationId}`), ({ json }): ReadonlyArray<Link> => json.data)

  /** Reads a case some times, and waits until its chain has so many links. */
  const readUntil = Effect.fnUntraced(function* (clinic: Clinic, caseId: string, count: number) {
    const read = call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    yield* Effect.replicateEffect(read, 3)
    return yield* until(linksOf(clinic), ({ length }) => length >= count)
  })

  it("care audit verify --month reads a month, and finds changed records, and changed, removed and exchanged months", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const { advance, clock } = yield* SuiteTime
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    // Of each month: the creation and three reads, then three reads each.
    yield* readUntil(clinic, caseId, 4)
    yield* advance("32 days")
    yield* readUntil(clinic, caseId, 7)
    yield* advance("32 days")
    const links = yield* readUntil(clinic, caseId, 10)
    const [first = "", second = "", present = ""] = [...new Set(links.map(({ month }) => month))]
    assert.match(present, new RegExp(new Date(clock.currentTimeMillisUnsafe()).toISOString().slice(0, 7)))
    const [{ recordId: ofFirst } = assert.fail(), { recordId: ofSecond } = assert.fail()] = [first, second].map(
      (month) => links.findLast((link) => link.month === month)
    )

    const verify = (...flags: ReadonlyArray<string>) =>
      Effect.provideService(runAudit("verify", "--organization", organizationId, ...flags), Clock.Clock, clock)
    const ofMonth = (month: string) => verify("--month", month)
    for (const month of [first, second]) {
      assert.deepInclude(yield* ofMonth(month), {
        isGood: true,
        out: `Chains verified in ${month}: 1. No changes found.`
      })
    }
    assert.isTrue((yield* verify()).isGood)
    assert.include((yield* ofMonth(first)).errors, `cases ${organizationId}: 4 records`)
    assert.include((yield* ofMonth(second)).errors, `cases ${organizationId}: 3 records`)
    assert.include((yield* ofMonth(present)).errors, `${present} is not over: verify it without --month.`)
    assert.include((yield* ofMonth("2020-01")).errors, "No chain has a checkpoint of 2020-01.")
    assert.include((yield* ofMonth("2020-13")).errors, "a month such as 2026-05")

    const numberOf = (month: string) => Number(month.replace("-", ""))
    const [from, to] = [numberOf(first), numberOf(second)]
    /** Tampers, returns what verifying both months and the whole chain says, and puts everything back. */
    const found = Effect.fnUntraced(function* (change: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) {
      const tables = ["audit_entries", "audit_checkpoints"]
      yield* inDatabase("cases", (sql) =>
        Effect.forEach(
          tables,
          (table) =>
            sql`CREATE TABLE ${sql(`public.kept_${table}`)} AS SELECT * FROM ${sql(`cases.${table}`)} WHERE month <= ${to}`
        )
      )
      yield* tamper((sql) => Effect.orDie(change(sql)))
      const outs = [yield* ofMonth(first), yield* ofMonth(second), yield* verify()]
      yield* tamper((sql) =>
        Effect.forEach(tables, (table) =>
          Effect.andThen(
            sql`DELETE FROM ${sql(`cases.${table}`)} WHERE month <= ${to}`,
            Effect.andThen(
              sql`INSERT INTO ${sql(`cases.${table}`)} TABLE ${sql(`public.kept_${table}`)}`,
              sql`DROP TABLE ${sql(`public.kept_${table}`)}`
            )
          )
        )
      )
      return outs.map(({ errors, isGood, out }) => (isGood ? "" : `${out}\n${errors}`))
    })
    const removed = `a month before ${second} was removed, or its checkpoint changed`

    const changed = yield* found((sql) => sql`UPDATE cases.audit_entries SET user_id = NULL WHERE id = ${ofSecond}`)
    assert.strictEqual(changed[0], "")
    for (const out of changed.slice(1)) assert.include(out, `was changed: ${ofSecond}`)

    const deleted = yield* found((sql) => sql`DELETE FROM cases.audit_entries WHERE id = ${ofFirst}`)
    assert.deepStrictEqual(
      deleted.map((out) => out.includes("record 4 was removed")),
      [true, false, true]
    )

    const checkpoint = yield* found(
      (sql) => sql`UPDATE cases.audit_checkpoints SET count = count - 1 WHERE month = ${from}`
    )
    for (const out of checkpoint) {
      assert.include(out, `the checkpoint of ${first} was changed, or made by somebody else`)
      assert.include(out, removed)
    }

    const withoutCheckpoint = yield* found((sql) => sql`DELETE FROM cases.audit_checkpoints WHERE month = ${from}`)
    for (const out of withoutCheckpoint) assert.include(out, removed)
    assert.include(withoutCheckpoint[0], `the checkpoint of ${first} was removed`)

    const withoutMonth = yield* found((sql) =>
      Effect.andThen(
        sql`DELETE FROM cases.audit_entries WHERE month = ${from}`,
        sql`DELETE FROM cases.audit_checkpoints WHERE month = ${from}`
      )
    )
    for (const out of withoutMonth) assert.include(out, removed)
    assert.include(withoutMonth[2], "records 1 to 4 were removed")

    const exchanged = yield* found(
      (sql) => sql`
        UPDATE cases.audit_entries SET month = CASE month WHEN ${from} THEN ${to} ELSE ${from} END
        WHERE month IN (${from}, ${to})
      `
    )
    for (const out of exchanged) assert.include(out, "was moved to another month")
    assert.isTrue((yield* verify()).isGood)
  })
})
