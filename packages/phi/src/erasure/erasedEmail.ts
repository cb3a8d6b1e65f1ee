import type { UserId } from "@care/domain/ids"

/** Returns the email of an erased patient. It is unique, and mail to it goes nowhere (RFC 2606). */
export const erasedEmail = (userId: UserId): string => `erased-${userId}@erased.invalid`
