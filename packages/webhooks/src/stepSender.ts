import { Duration } from "effect"
import type { DispatchLimits } from "./DispatchLimits.ts"
import type { Health } from "./Health.ts"
import { waitOf } from "./waitOf.ts"

/** A due lane of an endpoint with its first pending delivery, or, with an id of null, without any. */
export type FoundLane<Delivery extends DueDelivery> =
  | Delivery
  | { readonly lane: string; readonly waiting: number; readonly id: null }

interface DueDelivery {
  readonly id: string
  readonly lane: string
  readonly nextAttemptAt: Date
}

/** What a process knows of an endpoint whose queue it has claimed. */
export interface Sender {
  /** The endpoint's health when its queue was claimed. */
  readonly claimedAs: Health
  readonly begunAt: Date
  readonly claimedUntil: Date
  /** Whether deliveries were added to the queue since the claim was renewed. The renewal notes that they were seen. */
  readonly mustRenew: boolean
  /** Whether another look may find more. */
  readonly mayFindMore: boolean
  /** The lanes that have an attempt under way. */
  readonly busy: ReadonlySet<string>
  /** The endpoint's health when its queue is released. */
  readonly health: Health
  readonly hasDelivered: boolean
  readonly lastFailed: boolean
  /** Whether no further attempt is begun. */
  readonly isEnding: boolean
  /** Whether an outcome was not stored. The claim is then left to expire, so that the receiver is not called again in a loop. */
  readonly isBroken: boolean
}

/** What happens around a sender while it decides. */
export interface Surroundings {
  readonly limits: DispatchLimits
  readonly now: Date
  /** Whether others may be waiting for the slot. */
  readonly isAwaited: boolean
  readonly isSlow: boolean
  /** How many more attempts the organization may have under way. */
  readonly roomOfOrganization: number
}

/** What happened to a sender. `Lost`: the claim does not hold any more. `NotStored`: an outcome could not be stored. */
export type SenderInput<Delivery extends DueDelivery> =
  | { readonly _tag: "Woken" | "AddedTo" | "Lost" | "NotStored" }
  | { readonly _tag: "Renewed"; readonly until: Date }
  | { readonly _tag: "Found"; readonly isEnabled: boolean; readonly lanes: ReadonlyArray<FoundLane<Delivery>> }
  | ({ readonly _tag: "Attempted" } & Attempted)
  | { readonly _tag: "Ended"; readonly lane: string }

/** An attempt whose outcome is stored. `wasFailing` says whether the endpoint failed when it was read for the attempt. */
interface Attempted {
  readonly isDelivered: boolean
  readonly isEnabled: boolean
  readonly wasFailing: boolean
}

/** What the loop has to do. `NoteSuccess` notes that the endpoint is no longer failing. */
export type SenderEffect<Delivery extends DueDelivery> =
  | { readonly _tag: "RemoveLane"; readonly lane: string; readonly waiting: number }
  | { readonly _tag: "PostponeLane"; readonly lane: string }
  | { readonly _tag: "Attempt"; readonly delivery: Delivery }
  | { readonly _tag: "NoteSuccess" }

/** What a sender does next. */
export type SenderAction =
  | { readonly _tag: "Look"; readonly limit: number }
  | { readonly _tag: "Renew"; readonly until: Date }
  | { readonly _tag: "Wait" | "Stop" }

interface Step<Delivery extends DueDelivery> {
  readonly state: Sender
  readonly effects: ReadonlyArray<SenderEffect<Delivery>>
}

const after = (date: Date, duration: Duration.Duration) => new Date(date.getTime() + Duration.toMillis(duration))

/** Returns a sender whose queue has just been claimed. */
export const beginSender = (health: Health, now: Date, limits: DispatchLimits): Sender => ({
  claimedAs: health,
  begunAt: now,
  claimedUntil: after(now, limits.claim),
  mustRenew: false,
  mayFindMore: true,
  busy: new Set(),
  health,
  hasDelivered: false,
  lastFailed: false,
  isEnding: false,
  isBroken: false
})

