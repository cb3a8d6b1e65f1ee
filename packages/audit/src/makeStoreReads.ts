import { execute, inBackground, inTransaction } from "@care/service-kit"
import { Clock, Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { entriesOf } from "./entriesOf.ts"
import { makeChainsRepo } from "./makeChainsRepo.ts"
import { insertWaitingRecords } from "./recorded.ts"

class NotLinkedAtOnce extends Data.TaggedError("NotLinkedAtOnce") {}

/**
 * Makes the function that stores records of reads as entries of their chains at once. They wait for their links instead if another process
 * links at the moment, if some are stored already, or may be in a month before, or if this version does not know them all.
 */
export const makeStoreReads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const chains = yield* makeChainsRepo

  const storeLinked = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
    if (!(yield* chains.takeTurn)) return yield* new NotLinkedAtOnce()
    const ends = yield* chains.endsOf(lines)
    if (ends.some(({ isBehind }) => isBehind)) return yield* new NotLinkedAtOnce()
    const entries = entriesOf(lines, ends, yield* Clock.currentTimeMillis)
    // The key of the entries refuses a record that is in the month already, and no other month before it can have it.
    if (entries === undefined || entries.some(({ month, monthOfRecord }) => monthOfRecord < month)) {
      return yield* new NotLinkedAtOnce()
    }
    yield* chains.store(entries, ends)
  }, inTransaction(sql))

  return (lines: ReadonlyArray<string>): Effect.Effect<void> =>
    storeLinked(lines).pipe(
      Effect.catch(() => execute(insertWaitingRecords(sql, lines))),
      inBackground
    )
})
