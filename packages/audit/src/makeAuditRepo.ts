import { Effect } from "effect"
import { makeChainReads } from "./reads/makeChainReads.ts"
import { makePage } from "./reads/makePage.ts"

export type { PageOfRecords } from "./reads/makePage.ts"

/** Makes the functions that read the audit of a service. Each read is one statement, by an index. */
export const makeAuditRepo = Effect.gen(function* () {
  return { page: yield* makePage, ...(yield* makeChainReads) }
})
