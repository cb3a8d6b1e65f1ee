import { Effect, Option, Stream } from "effect"
import { printProgress } from "../output.ts"
import { type ChainHead, headsOf, linksOf, straysOf } from "./auditPages.ts"
import { makeChainCheck } from "./makeChainCheck.ts"

const progressEvery = 10_000

/**
 * Verifies a chain by its hashes and heads, and returns what was changed, removed or inserted. Prints its progress on
 * standard error.
 */
export const verifyChain = Effect.fnUntraced(function* (ends: readonly [ChainHead, ...ReadonlyArray<ChainHead>]) {
  const [chain] = ends
  const check = makeChainCheck(ends)
  const findings: Array<string> = []
  let checked = 0
  let last = 0
  const total = Math.max(...ends.map(({ count }) => count))
  const name = `${chain.service} ${chain.organizationId}`

  yield* Stream.runForEach(linksOf(chain), (link) => {
    findings.push(...check.ofLink(link))
    checked += 1
    last = link.number
    return checked % progressEvery === 0 ? printProgress(`${name}: ${checked} of ${total} records`) : Effect.void
  })
  findings.push(...check.ofEnd())
  // The chain may have grown since its head was read. Everything after that is new.
  if (last > chain.count) {
    const end = yield* Stream.runHead(headsOf(chain.service, chain.organizationId, undefined))
    if (Option.exists(end, ({ count }) => count < last)) {
      findings.push("the end of the chain was removed or set back, and it does not go on (docs/guides/audit.md)")
    }
  }
  yield* Stream.runForEach(straysOf(chain), ({ record, recordId }) =>
    Effect.sync(() => {
      const description = record === null ? "a record that no service writes" : "a record"
      findings.push(`${description} was inserted that is in no chain: ${recordId}`)
    })
  )
  yield* printProgress(`${name}: ${checked} records`)
  return findings.map((finding) => ({ service: chain.service, organizationId: chain.organizationId, finding }))
})
