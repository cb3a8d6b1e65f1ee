import { execute, inBackground, inTransaction } from "@care/service-kit"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeChainsRepo } from "./makeChainsRepo.ts"
import { insertWaitingRecords } from "./recorded.ts"

class NotLinkedAtOnce extends Data.TaggedError("NotLinkedAtOnce") {}

/**
 * Makes the function that stores records of reads together with their links, which costs a third less than linking them later. They wait for
 * their links instead if another process links at the moment, or if some are stored already.
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
