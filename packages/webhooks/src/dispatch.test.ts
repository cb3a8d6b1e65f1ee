import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as fc from "fast-check"
import { classifyResponse, type Response } from "./classifyResponse.ts"
import { DispatchLimits } from "./DispatchLimits.ts"
import { attemptsInAll, deliveryRetryDelay } from "./deliveryRetryDelay.ts"
import type { Health } from "./Health.ts"
import { type DeliveryState, stepDelivery } from "./stepDelivery.ts"
import { type EndpointState, stepEndpoint } from "./stepEndpoint.ts"
import { beginSender, nextAction, type Sender, type SenderInput, stepSender } from "./stepSender.ts"
import { waitOf } from "./waitOf.ts"

const limits = Effect.runSync(DispatchLimits)
const [attemptMillis, fiveDays] = [Duration.toMillis(limits.attempt), Duration.toMillis("5 days")]

/** A stored delivery, with the test's own notes about it. */
interface Stored extends DeliveryState {
  readonly id: string
  readonly lane: string
  nextAttemptAt: Date | null
  waitsUntil: number
  allowed: number
}

interface Attempt {
  readonly delivery: Stored
  readonly at: Date
  readonly changedAt: Date
  readonly isFailing: boolean
}

/**
 * An endpoint, its deliveries and the process that sends to it, in memory. It stores and reads as the statements do, and leaves all
 * decisions to the steps. Whatever an attempt must not break is checked when it begins and when it ends.
 */
class Simulation {
  now = new Date("2026-01-01T00:00:00Z")
  happened = 0
  deliveries: Array<Stored> = []
  readonly laneDueAt = new Map<string, number>()
  endpoint: EndpointState = { isEnabled: true, failingSince: null, updatedAt: this.now }
  failures: Array<Date> = []
  isSuspended = false
  isAwaited = false
  isSlow = false
  slowedUntil = 0
  health: Health = "FRESH"
  sender: Sender | undefined
  claimedUntil = 0
  underWay: Array<Attempt> = []
  /** How attempts went since the queue was claimed. */
  readonly results = new Set<"DELIVERED" | "FAILED">()

  private readonly canSend = () =>
    this.endpoint.isEnabled && !this.isSuspended && this.slowedUntil <= this.now.getTime()

  private readonly firstOf = (lane: string) =>
    this.deliveries.find((delivery) => delivery.lane === lane && delivery.status === "PENDING")

  private readonly due = (except: ReadonlySet<string>) =>
    [...this.laneDueAt]
      .filter(([lane, dueAt]) => this.canSend() && dueAt <= this.now.getTime() && !except.has(lane))
      .sort(([, a], [, b]) => a - b)
      .map(([lane]) => lane)

  private readonly around = () => ({
    limits,
    now: this.now,
    isAwaited: this.isAwaited,
    isSlow: this.isSlow,
    roomOfOrganization: limits.ofOrganization - this.underWay.length
  })

  private placeOf(delivery: Stored) {
    const first = this.firstOf(delivery.lane)
    return {
      isPaused: !this.endpoint.isEnabled || this.isSuspended,
      slowedUntil: new Date(this.slowedUntil),
      earlier: first === undefined || first === delivery ? null : first,
      nextAttemptAt: delivery.nextAttemptAt ?? assert.fail("it has no time")
    }
  }

  private step(input: SenderInput<Stored & { readonly nextAttemptAt: Date }>, attempt?: Attempt) {
    if (this.sender === undefined) return
    const { effects, state } = stepSender(this.sender, input, this.around())
    this.sender = state
    for (const effect of effects) {
      if (effect._tag === "RemoveLane") this.laneDueAt.delete(effect.lane)
      else if (effect._tag === "Attempt") this.begin(effect.delivery)
      else if (effect._tag === "PostponeLane") {
        this.laneDueAt.set(effect.lane, this.firstOf(effect.lane)?.nextAttemptAt?.getTime() ?? 0)
      } else if (attempt !== undefined) this.note(attempt, "DELIVERED")
    }
  }

