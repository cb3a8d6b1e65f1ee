/** The types of events. */
export const eventKinds = ["invitee.created", "invitee.canceled"] as const
export type EventKind = (typeof eventKinds)[number]

/** A webhook subscription. */
export interface Subscription {
  readonly id: string
  readonly url: string
  /** Signs the events. */
  readonly signingKey: string
  readonly events: ReadonlyArray<EventKind>
  /** A disabled subscription stays disabled. It must be deleted and registered again. */
  readonly state: "active" | "disabled"
  /** When its deliveries began to fail, in milliseconds like all times of it; null while they succeed. */
  readonly retryStartedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}
