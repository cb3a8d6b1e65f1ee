import { type AuditCheckpoint, AuditHead } from "@care/domain/audit"
import { OrganizationId } from "@care/domain/ids"
import { PhiCipher, type SealedTable } from "@care/phi"
import { asSlowRead, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { firstHash } from "./chainHash.ts"

const schemas = rowsOf(Schema.Struct({ schema: Schema.String }))

/** The end of a chain in a month that is over. */
export interface EndOfMonth extends AuditHead {
  readonly month: number
}

const Checkpoint = Schema.Struct({
  ...AuditHead.fields,
  month: Schema.Int,
  countBefore: AuditHead.fields.count,
  hashBefore: AuditHead.fields.hash
})
type Checkpoint = typeof Checkpoint.Type

const before = rowsOf(Schema.Struct({ ...AuditHead.fields, organizationId: OrganizationId }))
const sealedCheckpoints = rowsOf(Schema.Struct({ ...Checkpoint.fields, seal: Schema.String }))

const placeOf = (schema: string, organizationId: unknown, month: unknown) =>
  `audit_checkpoints.seal/${JSON.stringify([schema, organizationId, month])}`

// What a seal has. The rest is in its place.
const textOf = ({ count, countBefore, hash, hashBefore }: Checkpoint): string =>
  `${countBefore} ${hashBefore} ${count} ${hash}`

/** The seals of checkpoints, which `PHI_KEY` makes. */
export const checkpointSeals: SealedTable = {
  table: "audit_checkpoints",
  column: "seal",
  key: { organization_id: "uuid", month: "integer" },
  placeOf: ({ month, organizationId }, schema) => placeOf(schema, organizationId, month)
}

/** Makes the functions that store and read checkpoints. A checkpoint is sealed, so that a user of the database cannot make one. */
export const makeCheckpoints = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const { schema } = yield* schemas.one(sql`SELECT current_schema() AS schema`)

  const lastOf = (organizationIds: ReadonlyArray<string>) =>
    before.all(sql`
      SELECT organization_id, last.count::float8 AS count, encode(last.hash, 'hex') AS hash
      FROM unnest(${organizationIds}::uuid[]) AS whose (organization_id)
      CROSS JOIN LATERAL (
        SELECT count, hash FROM audit_checkpoints c
        WHERE c.organization_id = whose.organization_id
        ORDER BY month DESC
        LIMIT 1
      ) last
    `)

  const isGenuine = ({ seal, ...checkpoint }: Checkpoint & { readonly seal: string }): boolean => {
    try {
      return cipher.open(seal, placeOf(schema, checkpoint.organizationId, checkpoint.month)) === textOf(checkpoint)
    } catch {
      return false
    }
  }

  return {
    /** Stores the checkpoints of months that are over, each beginning where the last one of its chain ends. */
    store: Effect.fnUntraced(function* (ends: ReadonlyArray<EndOfMonth>) {
      if (ends.length === 0) return
      const last = new Map(
        (yield* lastOf(ends.map(({ organizationId }) => organizationId))).map((each) => [each.organizationId, each])
      )
      const rows = ends.map((end) => {
        const { count: countBefore, hash: hashBefore } = last.get(end.organizationId) ?? { count: 0, hash: firstHash }
        const checkpoint = { ...end, countBefore, hashBefore }
        return { ...checkpoint, seal: cipher.seal(textOf(checkpoint), placeOf(schema, end.organizationId, end.month)) }
      })
      yield* execute(sql`
        INSERT INTO audit_checkpoints (organization_id, month, count_before, hash_before, count, hash, seal)
        SELECT "organizationId", month, "countBefore", decode("hashBefore", 'hex'), count, decode(hash, 'hex'), seal
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS ended (
          "organizationId" uuid, month integer, "countBefore" bigint, "hashBefore" text, count bigint, hash text, seal text
        )
        ON CONFLICT (organization_id, month) DO NOTHING
      `)
    }),

    /** Returns the checkpoints of a chain after a month, oldest first. */
    list: (organizationId: OrganizationId, after: number, limit: number) =>
      sealedCheckpoints
        .all(sql`
          SELECT organization_id, month, count_before::float8 AS count_before, encode(hash_before, 'hex') AS hash_before,
                 count::float8 AS count, encode(hash, 'hex') AS hash, seal
          FROM audit_checkpoints
          WHERE organization_id = ${organizationId} AND month > ${after}
          ORDER BY month
          LIMIT ${limit}
        `)
        .pipe(
          asSlowRead,
          Effect.map((rows) =>
            rows.map(
              (row): AuditCheckpoint => ({
                ...Struct.pick(row, ["month", "countBefore", "hashBefore", "count", "hash"]),
                isGenuine: isGenuine(row)
              })
            )
          )
        )
  }
})
