import type { Message } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Data, type Effect } from "effect"

/**
 * A message of an organization on its way. Its id is the same each time it is tried. `userId` is whom it is to, at whichever of
 * their addresses; null when it is to the organization itself.
 */
export interface OutgoingMessage extends Omit<Message, "createdAt"> {
  readonly organizationId: OrganizationId
  readonly userId: UserId | null
}

/** A message was not taken. `reason` quotes nothing of it. */
export class DeliveryFailed extends Data.TaggedError("DeliveryFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Hands one message to whoever takes it, or fails so that it is tried again. */
export type Send = (message: OutgoingMessage) => Effect.Effect<void, DeliveryFailed>
