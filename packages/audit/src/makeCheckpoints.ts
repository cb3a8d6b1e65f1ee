import { type ArchivedChain, type AuditCheckpoint, AuditHead } from "@care/domain/audit"
import { OrganizationId } from "@care/domain/ids"
import { PhiCipher, type SealedTable } from "@care/phi"
import { asSlowRead, execute, rowsOf } from "@care/service-kit"
import { Array as Arr, Effect, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
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

// Whether the records are in the files of an archive, and whether the database has them no more.
const ofArchive = { isStored: Schema.Boolean, isArchived: Schema.Boolean }

/** The checkpoint of a chain in a month, and what became of its records. */
export interface MonthCheckpoint extends ArchivedChain {
  readonly month: number
  readonly isGenuine: boolean
  readonly isStored: boolean
  readonly isArchived: boolean
}

const before = rowsOf(Schema.Struct({ ...AuditHead.fields, organizationId: OrganizationId }))
const SealedCheckpoint = Schema.Struct({
  ...Checkpoint.fields,
  ...ofArchive,
  organizationId: OrganizationId,
  seal: Schema.String
})
const sealedCheckpoints = rowsOf(SealedCheckpoint)

const lowestId = "00000000-0000-0000-0000-000000000000"

const placeOf = (schema: string, organizationId: unknown, month: unknown) =>
  `audit_checkpoints.seal/${JSON.stringify([schema, organizationId, month])}`

// What a seal has. The rest is in its place.
const textOf = ({ count, countBefore, hash, hashBefore }: Checkpoint, isArchived: boolean): string =>
  `${countBefore} ${hashBefore} ${count} ${hash}${isArchived ? " archived" : ""}`

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

  const isGenuine = ({ seal, ...checkpoint }: typeof SealedCheckpoint.Type): boolean => {
    try {
      const text = textOf(checkpoint, checkpoint.isArchived)
      return cipher.open(seal, placeOf(schema, checkpoint.organizationId, checkpoint.month)) === text
    } catch {
      return false
    }
  }

  const select = (condition: Statement.Fragment) =>
    Effect.map(
      sealedCheckpoints.all(sql`
        SELECT organization_id, month, count_before::float8 AS count_before, encode(hash_before, 'hex') AS hash_before,
               count::float8 AS count, encode(hash, 'hex') AS hash, seal, stored_at IS NOT NULL AS is_stored,
               archived_at IS NOT NULL AS is_archived
        FROM audit_checkpoints
        WHERE ${condition}
      `),
      (rows) => rows.map((row): MonthCheckpoint => ({ ...Struct.omit(row, ["seal"]), isGenuine: isGenuine(row) }))
    )

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
        return {
          ...checkpoint,
          seal: cipher.seal(textOf(checkpoint, false), placeOf(schema, end.organizationId, end.month))
        }
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
      select(sql`organization_id = ${organizationId} AND month > ${after} ORDER BY month LIMIT ${limit}`).pipe(
        asSlowRead,
        Effect.map((rows) =>
          rows.map(
            (row): AuditCheckpoint =>
              Struct.pick(row, ["month", "countBefore", "hashBefore", "count", "hash", "isGenuine", "isArchived"])
          )
        )
      ),

    /** Returns the checkpoints of a month after an organization, by organization. */
    ofMonth: (month: number, after: string | undefined, limit: number) =>
      select(sql`
        month = ${month} AND organization_id > ${after ?? lowestId}::uuid ORDER BY organization_id LIMIT ${limit}
      `),

    find: (month: number, organizationId: OrganizationId) =>
      Effect.map(select(sql`organization_id = ${organizationId} AND month = ${month}`), Arr.head),

    /** Returns the checkpoints of a month, and locks them until the transaction ends. */
    lock: (month: number) => select(sql`month = ${month} ORDER BY organization_id FOR UPDATE`),

    /** Stores that the records of a chain in a month are in the files of an archive. */
    markStored: (month: number, organizationId: OrganizationId, at: Date) =>
      execute(sql`
        UPDATE audit_checkpoints SET stored_at = ${at} WHERE organization_id = ${organizationId} AND month = ${month}
      `),

    /** Stores that the database has the records no more, and seals that, too. */
    archive: (archived: ReadonlyArray<MonthCheckpoint>, at: Date) =>
      Effect.forEach(
        archived,
        (checkpoint) => {
          const { month, organizationId } = checkpoint
          const seal = cipher.seal(textOf(checkpoint, true), placeOf(schema, organizationId, month))
          return execute(sql`
            UPDATE audit_checkpoints SET seal = ${seal}, archived_at = ${at}
            WHERE organization_id = ${organizationId} AND month = ${month}
          `)
        },
        { discard: true }
      )
  }
})
