import { Effect } from "effect"
import type pg from "pg"

/**
 * Sets whether providers, and patients who are enrolled from now on, want email. Nobody does while creations are measured, because sending
 * costs either side a multiple of the compared work, most of it in the library that both use.
 */
export const setMailWanted = (database: pg.ClientBase, isWanted: boolean) =>
  Effect.promise(async () => {
    await database.query(`ALTER TABLE auth.users ALTER COLUMN notifications_disabled SET DEFAULT ${!isWanted}`)
    await database.query("UPDATE auth.users SET notifications_disabled = $1 WHERE role = 'PROVIDER'", [!isWanted])
  })
