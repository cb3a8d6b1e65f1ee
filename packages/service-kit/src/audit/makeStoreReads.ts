import type { ServiceAuditRecord } from "@care/domain/audit"
import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inBackground } from "../sql/Background.ts"
import { decodeInTurns } from "../sql/decodeInTurns.ts"
import { inTransaction } from "../sql/inTransaction.ts"
import { execute } from "../sql/rows.ts"
import { RecordRow, recordOf } from "./makeAuditChains.ts"
import { makeChainsRepo } from "./makeChainsRepo.ts"
import { insertWaitingRecords } from "./recorded.ts"

class NotLinkedAtOnce extends Data.TaggedError("NotLinkedAtOnce") {}

const decode = decodeInTurns(Schema.toCodecJson(RecordRow))

/**
 * Makes what stores records of reads, lines of JSON (`lineOf`), with their links: to let them wait for these, and to look for them
 * again, would cost half as much once more. When another process links, when some are stored already, or anything is not as
 * it should be, they are stored to wait as those of changes do.
 */
export const makeStoreReads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const chains = yield* makeChainsRepo

  const storeLinked = Effect.fnUntraced(function* (
    lines: ReadonlyArray<string>,
    records: ReadonlyArray<ServiceAuditRecord>
  ) {
    if (!(yield* chains.takeTurn)) return yield* new NotLinkedAtOnce()
    const ends = yield* chains.endsOf(records)
    if (ends.some(({ isBehind }) => isBehind)) return yield* new NotLinkedAtOnce()
    yield* chains.store(records, lines, ends)
  }, inTransaction(sql))

  return (lines: ReadonlyArray<string>): Effect.Effect<void> =>
    decode(lines.map((line) => JSON.parse(line))).pipe(
      Effect.flatMap((rows) => storeLinked(lines, rows.map(recordOf))),
      Effect.catch(() => execute(insertWaitingRecords(sql, lines))),
      inBackground
    )
})
