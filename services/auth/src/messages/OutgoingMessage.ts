import type { Message } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Data, type Effect } from "effect"

/**
 * A message that an organization sends. Each attempt has the same id. `userId` is the receiver, at whichever address: null for a message
 * to the organization itself.
 */
export interface OutgoingMessage extends Omit<Message, "createdAt"> {
  readonly organizationId: OrganizationId
  readonly userId: UserId | null
}

/** A message was not accepted. `reason` quotes nothing of it. */
export class DeliveryFailed extends Data.TaggedError("DeliveryFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Sends one message, or fails so that its job is tried again. */
export type Send = (message: OutgoingMessage) => Effect.Effect<void, DeliveryFailed>