  private begin(delivery: Stored) {
    const now = this.now.getTime()
    assert.isTrue(this.canSend(), "sent while disabled, suspended or left alone")
    assert.strictEqual(this.firstOf(delivery.lane), delivery, "sent out of order")
    assert.isFalse(
      this.underWay.some((other) => other.delivery.lane === delivery.lane),
      "two at a time in a lane"
    )
    assert.isAtLeast(now, delivery.waitsUntil, "sent before its time")
    assert.isUndefined(waitOf(this.placeOf(delivery), this.now), "sent while it waits")
    assert.isBelow(delivery.attempts, delivery.allowed, "sent more often than the schedule says")
    assert.isAtLeast(this.sender?.claimedUntil.getTime() ?? 0, now + attemptMillis, "the claim may end first")
    const { failingSince, updatedAt } = this.endpoint
    this.underWay.push({ delivery, at: this.now, changedAt: updatedAt, isFailing: failingSince !== null })
    const { begunAt, claimedAs } = this.sender ?? assert.fail("nobody sends")
    const mayBeDead = !this.results.has("DELIVERED") && (claimedAs === "FAILING" || this.isAwaited)
    const limit = this.isSlow ? limits.slowAttempts : limits.attempts
    assert.isAtMost(this.underWay.length, mayBeDead ? limits.unsureAttempts : limit)
    const isLate = this.isAwaited && now > begunAt.getTime() + Duration.toMillis(limits.turn)
    assert.isFalse(isLate && !this.isSlow, "sent after its turn while others wait")
  }

  private note({ at, changedAt }: Attempt, outcome: "DELIVERED" | "FAILED" | "GONE") {
    const { effects, state } = stepEndpoint(this.endpoint, { at, changedAt, outcome })
    const counts = this.endpoint.isEnabled && changedAt.getTime() === this.endpoint.updatedAt.getTime()
    if (outcome === "DELIVERED") this.failures = []
    else if (counts) this.failures.push(at)
    const failingMillis = at.getTime() - (this.failures[0] ?? at).getTime()
    const mustDisable = counts && (outcome === "GONE" || (outcome === "FAILED" && failingMillis >= fiveDays))
    assert.strictEqual(this.endpoint.isEnabled && !state.isEnabled, mustDisable)
    assert.strictEqual(effects.length, mustDisable ? 1 : 0)
    this.endpoint = state
  }

  /** Runs the loop until it waits. */
  run() {
    this.step({ _tag: "Woken" })
    for (let turn = 0; turn < 100; turn += 1) {
      if (this.sender === undefined) {
        if (this.claimedUntil > this.now.getTime() || this.due(new Set()).length === 0) return
        this.isSlow = false
        this.results.clear()
        this.sender = beginSender(this.health, this.now, limits)
      }
      const action = nextAction(this.sender, this.around())
      if (action._tag === "Wait") {
        const wouldLook = nextAction({ ...this.sender, mayFindMore: true }, this.around())._tag !== "Wait"
        if (wouldLook) assert.isEmpty(this.due(this.sender.busy), "it waits though there is something to send")
        return
      }
      if (action._tag === "Renew") this.step({ _tag: "Renewed", until: action.until })
      else if (action._tag === "Look") this.look(action.limit, this.sender.busy)
      else {
        if (this.sender.isBroken) this.claimedUntil = this.sender.claimedUntil.getTime()
        const worst = this.results.has("FAILED") ? "FAILING" : this.sender.claimedAs
        assert.strictEqual(this.sender.health, this.results.has("DELIVERED") ? "PROVEN" : worst)
        this.health = this.sender.health
        this.sender = undefined
      }
    }
    assert.fail("the loop never waits")
  }

  private look(limit: number, busy: ReadonlySet<string>) {
    const lanes = this.due(busy)
      .slice(0, limit)
      .map((lane) => {
        const first = this.firstOf(lane)
        if (first === undefined) return { lane, waiting: 0, id: null }
        return Object.assign(first, { nextAttemptAt: first.nextAttemptAt ?? assert.fail("it has no time") })
      })
    this.step({ _tag: "Found", isEnabled: this.endpoint.isEnabled, lanes })
  }

  happen(lane: string) {
    this.happened += 1
    const id = String(this.happened)
    const state = { status: "PENDING", attempts: 0, attemptsLeft: attemptsInAll, nextAttemptAt: this.now } as const
    this.deliveries.push({ ...state, id, lane, waitsUntil: 0, allowed: attemptsInAll })
    if (!this.laneDueAt.has(lane)) this.laneDueAt.set(lane, this.now.getTime())
    this.step({ _tag: "AddedTo" })
  }

  replay(index: number) {
    const delivery = this.deliveries[index % this.deliveries.length]
    if (delivery === undefined || !this.endpoint.isEnabled) return
    const allowed = delivery.attempts + attemptsInAll
    const again = { status: "PENDING", attemptsLeft: attemptsInAll, nextAttemptAt: this.now } as const
    Object.assign(delivery, { ...again, waitsUntil: 0, allowed })
    this.laneDueAt.set(delivery.lane, this.now.getTime())
    this.step({ _tag: "AddedTo" })
  }

