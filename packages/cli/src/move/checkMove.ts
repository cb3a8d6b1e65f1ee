import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { CommandFailed } from "../CommandFailed.ts"
import { type CellDatabases, serviceNames } from "./cellDatabases.ts"
import type { ServiceMove } from "./copyRows.ts"

/** The names of the cells of a move. */
interface Cells {
  readonly from: string
  readonly to: string
}

const refuse = (message: string) => new CommandFailed({ message })

/** Refuses a role that may not do what a move does at its end, before it begins. */
export const requireRights = Effect.fnUntraced(function* (databases: CellDatabases, cell: string) {
  for (const service of serviceNames) {
    const [rights] = yield* Effect.orDie(
      databases[service]<{ missing: string | null }>`
        SELECT CASE
          WHEN NOT pg_has_role(nspowner, 'USAGE') THEN format('GRANT %s TO %I', nspowner::regrole, current_user)
          WHEN NOT has_parameter_privilege('session_replication_role', 'SET')
            THEN format('GRANT SET ON PARAMETER session_replication_role TO %I', current_user)
        END AS missing
        FROM pg_namespace WHERE nspname = ${service}
      `
    )
    if (rights === undefined) {
      return yield* refuse(`CELL_DATABASES names a database for ${service} of ${cell} that has no schema ${service}.`)
    }
    if (rights.missing !== null) {
      return yield* refuse(`The role in CELL_DATABASES for ${service} of ${cell} lacks a right: ${rights.missing}.`)
    }
  }
})

/**
 * Keeps other movers away from a cell until this process ends, because the triggers and policies of a second move would replace those of the
 * first. The lock belongs to the session, and a client of the mover has one.
 */
export const holdCell = Effect.fnUntraced(function* (auth: SqlClient.SqlClient, cell: string) {
  const [lock] = yield* Effect.orDie(
    auth<{ isMine: boolean }>`SELECT pg_try_advisory_lock(hashtextextended('care org move', 0)) AS "isMine"`
  )
  if (lock?.isMine !== true) {
    return yield* refuse(`Another care org move works on the cell ${cell}: wait until it has ended.`)
  }
})

/** Refuses a move while that of another organization from or to the cell is not finished. */
export const requireNoOther = Effect.fnUntraced(function* (
  auth: SqlClient.SqlClient,
  cell: string,
  organizationId: string
) {
  const [other] = yield* Effect.orDie(
    auth<{ id: string; to: string }>`
      SELECT organization_id AS id, CASE WHEN state IN ('ARRIVING', 'AUDITING') THEN ${cell} ELSE cell END AS to
      FROM auth.organization_moves
      WHERE state <> 'GONE' AND organization_id <> ${organizationId}::uuid
    `
  )
  if (other !== undefined) {
    return yield* refuse(
      `The cell ${cell} has an unfinished move of the organization ${other.id}: end it first, by care org move ${other.id} --to ${other.to}.`
    )
  }
})

// Triggers of distributed tables run on other nodes than the mover's locks.
const requireSameVersion = Effect.fnUntraced(function* ({ schema, source, target }: ServiceMove, { from, to }: Cells) {
  const describe = (sql: SqlClient.SqlClient) =>
    sql.unsafe<{ migrations: string; isCitus: boolean }>(
      `SELECT (SELECT string_agg(name, ' ' ORDER BY migration_id) FROM ${schema}.migrations) AS migrations,
              EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS "isCitus"`
    )
  const [[here], [there]] = yield* Effect.orDie(Effect.all([describe(source), describe(target)]))
  if (here?.isCitus === true || there?.isCitus === true) {
    return yield* refuse("Organizations do not move from or to a Citus cluster.")
  }
  if (here?.migrations !== there?.migrations) {
    return yield* refuse(
      `The schema ${schema} has other migrations in the cell ${to} than in ${from}: upgrade both to the same version first.`
    )
  }
})

interface Fingerprint {
  readonly name: string
  readonly fingerprint: string
}

