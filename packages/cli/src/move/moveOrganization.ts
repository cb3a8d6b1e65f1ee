import type { ServiceName } from "@care/domain/peers"
import { Clock, Effect, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { CommandFailed } from "../gateway.ts"
import { connectSource, connectTarget, serviceNames } from "./cellDatabases.ts"
import type { CellUrls } from "./cellDatabasesSetting.ts"
import { copyAudit } from "./copyAudit.ts"
import { copyChanges, copyRows, type ServiceMove } from "./copyRows.ts"
import { hideRows, showRows } from "./hideRows.ts"
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
  /** Gets each step. */
  readonly report: (text: string) => Effect.Effect<void>
}

type State = "COPYING" | "DRAINING" | "FROZEN" | "LEAVING" | "MOVED" | "ARRIVING" | "AUDITING"

interface MovingService extends ServiceMove {
  readonly name: ServiceName
  readonly tables: ReadonlyArray<MovedTable>
}

// Longer than any copy of the last changes, and than the clocks of databases may differ.
const leaseSeconds = 60

// Every process notices within two seconds that an organization moves (`makeRecent`).
const noticedMillis = 2500

// With fewer changes left the organization is frozen.
const fewChanges = 500

// Jobs end within two minutes.
const drainTries = 130

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
    const source = yield* connectSource(options.source)
    const target = yield* connectTarget(options.target)
    const services: ReadonlyArray<MovingService> = yield* Effect.forEach(serviceNames, (name) =>
      Effect.map(movedTables(source[name], name), (tables) => ({
        name,
        schema: name,
        source: source[name],
        target: target[name],
        tables
      }))
    )

    yield* requireSame(services)
    const known = yield* Effect.orDie(source.auth`SELECT FROM auth.organizations WHERE id = ${organizationId}::uuid`)
    if (known.length === 0)
      return yield* new CommandFailed({ message: `The cell ${from} has no organization ${organizationId}.` })
    const before = yield* stateIn(source.auth, "auth", organizationId)
    if (before?.state === "ARRIVING") {
      return yield* new CommandFailed({
        message: `The organization ${organizationId} is in the cell ${before.cell}, not in ${from}.`
      })
    }
    if (before !== undefined && before.cell !== to && before.state !== "AUDITING") {
      return yield* new CommandFailed({
        message: `The organization ${organizationId} ${before.state === "MOVED" ? "is in" : "already moves to"} the cell ${before.cell}.`
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
          yield* hideRows(target, schema, organizationId)
          // What it left when it moved from there.
          for (const table of tables) yield* unwatchChanges(target, schema, table)
          yield* removeRows(target, schema, organizationId)
          yield* Effect.orDie(setState(source, schema, organizationId, to, "COPYING"))
          for (const table of tables) yield* watchChanges(source, schema, table, organizationId)
        })
      )
      for (const service of services) {
        for (const table of service.tables) {
          yield* copyRows(service, table, organizationId, (count) => report(`${service.name}.${table.name}: ${count}`))
        }
        yield* copyAudit(service, organizationId, { withEnd: false })
        yield* copyLooseRows(service, organizationId)
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
      yield* report("Writes are refused")
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

    const finish = Effect.gen(function* () {
      for (const { schema, source } of services) {
        yield* source
          .unsafe(
            `SELECT FROM ${schema}.audit_waiting WHERE organization_id = $1::uuid
           UNION ALL SELECT FROM ${schema}.audit_unlinked WHERE organization_id = $1::uuid LIMIT 1`,
            [organizationId]
          )
          .pipe(
            Effect.repeat({ until: ({ length }) => length === 0, schedule: Schedule.spaced("500 millis"), times: 120 }),
            Effect.orDie
          )
      }
      yield* each(
        Effect.fnUntraced(function* (service) {
          const { schema, target } = service
          yield* copyAudit(service, organizationId, { withEnd: true })
          yield* Effect.orDie(
            target.unsafe(`DELETE FROM ${schema}.organization_moves WHERE organization_id = $1::uuid`, [organizationId])
          )
          yield* showRows(target, schema)
        })
      )
    })

    const state = before?.state
    if (state !== "MOVED" && state !== "LEAVING") {
      yield* report(`Copying ${organizationId} from ${from} to ${to}`)
      yield* prepare
      for (let left = 100; left > 0 && (yield* copyAllChanges) > fewChanges; left -= 1) yield* report("Copying changes")
      yield* report("Waiting for jobs and deliveries to end")
      yield* drain
      if (!(yield* freeze)) {
        yield* setSource("COPYING")
        return yield* new CommandFailed({
          message: "The move took too long while writes were refused: start it again."
        })
      }
    }
    if (state !== "MOVED") {
      yield* report(`The cell ${to} gets it`)
      yield* open
    }
    yield* report(`The organization is in the cell ${to}; its audit follows`)
    yield* Effect.sleep("3 seconds")
    yield* finish
    yield* report("Done")
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

/** Gives up a move before the other cell has the organization. */
export const cancelMove = Effect.fnUntraced(
  function* (options: MoveOptions) {
    const { organizationId, to } = options
    const source = yield* connectSource(options.source)
    const target = yield* connectTarget(options.target)
    const before = yield* stateIn(source.auth, "auth", organizationId)
    if (before === undefined || before.cell !== to || before.state === "MOVED" || before.state === "LEAVING") {
      return yield* new CommandFailed({
        message: `There is no move of ${organizationId} to ${to} that could be given up.`
      })
    }
    for (const name of serviceNames) {
      const sql = source[name]
      for (const table of yield* movedTables(sql, name)) yield* unwatchChanges(sql, name, table)
      for (const table of ["organization_moves", "organization_changes"]) {
        yield* Effect.orDie(
          sql.unsafe(`DELETE FROM ${name}.${table} WHERE organization_id = $1::uuid`, [organizationId])
        )
      }
    }
    for (const name of serviceNames) {
      yield* removeRows(target[name], name, organizationId)
      yield* Effect.orDie(
        target[name].unsafe(`DELETE FROM ${name}.organization_moves WHERE organization_id = $1::uuid`, [organizationId])
      )
      yield* showRows(target[name], name)
    }
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)

// Triggers of distributed tables run on other nodes than the mover's locks.
const requireSame = Effect.fnUntraced(function* (services: ReadonlyArray<MovingService>) {
  for (const { name, source, target } of services) {
    const describe = (sql: SqlClient.SqlClient) =>
      Effect.orDie(
        sql.unsafe<{ migrations: string; isCitus: boolean }>(
          `SELECT (SELECT string_agg(name, ' ' ORDER BY migration_id) FROM ${name}.migrations) AS migrations,
                  EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS "isCitus"`
        )
      )
    const [[here], [there]] = yield* Effect.all([describe(source), describe(target)])
    if (here?.isCitus === true || there?.isCitus === true) {
      return yield* new CommandFailed({ message: "Organizations do not move from or to a Citus cluster." })
    }
    if (here?.migrations !== there?.migrations) {
      return yield* new CommandFailed({
        message: `The schema ${name} has other migrations in the two cells: upgrade both to the same version first.`
      })
    }
  }
})

// Events of providers, which name no organization, but what they are about does.
const looseRows: Readonly<Partial<Record<ServiceName, { readonly table: string; readonly condition: string }>>> = {
  payments: {
    table: "payment_events",
    condition: `intent_id IN (
      SELECT id FROM payments.payment_intents WHERE organization_id = $1::uuid
      UNION SELECT intent_id FROM payments.payments WHERE organization_id = $1::uuid
    )`
  },
  scheduling: {
    table: "provider_events",
    condition: `agent_event_id IN (SELECT agent_event_id FROM scheduling.calendar_events WHERE organization_id = $1::uuid)
      OR moved_from IN (SELECT agent_event_id FROM scheduling.calendar_events WHERE organization_id = $1::uuid)`
  }
}

const copyLooseRows = Effect.fnUntraced(function* ({ name, source, target }: MovingService, organizationId: string) {
  const loose = looseRows[name]
  if (loose === undefined) return
  const table = `${name}.${loose.table}`
  const [found] = yield* source.unsafe<{ rows: string }>(
    `SELECT coalesce(jsonb_agg(to_jsonb(stored)), '[]')::text AS rows FROM ${table} AS stored WHERE ${loose.condition}`,
    [organizationId]
  )
  yield* target.unsafe(
    `INSERT INTO ${table} SELECT row.* FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS row ON CONFLICT DO NOTHING`,
    [found?.rows ?? "[]"]
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

/** Returns the cell from which an organization came whose audit is not complete yet; undefined if there is none. */
export const unfinishedFrom = Effect.fnUntraced(
  function* (target: CellUrls, organizationId: string) {
    const { auth } = yield* connectTarget(target)
    const found = yield* stateIn(auth, "auth", organizationId)
    return found?.state === "AUDITING" ? found.cell : undefined
  },
  Effect.scoped,
  Effect.provide(Reactivity.layer)
)
