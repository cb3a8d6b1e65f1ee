import { Effect } from "effect"
import { inDatabase } from "./database.ts"

/** Runs an effect while inserts into a table that match a condition fail, as if the database had run out of room. */
export const whileInsertsFail = <A, E, R>(table: string, condition: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    inDatabase((sql) =>
      Effect.andThen(
        sql.unsafe(`
          CREATE FUNCTION ${table}_refused() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'no room'; END
          $$
        `),
        sql.unsafe(`
          CREATE TRIGGER refused BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${condition})
          EXECUTE FUNCTION ${table}_refused()
        `)
      )
    ),
    () => effect,
    () => Effect.orDie(inDatabase((sql) => sql.unsafe(`DROP FUNCTION ${table}_refused CASCADE`)))
  )
