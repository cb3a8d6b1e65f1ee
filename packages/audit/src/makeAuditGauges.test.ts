import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { metricsWith } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditGauges } from "./makeAuditGauges.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"
import { makeOwnAudit } from "./testing/makeOwnAudit.ts"

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("the metrics of the audit", (it) => {
  it.effect("count what waits for its chain, and what for the database, also while that does not answer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [audit, outbox] = yield* makeOwnAudit()
      const link = yield* makeAuditChains
      const measure = yield* Effect.provideService(makeAuditGauges, AuditOutbox, outbox)
      const metrics = Effect.map(metricsWith([measure]), ({ body }) =>
        body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
      )
      const says = (text: string, unlinked: number, bytes: number) => {
        assert.match(text, new RegExp(`^audit_unlinked ${unlinked}$`, "m"))
        assert.match(text, new RegExp(`^audit_outbox_bytes ${bytes}$`, "m"))
      }
      says(yield* metrics, 0, 0)
      const organizationId = OrganizationId.make(randomUUID())
      yield* audit.read({ organizationId, action: "CASE_READ" })
      const bytes = yield* outbox.bytes
      assert.isAbove(bytes, 0)
      says(yield* metrics, 0, bytes)
      const away = yield* Effect.acquireUseRelease(
        sql`ALTER TABLE audit_unlinked RENAME TO elsewhere`,
        () => metrics,
        () => Effect.orDie(sql`ALTER TABLE elsewhere RENAME TO audit_unlinked`)
      )
      assert.match(away, new RegExp(`^audit_outbox_bytes ${bytes}$`, "m"))
      assert.notMatch(away, /^audit_unlinked /m)
      yield* outbox.move
      says(yield* metrics, 0, 0)
      yield* audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      says(yield* metrics, 1, 0)
      yield* link
      says(yield* metrics, 0, 0)
    }).pipe(Effect.scoped)
  )
})
