import type { ServiceName } from "@care/domain/peers"
import { Clock, Effect, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { CommandFailed } from "../CommandFailed.ts"
import { type CellDatabases, connectMover, connectReader, serviceNames } from "./cellDatabases.ts"
import type { CellUrls } from "./cellDatabasesSetting.ts"
import { holdCell, requireNoOther, requireReady, requireRights } from "./checkMove.ts"
import { copyAudit } from "./copyAudit.ts"
import { copyChanges, copyRows, type ServiceMove } from "./copyRows.ts"
import { hideRows, showRows } from "./hideRows.ts"
import { copyLooseRows, removeLooseRows } from "./looseRows.ts"
import { type MovedTable, movedTables } from "./movedTables.ts"
import { removeRows } from "./removeRows.ts"
import { unwatchChanges, watchChanges } from "./watchChanges.ts"

/** What is moved, and where to. */
export interface MoveOptions {
  readonly organizationId: string
  /** The names of the cells. */
  readonly from: string
  readonly to: string
  readonly source: CellUrls
  readonly target: CellUrls
  /** Gets what is done, and the number of its step. */
  readonly report: (text: string, step: number) => Effect.Effect<void>
}

/** How many steps a move has. One that goes on after it was broken off begins later. */
export const moveSteps = 7

type State = "COPYING" | "DRAINING" | "FROZEN" | "LEAVING" | "MOVED" | "CLEARING" | "GONE" | "ARRIVING" | "AUDITING"

interface MovingService extends ServiceMove {
  readonly name: ServiceName
  readonly tables: ReadonlyArray<MovedTable>
}

// Longer than any copy of the last changes, and than the clocks of databases may differ.
const leaseSeconds = 60

// Every process notices within two seconds that an organization moves (`makeRecent`).
const noticedMillis = 2500

// Longer than services remember which cell has an organization (`EventOwners`).
const rememberedMillis = 12_000

// With fewer changes left the organization is frozen.
const fewChanges = 500

// Jobs end within two minutes.
const drainTries = 130

const hasSwitched = (state: State | undefined): boolean => state === "MOVED" || state === "CLEARING"

/** Connects to both cells, and keeps other movers away from them. */
const connectCells = Effect.fnUntraced(function* (options: MoveOptions) {
  const source: CellDatabases = yield* connectReader(options.source)
  yield* requireRights(source, options.from)
  yield* Effect.scoped(
    Effect.flatMap(connectReader(options.target), (databases) => requireRights(databases, options.to))
  )
  const target: CellDatabases = yield* connectMover(options.target)
  yield* holdCell(source.auth, options.from)
  yield* holdCell(target.auth, options.to)
  yield* requireNoOther(source.auth, options.from, options.organizationId)
  yield* requireNoOther(target.auth, options.to, options.organizationId)
  return { source, target }
})

// Waits until the transactions have ended that have a lock of the services.
const sqlLock = (sql: SqlClient.SqlClient, name: string) =>
  Effect.orDie(sql.withTransaction(sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`))

const inEach = <A, E, R>(
  services: ReadonlyArray<MovingService>,
  effect: (service: MovingService) => Effect.Effect<A, E, R>
) => Effect.forEach(services, effect, { concurrency: "unbounded" })

const stateIn = (sql: SqlClient.SqlClient, schema: string, organizationId: string) =>
  sql
    .unsafe<{ state: State; cell: string }>(
      `SELECT state, cell FROM ${schema}.organization_moves WHERE organization_id = $1::uuid`,
      [organizationId]
    )
    .pipe(
      Effect.orDie,
      Effect.map(([found]) => found)
    )

/** Sets the state of an organization in a schema, when all transactions have ended that wrote something of it before. */
const setState = (
  sql: SqlClient.SqlClient,
  schema: string,
  organizationId: string,
  cell: string,
  state: State,
  seconds?: number
) =>
  sql.unsafe(
    `SELECT ${schema}.set_move($1::uuid, $2, $3, ${
      seconds === undefined ? "'infinity'" : `clock_timestamp() + interval '${seconds} seconds'`
    })`,
    [organizationId, cell, state]
  )

// Others wait behind the change of the state: no longer than this. Then it is tried again.
const withinLockTime = <A, E>(sql: SqlClient.SqlClient, change: Effect.Effect<A, E>) =>
  Effect.andThen(sql`SET LOCAL lock_timeout = '2s'`, change).pipe(
    sql.withTransaction,
    Effect.retry({ times: 60, schedule: Schedule.spaced("1 second") }),
    Effect.orDie
  )

/**
 * Moves an organization to another cell while it is used. Its rows are copied; then what changed meanwhile, again and again; then its
 * background work ends, its writes are refused for some seconds, and the last changes are copied. After that the other cell has it. A move
 * that was broken off goes on, because each step finds out what is done.
 */
export const moveOrganization = Effect.fnUntraced(
  function* (options: MoveOptions) {
    const { from, organizationId, report, to } = options
    const startedAt = yield* Clock.currentTimeMillis
    const { source, target } = yield* connectCells(options)
    const services: ReadonlyArray<MovingService> = yield* Effect.forEach(serviceNames, (name) =>
      Effect.map(movedTables(source[name], name), (tables) => ({
        name,
        schema: name,
        source: source[name],
        target: target[name],
        tables
      }))
    )

    const known = yield* Effect.orDie(source.auth`SELECT FROM auth.organizations WHERE id = ${organizationId}::uuid`)
    if (known.length === 0)
      return yield* new CommandFailed({ message: `The cell ${from} has no organization ${organizationId}.` })
    const before = yield* stateIn(source.auth, "auth", organizationId)
    const there = yield* stateIn(target.auth, "auth", organizationId)
    if (there !== undefined && !["ARRIVING", "AUDITING", "GONE"].includes(there.state)) {
      return yield* new CommandFailed({
        message: `The organization ${organizationId} has not left the cell ${to} wholly: first care org move ${organizationId} --to ${there.cell}.`
      })
    }
    const isElsewhere = before?.state === "ARRIVING" || before?.state === "GONE"
    if (isElsewhere || before?.state === "AUDITING" || (before !== undefined && before.cell !== to)) {
      return yield* new CommandFailed({
        message:
          isElsewhere || hasSwitched(before.state)
            ? `The organization ${organizationId} is in the cell ${before.cell}.`
            : `The organization ${organizationId} already moves from or to the cell ${before.cell}: end that first.`
      })
    }

    const each = <A, E, R>(effect: (service: MovingService) => Effect.Effect<A, E, R>) => inEach(services, effect)
    const setSource = (state: State, seconds?: number) =>
      each((service) =>
        withinLockTime(service.source, setState(service.source, service.schema, organizationId, to, state, seconds))
      )

    const copyAllChanges = Effect.map(
      each((service) => copyChanges(service, service.tables, organizationId)),
      (counts) => counts.reduce((sum, count) => sum + count, 0)
    )

    const prepare = Effect.gen(function* () {
      yield* each(
        Effect.fnUntraced(function* (service) {
          const { schema, source, tables, target } = service
          yield* Effect.orDie(setState(target, schema, organizationId, from, "ARRIVING"))
          yield* hideRows(target, schema, organizationId, "arriving")
          // What a mover copied that ended.
          yield* removeRows(target, schema, organizationId)
          yield* Effect.orDie(setState(source, schema, organizationId, to, "COPYING"))
          for (const table of tables) yield* watchChanges(source, schema, table, organizationId)
        })
      )
      const tableCount = services.reduce((sum, { tables }) => sum + tables.length, 0)
      let copied = 0
      for (const service of services) {
        for (const table of service.tables) {
          copied += 1
          const ofTables = `(table ${copied} of ${tableCount})`
          yield* copyRows(service, table, organizationId, (count) =>
            report(`${service.name}.${table.name}: ${count} rows ${ofTables}`, 1)
          )
        }
        yield* copyAudit(service, organizationId, { withEnd: false })
        yield* hideRows(service.source, service.schema, organizationId, "leaving")
      }
    })

    const drained = Effect.gen(function* () {
      const running = yield* each(({ schema, source }) =>
        source.unsafe(`SELECT FROM ${schema}.jobs WHERE organization_id = $1::uuid AND state = 'running' LIMIT 1`, [
          organizationId
        ])
      )
      const sending = yield* source.cases`
      SELECT FROM cases.delivery_queues WHERE organization_id = ${organizationId}::uuid AND claimed_until > clock_timestamp()
      LIMIT 1
    `
      return running.every(({ length }) => length === 0) && sending.length === 0
    }).pipe(Effect.orDie)

    const drain = Effect.gen(function* () {
      for (let left = drainTries; left > 0; left -= 1) {
        yield* setSource("DRAINING", leaseSeconds)
        if (yield* drained) return
        yield* copyAllChanges
        yield* Effect.sleep("1 second")
      }
      yield* setSource("COPYING")
      return yield* new CommandFailed({
        message: "The jobs of the organization do not end: see care job list, and start the move again."
      })
    })

    const freeze = Effect.gen(function* () {
      yield* setSource("FROZEN", leaseSeconds)
      const frozenAt = yield* Clock.currentTimeMillis
      yield* report("Writes are refused", 4)
      yield* Effect.repeat(copyAllChanges, { until: (count) => count === 0 })
      for (const service of services) {
        yield* copyLooseRows(service, organizationId)
        yield* copySecret(service, organizationId)
      }
      yield* advancePositions(source.cases, target.cases)
      // Every process knows by then that the organization moves, and asks before it answers.
      yield* Effect.sleep(Math.max(0, frozenAt + noticedMillis - (yield* Clock.currentTimeMillis)))
      // Not if a freeze ended meanwhile, because this process was stopped for so long. What auth has decides whether the organization
      // leaves, so it is the last.
      for (const { schema, source } of services.toReversed()) {
        const leaving = yield* Effect.orDie(
          source.unsafe(
            `UPDATE ${schema}.organization_moves
             SET state = 'LEAVING', until = ${schema === "auth" ? "'infinity'" : "clock_timestamp() + interval '10 minutes'"}
             WHERE organization_id = $1::uuid AND state = 'FROZEN' AND until > clock_timestamp() RETURNING 1`,
            [organizationId]
          )
        )
        if (leaving.length === 0) return false
      }
      return true
    })

    const isClosed = Effect.map(
      each(({ schema, target }) => stateIn(target, schema, organizationId)),
      (states) => states.every((found) => found?.state === "ARRIVING")
    )

    const open = Effect.gen(function* () {
      // A mover that ended may have left changes.
      if (yield* isClosed) {
        yield* setSource("LEAVING")
        yield* Effect.repeat(copyAllChanges, { until: (count) => count === 0 })
      }
      yield* each(({ schema, target }) => Effect.orDie(setState(target, schema, organizationId, from, "AUDITING")))
      // Auth is the last: it says where keys lead.
      for (const { schema, source } of services.toReversed()) {
        yield* withinLockTime(source, setState(source, schema, organizationId, to, "MOVED"))
      }
    })

    // Reads that were answered before the switch may still be recorded.
    const isRecorded = Effect.map(
      each(({ schema, source }) =>
        source.unsafe(
          `SELECT FROM ${schema}.audit_waiting WHERE organization_id = $1::uuid
           UNION ALL SELECT FROM ${schema}.audit_unlinked WHERE organization_id = $1::uuid LIMIT 1`,
          [organizationId]
        )
      ),
      (waiting) => waiting.every(({ length }) => length === 0)
    ).pipe(Effect.orDie)

    const handOverAudit = Effect.fnUntraced(function* (service: MovingService) {
      const { schema, source, target } = service
      if ((yield* stateIn(target, schema, organizationId)) === undefined) return
      yield* copyAudit(service, organizationId, { withEnd: false })
      yield* withinLockTime(source, setState(source, schema, organizationId, to, "CLEARING"))
      // Whoever links records at the moment has not noticed.
      yield* sqlLock(source, `care audit ${schema}`)
      yield* copyAudit(service, organizationId, { withEnd: true })
      yield* moveWaiting(service, organizationId)
      yield* Effect.orDie(
        target.unsafe(`DELETE FROM ${schema}.organization_moves WHERE organization_id = $1::uuid`, [organizationId])
      )
      yield* showRows(target, schema)
    })

    const finish = Effect.gen(function* () {
      yield* Effect.repeat(isRecorded, { until: (isIt) => isIt, schedule: Schedule.spaced("500 millis"), times: 120 })
      yield* each(handOverAudit)
      yield* report(`The audit is in the cell ${to}; what ${from} has is removed`, 7)
      const remover = yield* connectMover(options.source)
      for (const service of services) {
        const { name, schema, source, tables } = service
        yield* removeLooseRows(service, organizationId)
        yield* removeRows(remover[name], schema, organizationId)
        for (const table of tables) yield* unwatchChanges(source, schema, table)
        yield* moveWaiting(service, organizationId)
        yield* showRows(source, schema)
      }
      // Auth is the last: it says that there is something left to do.
      for (const { schema, source } of services.toReversed()) {
        yield* withinLockTime(source, setState(source, schema, organizationId, to, "GONE"))
      }
    })

    const state = before?.state
    if (state !== "LEAVING" && !hasSwitched(state)) {
      yield* requireReady(services, organizationId, options)
      yield* report(`Copying ${organizationId} from ${from} to ${to}`, 1)
      yield* prepare
      for (let left = 100; left > 0 && (yield* copyAllChanges) > fewChanges; left -= 1) {
        yield* report("Copying changes", 2)
      }
      yield* report("Waiting for jobs and deliveries to end", 3)
      yield* drain
      if (!(yield* freeze)) {
        yield* setSource("COPYING")
        return yield* new CommandFailed({
          message: "The move took too long while writes were refused: start it again."
        })
      }
    }
    if (!hasSwitched(state)) {
      yield* report(`The cell ${to} gets it`, 5)
      yield* open
    }
    yield* report(`The organization is in the cell ${to}; its audit follows`, 6)
    yield* Effect.sleep(Math.max(noticedMillis, startedAt + rememberedMillis - (yield* Clock.currentTimeMillis)))
    yield* finish
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

/** Gives up a move before the other cell has the organization. */
export const cancelMove = Effect.fnUntraced(
  function* (options: MoveOptions) {
    const { organizationId, to } = options
    const { source, target } = yield* connectCells(options)
    const before = yield* stateIn(source.auth, "auth", organizationId)
    const isGoing = before !== undefined && ["COPYING", "DRAINING", "FROZEN"].includes(before.state)
    if (!isGoing || before.cell !== to) {
      return yield* new CommandFailed({
        message: `There is no move of ${organizationId} to ${to} that could be given up.`
      })
    }
    for (const name of serviceNames) {
      const sql = source[name]
      for (const table of yield* movedTables(sql, name)) yield* unwatchChanges(sql, name, table)
      yield* showRows(sql, name)
      for (const table of ["organization_moves", "organization_changes"]) {
        yield* Effect.orDie(
          sql.unsafe(`DELETE FROM ${name}.${table} WHERE organization_id = $1::uuid`, [organizationId])
        )
      }
    }
    for (const name of serviceNames) {
      yield* removeRows(target[name], name, organizationId)
      // Its row and its keys stay, and lead to the other cell.
      yield* Effect.orDie(setState(target[name], name, organizationId, options.from, "GONE"))
      yield* showRows(target[name], name)
    }
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

// Records of reads that came when their chain had left. Those that are there came from a restored backup, or a mover that ended moved them.
const moveWaiting = Effect.fnUntraced(function* ({ schema, source, target }: MovingService, organizationId: string) {
  const table = `${schema}.audit_waiting`
  const [found] = yield* source.unsafe<{ rows: string }>(
    `SELECT coalesce(jsonb_agg(to_jsonb(whole_row)), '[]')::text AS rows FROM ${table} AS whole_row WHERE organization_id = $1::uuid`,
    [organizationId]
  )
  const rows = [found?.rows ?? "[]"]
  const list = `jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS row`
  const isLinked = `EXISTS (
    SELECT FROM ${schema}.audit_entries AS entry
    WHERE entry.organization_id = row.organization_id AND entry.action = row.action AND entry.id = row.id
  )`
  // Not while they are linked.
  yield* Effect.andThen(
    target`SELECT pg_advisory_xact_lock(hashtext(${`care audit ${schema}`}))`,
    target.unsafe(`INSERT INTO ${table} SELECT row.* FROM ${list} WHERE NOT ${isLinked} ON CONFLICT DO NOTHING`, rows)
  ).pipe(target.withTransaction)
  yield* source.unsafe(
    `DELETE FROM ${table} AS whole_row USING ${list} WHERE whole_row.organization_id = row.organization_id AND whole_row.id = row.id`,
    rows
  )
}, Effect.orDie)

const copySecret = Effect.fnUntraced(function* ({ schema, source, target }: MovingService, organizationId: string) {
  const [own] = yield* source.unsafe<{ secret: string }>(
    `SELECT secret FROM ${schema}.idempotency_secrets WHERE id = 1`
  )
  if (own === undefined) return
  yield* target.unsafe(`INSERT INTO ${schema}.moved_idempotency_secrets VALUES ($1::uuid, $2) ON CONFLICT DO NOTHING`, [
    organizationId,
    own.secret
  ])
}, Effect.orDie)

// Events that follow there have greater positions than those that were copied.
const advancePositions = Effect.fnUntraced(function* (source: SqlClient.SqlClient, target: SqlClient.SqlClient) {
  const [last] = yield* source<{ position: string }>`SELECT last_value::text AS position FROM cases.event_positions`
  yield* target`
    SELECT setval('cases.event_positions', greatest(${last?.position ?? "1"}::bigint, last_value)) FROM cases.event_positions
  `
}, Effect.orDie)

/** Returns the sandbox of an organization, in whichever cell; undefined if it has none. */
export const sandboxOf = Effect.fnUntraced(
  function* (cells: ReadonlyMap<string, CellUrls>, organizationId: string) {
    for (const [name, urls] of cells) {
      const databases = yield* connectReader(urls)
      yield* requireRights(databases, name)
      const [found] = yield* Effect.orDie(
        databases.auth<{
          id: string
        }>`SELECT id FROM auth.organizations WHERE live_organization_id = ${organizationId}::uuid`
      )
      if (found !== undefined) return found.id
    }
    return undefined
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

/** Returns the cell from which a move of an organization to another one is not finished; undefined if there is none. */
export const unfinishedFrom = Effect.fnUntraced(
  function* (cells: ReadonlyMap<string, CellUrls>, organizationId: string, to: string) {
    for (const [name, urls] of cells) {
      if (name === to) continue
      const { auth } = yield* connectReader(urls)
      const found = yield* stateIn(auth, "auth", organizationId)
      if (found !== undefined && found.cell === to && (found.state === "LEAVING" || hasSwitched(found.state)))
        return name
    }
    return undefined
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)