  /** Ends one of the attempts under way; undefined is no response. */
  answer(index: number, response: Response | undefined, random: number) {
    const [attempt] = this.underWay.splice(index % Math.max(1, this.underWay.length), 1)
    if (attempt === undefined) return
    const { delivery } = attempt
    const { slowFor, ...classified } = classifyResponse(response, this.now)
    const left = () => this.deliveries.reduce((sum, other) => sum + (other === delivery ? 0 : other.attemptsLeft), 0)
    const before = left()
    const after = stepDelivery(delivery, classified, this.now, random)
    const delay = Duration.toMillis(deliveryRetryDelay(after.attemptsLeft, 0) ?? Duration.zero)
    const wait = Math.max(delay, (Number(response?.retryAfter) || 0) * 1000)
    Object.assign(delivery, { ...after, waitsUntil: this.now.getTime() + wait })
    if (after.status === "FAILED") assert.strictEqual(after.attempts, delivery.allowed, "it is given up too early")
    if (after.status === "PENDING") this.laneDueAt.set(delivery.lane, after.nextAttemptAt?.getTime() ?? 0)
    else if (this.firstOf(delivery.lane) === undefined) this.laneDueAt.delete(delivery.lane)
    else this.laneDueAt.set(delivery.lane, this.now.getTime())
    const isDelivered = classified.outcome === "DELIVERED"
    if (!isDelivered) this.note(attempt, classified.outcome)
    if (slowFor !== undefined) this.slowedUntil = this.now.getTime() + Duration.toMillis(slowFor)
    const { isEnabled } = isDelivered ? { isEnabled: true } : this.endpoint
    this.results.add(isDelivered ? "DELIVERED" : "FAILED")
    this.step({ _tag: "Attempted", isDelivered, isEnabled, wasFailing: attempt.isFailing }, attempt)
    this.step({ _tag: "Ended", lane: delivery.lane })
    if (isDelivered) assert.isNull(this.endpoint.failingSince, "a success does not end that it fails")
    assert.strictEqual(left(), before, "an attempt was taken from another delivery")
  }

  /** Loses an outcome: the next claimer of the queue repeats the attempt. */
  lose(index: number) {
    const [attempt] = this.underWay.splice(index % Math.max(1, this.underWay.length), 1)
    if (attempt === undefined) return
    Object.assign(attempt.delivery, { waitsUntil: this.sender?.claimedUntil.getTime() ?? 0 })
    this.step({ _tag: "NotStored" })
    this.step({ _tag: "Ended", lane: attempt.delivery.lane })
  }

  /** Makes the pending deliveries of a lane too old. */
  expire(lane: string) {
    if (this.underWay.some(({ delivery }) => delivery.lane === lane)) return
    this.deliveries = this.deliveries.filter((delivery) => delivery.lane !== lane)
  }

  /** The process dies: its claim ends later. */
  die() {
    this.claimedUntil = this.sender?.claimedUntil.getTime() ?? this.claimedUntil
    this.sender = undefined
    this.underWay = []
  }

  /** No attempt is under way for longer than it may be. */
  pass(millis: number) {
    const isLong = millis > attemptMillis
    if (isLong) this.now = new Date(this.now.getTime() + attemptMillis)
    while (isLong && this.underWay.length > 0) this.answer(0, undefined, 0.5)
    this.run()
    this.now = new Date(this.now.getTime() + millis)
  }

  enable(isEnabled: boolean) {
    const beginsAnew = isEnabled && !this.endpoint.isEnabled
    if (beginsAnew) [this.failures, this.slowedUntil, this.health] = [[], 0, "FRESH"]
    const failingSince = beginsAnew ? null : this.endpoint.failingSince
    this.now = new Date(this.now.getTime() + 1)
    this.endpoint = { isEnabled, failingSince, updatedAt: this.now }
  }

  suspend(isSuspended: boolean) {
    this.isSuspended = isSuspended
    if (isSuspended) return
    this.failures = []
    this.endpoint = { ...this.endpoint, failingSince: null }
  }
}

