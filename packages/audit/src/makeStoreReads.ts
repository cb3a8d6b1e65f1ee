import { execute, inBackground, inTransaction } from "@care/service-kit"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeChainsRepo } from "./makeChainsRepo.ts"
import { insertWaitingRecords } from "./recorded.ts"

class NotLinkedAtOnce extends Data.TaggedError("NotLinkedAtOnce") {}

/**
 * Makes what stores records of reads, lines of JSON (`recordLine`), with their links: to let them wait for these, and to look for
 * them again, would cost half as much once more. When another process links, or some are stored already, they are stored to
 * wait as those of changes do.
 */
export const makeStoreReads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const chains = yield* makeChainsRepo

  const storeLinked = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
    if (!(yield* chains.takeTurn)) return yield* new NotLinkedAtOnce()
    const ends = yield* chains.endsOf(lines)
    if (ends.some(({ isBehind }) => isBehind)) return yield* new NotLinkedAtOnce()
    yield* chains.store(lines, ends)
  }, inTransaction(sql))

  return (lines: ReadonlyArray<string>): Effect.Effect<void> =>
    storeLinked(lines).pipe(
      Effect.catch(() => execute(insertWaitingRecords(sql, lines))),
      inBackground
    )
})
