import { Effect, Stream } from "effect"
import { printProgress } from "../output.ts"
import { type ChainHead, linksOf, straysOf } from "./auditPages.ts"
import { makeChainCheck } from "./makeChainCheck.ts"

const progressEvery = 10_000

/**
 * Walks a chain and says what was changed, removed or inserted: by its own hashes, and by the ends that it has and that were
 * kept of it. How far it is goes to the error output.
 */
export const verifyChain = Effect.fnUntraced(function* (ends: readonly [ChainHead, ...ReadonlyArray<ChainHead>]) {
  const [chain] = ends
  const check = makeChainCheck(ends)
  const found: Array<string> = []
  let seen = 0
  const total = Math.max(...ends.map(({ count }) => count))
  const name = `${chain.service} ${chain.organizationId}`

  yield* Stream.runForEach(linksOf(chain), (link) => {
    found.push(...check.ofLink(link))
    seen += 1
    return seen % progressEvery === 0 ? printProgress(`${name}: ${seen} of ${total} records`) : Effect.void
  })
  found.push(...check.ofEnd())
  yield* Stream.runForEach(straysOf(chain), ({ id }) =>
    Effect.sync(() => found.push(`a record was inserted that is in no chain: ${id}`))
  )
  yield* printProgress(`${name}: ${seen} records`)
  return found.map((finding) => ({ service: chain.service, organizationId: chain.organizationId, finding }))
})
