import type { OrganizationId } from "@care/domain/ids"
import { safeCause } from "@care/service-kit"
import {
  beginSender,
  DispatchLimits,
  nextAction,
  type SenderEffect,
  type SenderInput,
  type Share,
  type Slots,
  stepSender
} from "@care/webhooks"
import { Cause, DateTime, Duration, Effect, Exit, Latch, Option, Schedule } from "effect"
import { type Signing, WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { makeDeliveryAttemptsRepo, type NextDelivery } from "./DeliveryAttemptsRepo.ts"
import { type ClaimedQueue, makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { makeAttempt } from "./makeAttempt.ts"

/**
 * Makes the loop that sends to one endpoint, whose queue this process claimed at `claimedAt`. `nextAction` and `stepSender` decide what
 * it does. `addedTo` notifies it that something was added to the queue.
 */
export const makeSendTo = Effect.fnUntraced(function* (slots: Slots<OrganizationId>) {
  const attempt = yield* makeAttempt
  const endpoints = yield* WebhookEndpoints
  const limits = yield* DispatchLimits
  const endpointQueues = yield* EndpointQueues
  const queues = yield* makeDeliveryQueuesRepo
  const repo = yield* makeDeliveryAttemptsRepo

  return (queue: ClaimedQueue, share: Share, claimedAt: Date) => {
    const { endpointId, organizationId } = queue
    const slot = slots.take(share)
    const wake = Latch.makeUnsafe(false)
    let sender = beginSender(queue.health, claimedAt, limits)

    const surroundings = Effect.map(DateTime.nowAsDate, (now) => ({
      limits,
      now,
      isAwaited: slot.isAwaited(),
      isSlow: slot.isSlow(),
      roomOfOrganization: slots.roomOf(organizationId)
    }))

    const step = (input: SenderInput<NextDelivery>) =>
      Effect.map(surroundings, (around) => {
        const { effects, state } = stepSender(sender, input, around)
        sender = state
        return effects
      })

    const execute = Effect.fnUntraced(function* (effect: SenderEffect<NextDelivery>, signing: Signing) {
      switch (effect._tag) {
        case "Attempt":
          slots.beginAttempt(organizationId)
          yield* Effect.forkScoped(deliver(effect.delivery, signing))
          break
        case "RemoveLane":
          yield* repo.removeLane(queue, effect.lane, effect.waiting)
          break
        case "PostponeLane":
          yield* repo.postpone(queue, effect.lane)
          break
        case "NoteSuccess": {
          const { changedAt } = signing
          const at = yield* DateTime.nowAsDate
          yield* endpoints.outcome(organizationId, endpointId, { outcome: "DELIVERED", at, changedAt })
        }
      }
    })

    const deliver = (delivery: NextDelivery, signing: Signing): Effect.Effect<void> =>
      Effect.gen(function* () {
        yield* Effect.forkScoped(Effect.schedule(Effect.sync(slot.yieldSlot), Schedule.spaced(limits.slowAfter)))
        const attempted = yield* attempt(queue, delivery, signing)
        const effects = yield* step({ _tag: "Attempted", ...attempted, wasFailing: signing.isFailing })
        yield* Effect.forEach(effects, (effect) => execute(effect, signing), { discard: true })
      }).pipe(
        Effect.scoped,
        Effect.catchCause((cause) =>
          Effect.andThen(
            step({ _tag: "NotStored" }),
            Effect.logWarning("The outcome of a webhook attempt is not stored", safeCause(cause))
          )
        ),
        Effect.ensuring(
          Effect.map(step({ _tag: "Ended", lane: delivery.lane }), () => {
            slots.endAttempt(organizationId)
            wake.openUnsafe()
          })
        )
      )

    const look = Effect.fnUntraced(function* (limit: number) {
      const lanes = yield* repo.next(queue, [...sender.busy], limit, yield* DateTime.nowAsDate)
      const found = lanes.length === 0 ? Option.none() : yield* endpoints.signing(organizationId, endpointId)
      if (lanes.length > 0 && Option.isNone(found)) yield* endpointQueues.remove(organizationId, endpointId)
      // Whoever disables an endpoint pauses its queue in the same transaction; by now it may be enabled again.
      const isEnabled = Option.exists(found, (signing) => signing.isEnabled)
      const effects = yield* step({ _tag: "Found", isEnabled, lanes })
      if (Option.isNone(found)) return
      yield* Effect.forEach(effects, (effect) => execute(effect, found.value), { discard: true })
    })

    const sendAll = Effect.gen(function* () {
      while (true) {
        const action = nextAction(sender, yield* surroundings)
        switch (action._tag) {
          case "Stop":
            return
          case "Renew": {
            const isRenewed = yield* queues.keep(queue, action.until)
            yield* step(isRenewed ? { _tag: "Renewed", until: action.until } : { _tag: "Lost" })
            break
          }
          case "Look":
            yield* look(action.limit)
            break
          case "Wait":
            yield* Effect.raceFirst(wake.await, Effect.sleep(Duration.times(limits.claim, 1 / 4)))
            yield* Effect.sleep(limits.debounce)
            wake.closeUnsafe()
            yield* step({ _tag: "Woken" })
        }
      }
    })

    return {
      addedTo: Effect.andThen(step({ _tag: "AddedTo" }), wake.open),
      run: sendAll.pipe(
        Effect.scoped,
        // An interrupted queue is released, too, because the process stops.
        Effect.onExit((exit) => {
          const keepsClaim = sender.isBroken || (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause))
          return keepsClaim ? Effect.void : queues.release(queue, sender.health)
        }),
        Effect.tapCause((cause) => Effect.logWarning("Webhooks of an endpoint are sent later", safeCause(cause))),
        Effect.ensuring(Effect.sync(slot.releaseSlot))
      )
    }
  }
})

/** The loop of one endpoint. */
export type Sending = ReturnType<Effect.Success<ReturnType<typeof makeSendTo>>>
