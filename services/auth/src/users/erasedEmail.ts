import type { UserId } from "@care/domain/ids"

/** What a patient has who was erased, and nobody else: no email is given twice, and mail to this one goes nowhere (RFC 2606). */
export const erasedEmail = (userId: UserId): string => `erased-${userId}@erased.invalid`
