import type { ServiceName } from "@care/domain/peers"
import { services } from "@care/sandbox"
import { countLockWaits } from "@care/service-kit/testing"
import { Effect, Pool } from "effect"
import { SqlClient } from "effect/sql"
import type { Clinic } from "./fixtures.ts"
import { Suite } from "./Suite.ts"
import { until } from "./until.ts"

/**
 * Runs SQL as the owner of a service's database, for states that cannot be reached through the API. Other services' schemas may be in other
 * databases.
 */
export const inDatabase = <A, E, R>(service: ServiceName, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Suite, ({ owners }) => Pool.use(owners[service], use))

/** Runs SQL in the database of each service, one after the other, and returns all rows. */
export const inEveryDatabase = <A, E, R>(
  use: (sql: SqlClient.SqlClient, service: ServiceName) => Effect.Effect<ReadonlyArray<A>, E, R>
) =>
  Effect.forEach(services, (service) => inDatabase(service, (sql) => use(sql, service))).pipe(
    Effect.map((results) => results.flat())
  )

/** Waits until all jobs of a queue are done, or those of one organization, where other files use the suite, too. */
export const jobsDone = (service: ServiceName, queue: string, { organizationId }: Partial<Clinic> = {}) =>
  inDatabase(service, (sql) =>
    until(
      sql`
        SELECT id FROM ${sql(service)}.jobs WHERE queue_name = ${queue} AND state IN ('pending', 'running')
          AND (${organizationId ?? null}::uuid IS NULL OR organization_id = ${organizationId ?? null})
      `,
      (jobs) => jobs.length === 0
    )
  )

/** Waits until so many sessions wait for a lock in the database of a service, in statements that match a pattern. */
export const untilLockWaits = (service: ServiceName, count: number, pattern?: string) =>
  inDatabase(service, (sql) =>
    until(Effect.provideService(countLockWaits(pattern), SqlClient.SqlClient, sql), (waits) => waits >= count)
  )
