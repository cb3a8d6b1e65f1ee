import { safeCause } from "@care/service-kit"
import { Cause, DateTime, Duration, Effect, Exit, type Latch, Option, Schedule } from "effect"
import { type Signing, WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { makeDeliveryAttemptsRepo, type NextDelivery } from "./DeliveryAttemptsRepo.ts"
import { DeliveryLanes } from "./DeliveryLanes.ts"
import { DeliveryLimits } from "./DeliveryLimits.ts"
import { type ClaimedQueue, makeDeliveryQueuesRepo, type Share } from "./DeliveryQueuesRepo.ts"
import { makeAttempt } from "./makeAttempt.ts"
import type { Places } from "./makePlaces.ts"

/** An endpoint that is sent to: whoever knows that something was added to its queue says so. */
export interface Sending {
  wasAddedTo: boolean
  readonly wake: Latch.Latch
}

/**
 * Sends to one endpoint, whose queue this process has taken, as long as something is due, or for a turn when others wait: the
 * first of each of its lanes, several lanes at a time. The claim is kept for much longer than an attempt takes, so that
 * no other process sends meanwhile. When an outcome cannot be stored, the claim is left to expire.
 */
export const makeSendTo = Effect.fnUntraced(function* (places: Places, isWaitedFor: (share: Share) => boolean) {
  const attempt = yield* makeAttempt
  const endpoints = yield* WebhookEndpoints
  const lanes = yield* DeliveryLanes
  const limits = yield* DeliveryLimits
  const queues = yield* makeDeliveryQueuesRepo
  const repo = yield* makeDeliveryAttemptsRepo

  const signingOf = Effect.fnUntraced(function* ({ endpointId, organizationId }: ClaimedQueue) {
    const found = yield* endpoints.signing(organizationId, endpointId)
    if (Option.isNone(found)) yield* lanes.remove(organizationId, endpointId)
    // Whoever disables an endpoint pauses its queue in the same transaction; by now it may be enabled again.
    return Option.filter(found, ({ isEnabled }) => isEnabled)
  })

  return Effect.fnUntraced(function* (queue: ClaimedQueue, sending: Sending) {
    const { organizationId, share, standing } = queue
    const place = places.enter(queue)
    const begun = (yield* DateTime.nowAsDate).getTime()
    let keptUntil = begun + Duration.toMillis(limits.claim)
    let reached = standing
    let underWay = 0
    let isOver = false
    let isBroken = false
    let wasDelivered = false
    let hasFailed = false
    const busy = new Set<string>()

    const giveWay = Effect.sync(() => {
      if (isWaitedFor(share)) place.becomeSlow()
    })

    const noteSuccess = Effect.fnUntraced(function* ({ changedAt }: Signing) {
      const at = yield* DateTime.nowAsDate
      yield* endpoints.outcome(organizationId, queue.endpointId, { outcome: "DELIVERED", at, changedAt })
    })

    const deliver = (delivery: NextDelivery, signing: Signing) =>
      Effect.gen(function* () {
        yield* Effect.forkScoped(Effect.schedule(giveWay, Schedule.spaced(limits.slowAfter)))
        const { isDelivered, isEnabled } = yield* attempt(queue, delivery, signing)
        // A success is noted where something failed before: here, or until the endpoint was looked at.
        const endsFailing = isDelivered && (hasFailed || signing.isFailing)
        hasFailed = !isDelivered
        if (endsFailing) yield* noteSuccess(signing)
        if (isDelivered) reached = "PROVEN"
        else if (!wasDelivered) reached = "FAILING"
        wasDelivered ||= isDelivered
        isOver ||= !isEnabled
        busy.delete(delivery.lane)
      }).pipe(
        Effect.scoped,
        Effect.catchCause((cause) => {
          isOver = true
          isBroken = true
          return Effect.logWarning("The outcome of a webhook attempt is not stored", safeCause(cause))
        }),
        Effect.ensuring(
          Effect.sync(() => {
            underWay -= 1
            places.endAttempt(organizationId)
            sending.wake.openUnsafe()
          })
        )
      )

    // True when something may follow at once.
    const sendNext = Effect.fnUntraced(function* (room: number) {
      const now = yield* DateTime.nowAsDate
      if (sending.wasAddedTo || keptUntil - now.getTime() < (Duration.toMillis(limits.claim) * 2) / 3) {
        sending.wasAddedTo = false
        keptUntil = now.getTime() + Duration.toMillis(limits.claim)
        if (!(yield* queues.keep(queue, new Date(keptUntil)))) {
          isOver = true
          return false
        }
      }
      const due = yield* repo.next(queue, [...busy], room, now)
      const deliveries: Array<NextDelivery> = []
      for (const found of due) {
        if (found.id === null) yield* repo.removeLane(queue, found.lane, found.waiting)
        else if (found.nextAttemptAt > now) yield* repo.postpone(queue, found.lane)
        else deliveries.push(found)
      }
      if (deliveries.length === 0) return due.length > 0
      const signing = yield* signingOf(queue)
      if (Option.isNone(signing)) {
        isOver = true
        return false
      }
      // Whatever kept us waiting: another process may take over what is not sure to end before the claim does.
      if ((yield* DateTime.nowAsDate).getTime() + Duration.toMillis(limits.attempt) > keptUntil) return true
      // Other endpoints of the organization may have begun attempts meanwhile.
      for (const delivery of deliveries.slice(0, Math.max(0, places.roomOf(organizationId)))) {
        busy.add(delivery.lane)
        underWay += 1
        places.beginAttempt(organizationId)
        yield* Effect.forkScoped(deliver(delivery, signing.value))
      }
      // In the places of those that were not sent others may be.
      return deliveries.length < due.length
    })

    const mostAttempts = () => {
      const isUnsure = !wasDelivered && (standing === "FAILING" || place.isSlow() || isWaitedFor(share))
      if (isUnsure) return limits.unsureAttempts
      return place.isSlow() ? limits.slowAttempts : limits.attempts
    }

    const roomNow = (now: number) => {
      const isTurnOver =
        (wasDelivered && standing !== "PROVEN") || (now - begun > Duration.toMillis(limits.turn) && isWaitedFor(share))
      if (isOver || (isTurnOver && !place.isSlow())) return 0
      return Math.min(mostAttempts() - underWay, places.roomOf(organizationId))
    }

    const sendAll = Effect.gen(function* () {
      while (true) {
        sending.wake.closeUnsafe()
        const room = roomNow((yield* DateTime.nowAsDate).getTime())
        if (room > 0 && (yield* sendNext(room))) continue
        if (underWay === 0) return
        yield* Effect.raceFirst(sending.wake.await, Effect.sleep(Duration.times(limits.claim, 1 / 4)))
        // Those that end one after the other make room together: a look costs as much for one as for several.
        yield* Effect.sleep(limits.debounce)
      }
    })

    yield* sendAll.pipe(
      Effect.scoped,
      // What was interrupted is given back, too: the process stops.
      Effect.onExit((exit) => {
        const isLeft = isBroken || (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause))
        return isLeft ? Effect.void : queues.release(queue, reached)
      }),
      Effect.tapCause((cause) => Effect.logWarning("Webhooks of an endpoint are sent later", safeCause(cause))),
      Effect.ensuring(Effect.sync(place.leave))
    )
  })
})