const roomOf = (sender: Sender, { isAwaited, isSlow, limits, now, roomOfOrganization }: Surroundings) => {
  const { begunAt, busy, claimedAs, hasDelivered, isEnding } = sender
  const isUnsure = !hasDelivered && (claimedAs === "FAILING" || isSlow || isAwaited)
  const limit = isUnsure ? limits.unsureAttempts : isSlow ? limits.slowAttempts : limits.attempts
  // An endpoint that has become proven needs a slot of the proven share.
  const isTurnOver = (hasDelivered && claimedAs !== "PROVEN") || (isAwaited && now > after(begunAt, limits.turn))
  return isEnding || (isTurnOver && !isSlow) ? 0 : Math.min(limit - busy.size, roomOfOrganization)
}

/** Returns what a sender does next. It stops when nothing is under way and nothing more can be begun. */
export const nextAction = (sender: Sender, surroundings: Surroundings): SenderAction => {
  const { limits, now } = surroundings
  const limit = roomOf(sender, surroundings)
  if (limit <= 0 || !sender.mayFindMore) return { _tag: sender.busy.size === 0 ? "Stop" : "Wait" }
  const isOld = after(now, Duration.times(limits.claim, 2 / 3)) > sender.claimedUntil
  return sender.mustRenew || isOld ? { _tag: "Renew", until: after(now, limits.claim) } : { _tag: "Look", limit }
}

// Lanes are found with their first delivery, in a queue that is neither paused nor slowed down.
const openPlace = { isPaused: false, slowedUntil: null, earlier: null }

/**
 * Decides for each lane that was found: one without deliveries is removed; one whose first delivery has to wait is postponed;
 * of the others the first delivery is attempted, if the organization has room, and the attempt ends before the claim does.
 */
const stepFound = <Delivery extends DueDelivery>(
  sender: Sender,
  lanes: ReadonlyArray<FoundLane<Delivery>>,
  { limits, now, roomOfOrganization }: Surroundings
): Step<Delivery> => {
  const isInTime = after(now, limits.attempt) <= sender.claimedUntil
  const waits = ({ nextAttemptAt }: Delivery) => waitOf({ ...openPlace, nextAttemptAt }, now) !== undefined
  const isDue = (each: FoundLane<Delivery>): each is Delivery => each.id !== null && !waits(each)
  const toAttempt = isInTime ? lanes.filter(isDue).slice(0, Math.max(0, roomOfOrganization)) : []
  const busy = new Set([...sender.busy, ...toAttempt.map(({ lane }) => lane)])
  const mayFindMore = toAttempt.length < lanes.length
  const waiting = lanes.flatMap((each): ReadonlyArray<SenderEffect<Delivery>> => {
    if (each.id === null) return [{ _tag: "RemoveLane", lane: each.lane, waiting: each.waiting }]
    return waits(each) ? [{ _tag: "PostponeLane", lane: each.lane }] : []
  })
  // Attempts come first, so that the room that was counted on is taken before anything else happens.
  const effects = [...toAttempt.map((delivery) => ({ _tag: "Attempt", delivery }) as const), ...waiting]
  return { state: { ...sender, busy, mayFindMore }, effects }
}

/** Returns the sender after something happened, and what is to be done. */
export const stepSender = <Delivery extends DueDelivery>(
  sender: Sender,
  input: SenderInput<Delivery>,
  surroundings: Surroundings
): Step<Delivery> => {
  const to = (change: Partial<Sender>, effects: Step<Delivery>["effects"] = []) => ({
    state: { ...sender, ...change },
    effects
  })
  switch (input._tag) {
    case "Woken":
      return to({ mayFindMore: true })
    case "AddedTo":
      return to({ mustRenew: true })
    case "Renewed":
      return to({ mustRenew: false, claimedUntil: input.until })
    case "Lost":
      return to({ isEnding: true })
    case "Found":
      if (input.lanes.length === 0) return to({ mayFindMore: false })
      return input.isEnabled ? stepFound(sender, input.lanes, surroundings) : to({ isEnding: true })
    case "Attempted": {
      const { isDelivered, isEnabled, wasFailing } = input
      const change = {
        health: isDelivered || sender.hasDelivered ? "PROVEN" : "FAILING",
        hasDelivered: isDelivered || sender.hasDelivered,
        lastFailed: !isDelivered,
        isEnding: sender.isEnding || !isEnabled
      } as const
      return to(change, isDelivered && (sender.lastFailed || wasFailing) ? [{ _tag: "NoteSuccess" }] : [])
    }
    case "NotStored":
      return to({ isEnding: true, isBroken: true })
    case "Ended":
      return to({ busy: new Set([...sender.busy].filter((lane) => lane !== input.lane)) })
  }
}
