/** What a subscription may be told of. */
export const eventKinds = ["invitee.created", "invitee.canceled"] as const
export type EventKind = (typeof eventKinds)[number]

/** Who is told of events: what the provider calls a webhook subscription. */
export interface Subscription {
  readonly id: string
  readonly url: string
  /** What signs what it is told. */
  readonly signingKey: string
  readonly events: ReadonlyArray<EventKind>
  /** One that is disabled is told nothing, for ever: it is deleted, and registered anew. */
  readonly state: "active" | "disabled"
  /** Since when it does not take what it is told, in milliseconds, like all times of it; null when it takes it. */
  readonly retryStartedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}
