import type { NewRecord } from "@care/audit"
import type { OrganizationId, UserId } from "@care/domain/ids"

/** A member of staff. */
export interface Person {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** Returns the audit record of what a member of staff does about their own sign-in. */
export const byThemselves = ({ organizationId, userId }: Person, action: NewRecord["action"]): NewRecord => ({
  organizationId,
  userId,
  action,
  actor: { type: "USER", id: userId }
})
