import { hkdfSync } from "node:crypto"
import type { UserId } from "@care/domain/ids"
import type { SecretList } from "@care/service-kit"
import { Redacted } from "effect"

/**
 * Returns the function that makes the key of a person's drafts: 32 bytes in base64url, which follow from the first secret. With another
 * secret the drafts of before are unreadable.
 */
export const makeDraftKeyOf =
  ([secret]: SecretList) =>
  (userId: UserId): string =>
    Buffer.from(hkdfSync("sha512", Redacted.value(secret), "", `care drafts\n${userId}`, 32)).toString("base64url")
