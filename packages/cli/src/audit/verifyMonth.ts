import type { KnownEnd } from "@care/domain/audit/makeLinkCheck"
import { Effect, Option, Stream } from "effect"
import { type Chain, checkpointsOf, linksOf } from "./auditPages.ts"
import { faultsOfCheckpoints, monthText } from "./checkpoints.ts"
import { makeChainCheck } from "./makeChainCheck.ts"
import { type ArchivedMonth, archivedMonthsOf, type ChainPlace, checkLinks, findingOf } from "./verifyChain.ts"

/**
 * Verifies a month of a chain by its records alone, from the state before the month to that after it. Returns what was changed, removed or
 * inserted, and whether it is archived, or undefined if the chain has no such month.
 */
export const verifyMonth = Effect.fnUntraced(function* (
  chain: Chain,
  month: number,
  storedEnds: ReadonlyArray<KnownEnd>,
  place: ChainPlace
) {
  const checkpoints = yield* Stream.runCollect(checkpointsOf(chain))
  const faults = [...faultsOfCheckpoints(checkpoints)]
  const found = (findings: ReadonlyArray<string>, archived: ReadonlyArray<ArchivedMonth> = []) => ({
    findings: findings.map(findingOf(chain)),
    archived
  })
  const checkpoint = checkpoints.find((each) => each.month === month)
  if (checkpoint === undefined) {
    // The newest month may be ending at the moment.
    const isOver = checkpoints.some((each) => each.month > month)
    const first = yield* Stream.runHead(linksOf(chain, month))
    if (Option.isNone(first)) return faults.length === 0 ? undefined : found(faults)
    return isOver ? found([...faults, `the checkpoint of ${monthText(month)} was removed`]) : undefined
  }
  const { count, countBefore, hash, hashBefore, isArchived } = checkpoint
  if (isArchived) return found(faults, archivedMonthsOf(chain, [checkpoint]))
  const ends = [{ count, hash }, ...storedEnds.filter((end) => end.count > countBefore && end.count <= count)]
  const check = makeChainCheck(ends, checkpoints, { count: countBefore, hash: hashBefore })
  const changes = yield* checkLinks(chain, check, linksOf(chain, month), count - countBefore, place)
  return found([...faults, ...changes])
})