const index = fc.nat(20)
const lane = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
const response = fc.option(
  fc.record({
    status: fc.constantFrom(200, 204, 301, 410, 429, 500, 500, 500, 503, 504),
    retryAfter: fc.constantFrom(undefined, undefined, "7", "600", "soon")
  }),
  { nil: undefined }
)
const act = <A>(weight: number, name: string, values: fc.Arbitrary<A>, run: (at: Simulation, value: A) => void) => ({
  weight,
  arbitrary: values.map((value) =>
    Object.assign((at: Simulation) => run(at, value), { toString: () => `${name} ${JSON.stringify(value)}` })
  )
})
const acts = fc.oneof(
  act(6, "happen", lane, (at, value) => at.happen(value)),
  act(9, "answer", fc.tuple(index, response, fc.double({ min: 0, max: 1, noNaN: true })), (at, values) =>
    at.answer(...values)
  ),
  act(5, "pass", fc.constantFrom(10, 1500, 6000, 40_000, 400_000, 4e7, 2e8), (at, value) => at.pass(value)),
  act(2, "replay", index, (at, value) => at.replay(value)),
  act(1, "enable", fc.boolean(), (at, value) => at.enable(value)),
  act(1, "suspend", fc.boolean(), (at, value) => at.suspend(value)),
  act(1, "expire", lane, (at, value) => at.expire(value)),
  act(1, "lose", index, (at, value) => at.lose(value)),
  act(1, "die", fc.constant(null), (at) => at.die()),
  act(1, "others", fc.record({ isAwaited: fc.boolean(), isSlow: fc.boolean() }), (at, value) =>
    Object.assign(at, value)
  )
)

describe("what a pending delivery waits for", () => {
  const now = new Date("2026-01-01T00:00:00Z")
  const [soon, later] = [new Date(now.getTime() + 1000), new Date(now.getTime() + 2000)]
  const free = { isPaused: false, slowedUntil: null, earlier: null, nextAttemptAt: now }

  it("is its endpoint, an earlier delivery, or the later of two times, and nothing once both have come", () => {
    assert.isUndefined(waitOf(free, now))
    assert.isUndefined(waitOf({ ...free, slowedUntil: now }, now))
    const all = { isPaused: true, slowedUntil: later, earlier: "first", nextAttemptAt: soon }
    assert.deepStrictEqual(waitOf(all, now), { reason: "ENDPOINT_DISABLED" })
    assert.deepStrictEqual(waitOf({ ...all, isPaused: false }, now), { reason: "EARLIER_EVENT", earlier: "first" })
    const first = { ...free, slowedUntil: later, nextAttemptAt: soon }
    assert.deepStrictEqual(waitOf(first, now), { reason: "ENDPOINT_BUSY", until: later })
    assert.deepStrictEqual(waitOf({ ...first, slowedUntil: soon, nextAttemptAt: later }, now), {
      reason: "NEXT_ATTEMPT",
      until: later
    })
    assert.isUndefined(waitOf(first, later))
  })
})

describe("whatever happens, fails, is replayed, disabled and suspended", () => {
  it("as many are begun as the organization has room for, unless the claim may end first or the endpoint is disabled", () => {
    const now = new Date("2026-01-01T00:00:00Z")
    const lanes = ["a", "b", "c"].map((lane) => ({ id: lane, lane, nextAttemptAt: now }))
    const beginAttempts = (isEnabled: boolean, roomOfOrganization: number, millis: number) => {
      const around = {
        limits,
        now: new Date(now.getTime() + millis),
        isAwaited: false,
        isSlow: false,
        roomOfOrganization
      }
      const sender = beginSender("PROVEN", now, limits)
      const { effects, state } = stepSender(sender, { _tag: "Found", isEnabled, lanes }, around)
      return [effects.length, nextAction(state, around)._tag]
    }
    assert.deepStrictEqual(beginAttempts(true, 9, 9000), [3, "Wait"])
    assert.deepStrictEqual(beginAttempts(true, 2, 0), [2, "Look"])
    assert.deepStrictEqual(beginAttempts(true, -1, 0), [0, "Stop"])
    assert.deepStrictEqual(beginAttempts(true, 9, 9001), [0, "Renew"])
    assert.deepStrictEqual(beginAttempts(false, 9, 0), [0, "Stop"])
  })

  it("events are sent in order, in time and no more often than they may be, and all are dealt with in the end", () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 120, size: "max" }), (all) => {
        const simulation = new Simulation()
        for (const each of all) {
          each(simulation)
          simulation.run()
        }
        simulation.enable(true)
        simulation.suspend(false)
        const isPending = () => simulation.deliveries.some(({ status }) => status === "PENDING")
        for (let turn = 0; turn < 200 && isPending(); turn += 1) {
          simulation.run()
          while (simulation.underWay.length > 0) {
            simulation.answer(0, { status: 204, retryAfter: undefined }, 0)
            simulation.run()
          }
          simulation.pass(turn === 0 ? 60_000 : 3_600_000)
        }
        assert.isFalse(isPending(), "a delivery is never sent")
      }),
      { numRuns: 300 }
    )
  })
})
