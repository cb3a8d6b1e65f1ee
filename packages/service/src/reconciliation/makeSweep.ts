import { randomUUID } from "node:crypto"
import type { Difference, Sweep, SweepState, SweptSource } from "@care/domain/reconciliation"
import { inBackground, OnTestAccount, safeCause } from "@care/service-kit"
import { Clock, Duration, Effect, Metric } from "effect"
import { leaseRenewal, makeSweepsRepo } from "./SweepsRepo.ts"

/** The result of one page of a source. Everything it changed is stored when it is returned. */
export interface SweptPage {
  /** Where the next page begins, in a format of the source. It is stored after the changes of the page. */
  readonly cursor: string
  /** Whether the sweep has reached the end of the source for now. */
  readonly isLast: boolean
  readonly compared: number
  readonly differences: ReadonlyArray<Omit<Difference, "source">>
}

/**
 * A list at a provider that a sweep compares with our rows, page by page. Pages are bounded, and call no server inside a transaction.
 * A page must be idempotent: it is compared again if its process ended before the cursor was stored.
 */
export interface SweepSource {
  readonly name: string
  /** Compares the page at a cursor, or the first page without one. A failure is a defect. */
  readonly page: (cursor: string | undefined) => Effect.Effect<SweptPage>
}

/** Returns the source of the same list at the account of sandboxes, with a cursor of its own. */
export const onTestAccount = ({ name, page }: SweepSource): SweepSource => ({
  name: `${name}-test`,
  page: (cursor) => Effect.provideService(page(cursor), OnTestAccount, true)
})

const differencesFound = Metric.counter("reconciliation_differences_total", {
  description: "What was not the same here and at a provider, by source, and whether it was repaired or only reported",
  incremental: true
})

const failures = Metric.counter("reconciliation_failures_total", {
  description: "Pages of a source that could not be compared with the provider",
  incremental: true
})

/** The minimum time that a page has left if it began before the time of the sweep was over. */
const minGrace = Duration.toMillis("7 seconds")

const maxDifferences = 500

const report = (source: string, { action, id, organizationId, what }: SweptPage["differences"][number]) =>
  (action === "REPORTED" ? Effect.logWarning : Effect.logInfo)(`Reconciliation: ${what}`).pipe(
    Effect.annotateLogs({ source, id, organizationId }),
    Effect.andThen(Metric.update(Metric.withAttributes(differencesFound, { source, action }), 1))
  )

const busy: Sweep = { state: "BUSY", sources: [], differences: [] }

const worst = (sources: ReadonlyArray<SweptSource>): SweepState =>
  (["FAILED", "BUSY", "MORE"] as const).find((state) => sources.some((source) => source.state === state)) ?? "DONE"

/**
 * Makes the function that compares a service with its provider, one source after the other, and begins no page after `within`. A page
 * that has begun may take half of that time more, or 7 seconds; then it fails. A service has one sweep at a time, and a second one is
 * `BUSY`. The next sweep goes on at the stored cursors. A source that fails does not delay the others.
 */
export const makeSweep = Effect.fnUntraced(function* (sources: ReadonlyArray<SweepSource>) {
  const repo = yield* makeSweepsRepo

  const sweepSource = Effect.fnUntraced(function* (
    holder: string,
    { name, page }: SweepSource,
    until: number,
    grace: number
  ) {
    let compared = 0
    const differences: Array<Difference> = []
    const resultOf = (state: SweepState) => ({ swept: { name, state, compared }, differences })
    while (differences.length < maxDifferences) {
      const now = yield* Clock.currentTimeMillis
      if (now >= until) break
      const swept = yield* repo.cursorOf(name).pipe(
        Effect.flatMap(page),
        Effect.timeout(until + grace - now),
        Effect.tapCause((cause) =>
          Effect.logWarning("A source cannot be compared with the provider", safeCause(cause))
        ),
        Effect.annotateLogs({ source: name }),
        Effect.catchCause(() =>
          Effect.as(Metric.update(Metric.withAttributes(failures, { source: name }), 1), undefined)
        )
      )
      if (swept === undefined) return resultOf((yield* repo.extend(holder)) ? "FAILED" : "BUSY")
      compared += swept.compared
      for (const difference of swept.differences) {
        yield* report(name, difference)
        differences.push({ source: name, ...difference })
      }
      if (!(yield* repo.move(holder, name, swept.cursor))) return resultOf("BUSY")
      if (swept.isLast) return resultOf("DONE")
    }
    return resultOf("MORE")
  })

  const sweepAll = Effect.fnUntraced(function* (holder: string, within: Duration.Duration) {
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(within)
    const grace = Math.max(Duration.toMillis(within) / 2, minGrace)
    // Each source gets its share of the remaining time, so that a large one does not use up the time of the others.
    const all = yield* Effect.forEach(sources, (source, index) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        sweepSource(holder, source, now + Math.max(0, until - now) / (sources.length - index), grace)
      )
    )
    const swept = all.map((result) => result.swept)
    return { state: worst(swept), sources: swept, differences: all.flatMap(({ differences }) => differences) }
  })

  // A page may wait for the provider for longer than the lease. A sweep that lost it moves no cursor any more.
  const keepLease = (holder: string) =>
    Effect.sleep(leaseRenewal).pipe(
      Effect.andThen(repo.extend(holder)),
      Effect.catchCause((cause) => Effect.logWarning("The lease of a sweep cannot be renewed", safeCause(cause))),
      Effect.forever
    )

  return (within: Duration.Duration): Effect.Effect<Sweep> =>
    Effect.suspend(() => {
      const holder = randomUUID()
      return Effect.acquireUseRelease(
        repo.claim(holder),
        (isOurs) => (isOurs ? Effect.raceFirst(sweepAll(holder, within), keepLease(holder)) : Effect.succeed(busy)),
        () => repo.release(holder)
      )
    }).pipe(inBackground, Effect.withSpan("sweep"))
})
