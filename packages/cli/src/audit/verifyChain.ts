import type { AuditCheckpoint, AuditLink } from "@care/domain/audit/AuditRecord"
import { Effect, Option, Stream } from "effect"
import type { AdminClient } from "../AdminClient.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import { printStep } from "../output.ts"
import { type Chain, type ChainHead, checkpointsOf, headsOf, linksOf, straysOf } from "./auditPages.ts"
import { faultsOfCheckpoints } from "./checkpoints.ts"
import { makeChainCheck } from "./makeChainCheck.ts"

const progressEvery = 10_000

export const findingOf =
  ({ organizationId, service }: Chain) =>
  (finding: string) => ({ service, organizationId, finding })

/** A month of a chain whose records are in an archive. */
export interface ArchivedMonth extends Chain {
  readonly checkpoint: AuditCheckpoint
}

/** Returns the months of a chain whose records are in an archive. */
export const archivedMonthsOf = (
  { organizationId, service }: Chain,
  checkpoints: ReadonlyArray<AuditCheckpoint>
): ReadonlyArray<ArchivedMonth> =>
  checkpoints.flatMap((checkpoint) => (checkpoint.isArchived ? [{ organizationId, service, checkpoint }] : []))

/** The place of a chain among those that are verified: 1 is the first. */
export interface ChainPlace {
  readonly number: number
  readonly of: number
}

/** Checks links, and returns what is wrong with them. Prints its progress on standard error. */
export const checkLinks = Effect.fnUntraced(function* (
  { organizationId, service }: Chain,
  check: ReturnType<typeof makeChainCheck>,
  links: Stream.Stream<AuditLink, CommandFailed, AdminClient>,
  total: number,
  { number, of }: ChainPlace
) {
  const name = `${service} ${organizationId}`
  const faults: Array<string> = []
  let checked = 0
  yield* Stream.runForEach(links, (link) => {
    faults.push(...check.ofLink(link))
    checked += 1
    return checked % progressEvery === 0
      ? printStep(number, of, `${name}: ${checked} of ${total} records`)
      : Effect.void
  })
  faults.push(...check.ofEnd())
  yield* printStep(number, of, `${name}: ${checked} records`)
  return faults
})

/** Verifies a chain by its hashes, heads and checkpoints, and returns what was changed, removed or inserted, and what is archived. */
export const verifyChain = Effect.fnUntraced(function* (
  ends: readonly [ChainHead, ...ReadonlyArray<ChainHead>],
  place: ChainPlace
) {
  const [chain] = ends
  const checkpoints = yield* Stream.runCollect(checkpointsOf(chain))
  const check = makeChainCheck([...ends, ...checkpoints], checkpoints)
  let last = 0
  const links = Stream.tap(linksOf(chain), ({ number }) =>
    Effect.sync(() => {
      last = number
    })
  )
  const faults = [
    ...faultsOfCheckpoints(checkpoints),
    ...(yield* checkLinks(chain, check, links, Math.max(...ends.map(({ count }) => count)), place))
  ]
  // The chain may have grown since its head was read. Everything after that is new.
  if (last > chain.count) {
    const end = yield* Stream.runHead(headsOf(chain.service, chain.organizationId, undefined))
    if (Option.exists(end, ({ count }) => count < last)) {
      faults.push("the end of the chain was removed or set back, and it does not go on (docs/guides/audit.md)")
    }
  }
  yield* Stream.runForEach(straysOf(chain), ({ record, recordId }) =>
    Effect.sync(() => {
      const description = record === null ? "a record that no service writes" : "a record"
      faults.push(`${description} was inserted that is in no chain: ${recordId}`)
    })
  )
  return { findings: faults.map(findingOf(chain)), archived: archivedMonthsOf(chain, checkpoints) }
})
