import { Effect } from "effect"
import type pg from "pg"

/**
 * Says whether the providers, and the patients who are enrolled from now on, want email. While creations are measured nobody
 * does: sending costs either side a multiple of what is compared, most of it in the library that both send by.
 */
export const wantMail = (database: pg.ClientBase, isWanted: boolean) =>
  Effect.promise(async () => {
    await database.query(`ALTER TABLE auth.users ALTER COLUMN notifications_disabled SET DEFAULT ${!isWanted}`)
    await database.query("UPDATE auth.users SET notifications_disabled = $1 WHERE role = 'PROVIDER'", [!isWanted])
  })
