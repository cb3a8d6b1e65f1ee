import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { Audit } from "./Audit.ts"
import { AuditSpool } from "./AuditSpool.ts"
import { makeAuditChains } from "./makeAuditChains.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("the audit", (it) => {
  it.effect("a read is in the database, once, when it was moved", () =>
    Effect.gen(function* () {
      const audit = yield* Audit
      const spool = yield* AuditSpool
      const sql = yield* SqlClient.SqlClient
      const organizationId = OrganizationId.make(randomUUID())
      yield* audit.read({ organizationId, action: "CASE_READ", userId: UserId.make(randomUUID()) })
      yield* spool.move
      const rows = yield* sql`SELECT * FROM audit_records WHERE organization_id = ${organizationId}`
      assert.lengthOf(rows, 1)
      yield* yield* makeAuditChains
      const links = yield* sql`SELECT * FROM audit_links WHERE organization_id = ${organizationId}`
      assert.lengthOf(links, 1)
    })
  )
})