// What one cell signed or sealed, and what it has at providers, is the other's from then on.
const missingSecrets = Effect.fnUntraced(function* ({ schema, source, target }: ServiceMove) {
  const read = (sql: SqlClient.SqlClient) =>
    sql.unsafe<Fingerprint>(`SELECT name, fingerprint FROM ${schema}.secret_fingerprints ORDER BY name`)
  const [here, there] = yield* Effect.orDie(Effect.all([read(source), read(target)]))
  const accepted = new Set(there.map(({ fingerprint, name }) => `${name} ${fingerprint}`))
  const missing = here.flatMap(({ fingerprint, name }) => (accepted.has(`${name} ${fingerprint}`) ? [] : [name]))
  return [...new Set(missing)].map((name) => ({ name, schema }))
})

const describeMissing = (name: string, schemas: ReadonlyArray<string>, { from, to }: Cells) =>
  /_TOKEN$|^STRIPE_SECRET_KEY$/.test(name)
    ? `${name} is another one in the cell ${to} than in ${from}: give it that of ${from}, because what began at one account of the provider cannot end at another one, and restart ${schemas.join(", ")}.`
    : `${name} of the cell ${to} does not have each of ${from}: add those of ${from} behind its own (${name}=own,other), and restart ${schemas.join(", ")}.`

// Their records would come back to a month that is closed.
const requireSameArchives = Effect.fnUntraced(function* (
  { schema, source, target }: ServiceMove,
  organizationId: string,
  { from, to }: Cells
) {
  const closed = yield* Effect.orDie(
    target.unsafe<{ month: number }>(
      `SELECT DISTINCT month FROM ${schema}.audit_checkpoints
       WHERE archived_at IS NOT NULL AND organization_id <> $1::uuid`,
      [organizationId]
    )
  )
  const [open] = yield* Effect.orDie(
    source.unsafe<{ month: string }>(
      `SELECT to_char(min(month), 'FM0000-00') AS month FROM ${schema}.audit_entries
       WHERE organization_id = $1::uuid AND month = ANY($2::integer[]) HAVING count(*) > 0`,
      [organizationId, closed.map(({ month }) => month)]
    )
  )
  if (open !== undefined) {
    return yield* refuse(
      `The cell ${to} has archived ${open.month}, and ${from} has not: run care audit archive ${open.month} --cell ${from} first.`
    )
  }
})

// A chain cannot be joined to another one.
const requireNoChain = Effect.fnUntraced(function* (
  { schema, target }: ServiceMove,
  organizationId: string,
  to: string
) {
  const [late] = yield* Effect.orDie(
    target.unsafe(
      `SELECT FROM ${schema}.audit_heads AS head WHERE organization_id = $1::uuid AND NOT EXISTS (
         SELECT FROM ${schema}.organization_moves AS move WHERE move.organization_id = head.organization_id AND state <> 'GONE'
       )`,
      [organizationId]
    )
  )
  if (late !== undefined) {
    return yield* refuse(
      `The cell ${to} has records of the audit of ${organizationId} in ${schema} that came after it had left: it cannot come back.`
    )
  }
})

/** Refuses a move for which the cells are not prepared, with what to do. */
export const requireReady = Effect.fnUntraced(function* (
  services: ReadonlyArray<ServiceMove>,
  organizationId: string,
  cells: Cells
) {
  for (const service of services) yield* requireSameVersion(service, cells)
  const missing = (yield* Effect.forEach(services, missingSecrets)).flat()
  if (missing.length > 0) {
    const byName = Map.groupBy(missing, ({ name }) => name)
    const lines = [...byName].map(([name, found]) =>
      describeMissing(
        name,
        found.map(({ schema }) => schema),
        cells
      )
    )
    return yield* refuse(lines.join("\n"))
  }
  for (const service of services) {
    yield* requireSameArchives(service, organizationId, cells)
    yield* requireNoChain(service, organizationId, cells.to)
  }
})
