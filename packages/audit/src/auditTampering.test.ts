import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "./Audit.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { currentProvenance, lineOf } from "./NewRecord.ts"
import { insertRecordsOfVersion1 } from "./recorded.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"

const newOrganization = () => OrganizationId.make(randomUUID())

/** The statement from docs/guides/audit.md that lets a chain continue. */
const newEndOf = (organizationId: string): string => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/audit.md"), "utf8")
  const [, statement = ""] = /```sql\n(INSERT INTO <service>\.audit_heads[^`]*)```/.exec(guide) ?? []
  return statement.replaceAll("<service>", "cases").replaceAll("<organization id>", organizationId)
}

/** Makes the effect that links records, with the log lines that it wrote. */
const makeLink = Effect.gen(function* () {
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
  return { lines, link: Effect.provide(yield* makeAuditChains, logger) }
})

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("a chain of the audit", (it) => {
  it.effect(
    "whose end was removed or set back waits, is logged once, goes on from a new end, and delays no other",
    () =>
      Effect.gen(function* () {
        const [removed, setBack, other] = [newOrganization(), newOrganization(), newOrganization()]
        const [audit, sql] = [yield* Audit, yield* SqlClient.SqlClient]
        const repo = yield* makeAuditRepo
        const { lines, link } = yield* makeLink
        const record = Effect.forEach([removed, setBack, other], (organizationId) =>
          audit.changed({ organizationId, action: "PROFILE_CHANGED" })
        )
        const counts = Effect.forEach([removed, setBack, other], (organizationId) =>
          Effect.map(repo.links(organizationId, 0, 10), ({ data }) => data.length)
        )
        yield* record
        yield* record
        yield* link
        yield* sql`DELETE FROM audit_heads WHERE organization_id = ${removed}`
        yield* sql`UPDATE audit_heads SET count = 1 WHERE organization_id = ${setBack}`
        yield* record
        yield* link
        yield* record
        yield* link
        assert.deepStrictEqual(yield* counts, [2, 2, 4])
        assert.lengthOf(lines, 2)
        for (const id of [removed, setBack]) {
          assert.match(lines.join("\n"), new RegExp(`level=ERROR .*The end of an audit chain was removed.*${id}`))
        }
        yield* sql.unsafe(newEndOf(removed))
        yield* sql.unsafe(newEndOf(setBack))
        yield* link
        assert.deepStrictEqual(yield* counts, [4, 4, 4])
        assert.lengthOf(lines, 2)
      })
  )

  it.effect("goes on when a record of version 1 waits that has its link", () =>
    Effect.gen(function* () {
      const [restored, other] = [newOrganization(), newOrganization()]
      const [audit, sql] = [yield* Audit, yield* SqlClient.SqlClient]
      const repo = yield* makeAuditRepo
      const { lines, link } = yield* makeLink
      const record = (organizationId: OrganizationId) => audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      const line = lineOf({ organizationId: restored, action: "PROFILE_CHANGED" }, yield* currentProvenance)
      yield* insertRecordsOfVersion1(sql, [line])
      yield* link
      yield* sql`INSERT INTO audit_unlinked SELECT organization_id, id FROM audit_records WHERE organization_id = ${restored}`
      yield* record(restored)
      yield* record(other)
      yield* link
      assert.match(lines.join(), /^[^,]*level=ERROR [^,]*wait for links that they already have/)
      assert.lengthOf((yield* repo.links(restored, 0, 10)).data, 2)
      assert.lengthOf((yield* repo.links(other, 0, 10)).data, 1)
      assert.lengthOf(yield* sql`SELECT FROM audit_unlinked`, 0)
    })
  )

  it.effect("leaves out a record that no service writes, says so, and goes on; it is found, and hides no other", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const [audit, sql] = [yield* Audit, yield* SqlClient.SqlClient]
      const repo = yield* makeAuditRepo
      const { lines, link } = yield* makeLink
      const insert = Effect.fnUntraced(function* (action: string, actor: string, ...kinds: ReadonlyArray<string>) {
        const id = randomUUID()
        yield* sql`
          INSERT INTO audit_records (organization_id, id, at, action, actor_type, request_id, kinds)
          VALUES (${organizationId}, ${id}, now(), ${action}, ${actor}, 'none', ${kinds})
        `
        return id
      })
      const waiting = yield* insert("CASE_READ", "NOBODY")
      yield* sql`INSERT INTO audit_unlinked VALUES (${organizationId}, ${waiting})`
      yield* audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      yield* link
      assert.lengthOf((yield* repo.links(organizationId, 0, 10)).data, 1)
      assert.lengthOf(lines, 1)
      assert.match(lines.join(), new RegExp(`level=ERROR .*no service writes.*${waiting}`))

      const [good, action, kind] = [
        yield* insert("CASE_READ", "JOB", "CASES"),
        yield* insert("NOTHING_OF_OURS", "JOB"),
        yield* insert("CASE_READ", "JOB", "NOTHING_OF_OURS")
      ]
      const { data } = yield* repo.strays(organizationId, undefined, 10)
      const found = new Map(data.map(({ record, recordId }) => [recordId, record?.id]))
      const none = undefined
      assert.deepStrictEqual(
        [waiting, good, action, kind].map((id) => found.has(id) && found.get(id)),
        [none, good, none, none]
      )
      const shown = (yield* repo.page({ organizationId, limit: 10 })).data.map((record) => record.action)
      assert.sameMembers(shown, ["CASE_READ", "PROFILE_CHANGED"])
    })
  )
})
