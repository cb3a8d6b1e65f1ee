import { keyHash } from "@care/service-kit"
import { Effect } from "effect"
import { admin } from "./call.ts"
import { inDatabase } from "./database.ts"

const testKeys = new Map<string, string>()

/** Returns a test key of the organization of a live key, the same each time, or the key if it is a test key. */
export const testKeyOf = Effect.fnUntraced(function* (key: string) {
  const known = key.startsWith("cv_test_") ? key : testKeys.get(key)
  if (known !== undefined) return known
  const [owner] = yield* inDatabase(
    "auth",
    (sql) => sql<{ id: string }>`SELECT organization_id AS id FROM auth.api_keys WHERE key_hash = ${keyHash(key)}`
  )
  const issued = yield* admin("POST", `/organizations/${owner?.id}/api-keys`, { mode: "test" })
  const testKey: string = issued.json.key
  testKeys.set(key, testKey)
  return testKey
})
