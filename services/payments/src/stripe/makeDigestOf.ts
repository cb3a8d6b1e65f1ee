import type { OrganizationId } from "@care/domain/ids"
import { makeKeyHashes } from "@care/once"
import { Effect } from "effect"

/**
 * Makes the function that hashes the content of a request, as a part of the idempotency key at the gateway, which refuses another content
 * under the same key. The hash is keyed, and equal in all instances and after each start: an email in the content cannot be guessed from
 * `stripe_calls`, where the hash stays after the patient is erased.
 */
export const makeDigestOf = Effect.map(
  makeKeyHashes,
  (hashOf) =>
    (organizationId: OrganizationId, content: object): Effect.Effect<string> =>
      hashOf({ organizationId, operation: "stripe", key: JSON.stringify(content) })
)
