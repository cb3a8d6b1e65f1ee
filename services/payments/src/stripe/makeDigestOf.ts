import type { OrganizationId } from "@care/domain/ids"
import { makeKeyHashes } from "@care/once"
import { Effect } from "effect"

/**
 * Makes the function that tells what an organization asks for from anything else, as a part of its idempotency key at the gateway,
 * which refuses to be asked for something else under one key. It is a keyed hash, the same in all instances and after each start:
 * an email in what is asked for cannot be guessed from `stripe_calls`, where it stays after the patient is erased.
 */
export const makeDigestOf = Effect.map(
  makeKeyHashes,
  (hashOf) =>
    (organizationId: OrganizationId, asked: object): string =>
      hashOf({ organizationId, operation: "stripe", key: JSON.stringify(asked) })
)
