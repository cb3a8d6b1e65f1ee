import type { ServiceName } from "@care/domain/peers"
import { Effect } from "effect"
import { inDatabase } from "./database.ts"

/** Runs an effect while inserts into a table of a service that match a condition fail, as if the database had run out of room. */
export const whileInsertsFail = <A, E, R>(
  service: ServiceName,
  table: string,
  condition: string,
  effect: Effect.Effect<A, E, R>
) =>
  Effect.acquireUseRelease(
    inDatabase(service, (sql) =>
      Effect.andThen(
        sql.unsafe(`
          CREATE FUNCTION ${service}.refused() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'no room'; END
          $$
        `),
        sql.unsafe(`
          CREATE TRIGGER refused BEFORE INSERT ON ${service}.${table} FOR EACH ROW WHEN (${condition})
          EXECUTE FUNCTION ${service}.refused()
        `)
      )
    ),
    () => effect,
    () => Effect.orDie(inDatabase(service, (sql) => sql.unsafe(`DROP FUNCTION ${service}.refused CASCADE`)))
  )
