import { type ArchivedChain, ArchiveRefused, AuditMonth, AuditService, monthOf } from "@care/domain/audit"
import { OrganizationId } from "@care/domain/ids"
import { PhiCipher } from "@care/phi"
import { execute, inBackground, inTransaction, pageBy, rowsOf } from "@care/service-kit"
import { Clock, Data, Effect, Option, Schedule, Schema, Struct } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { chainHash, firstHash, recordLine } from "../chainHash.ts"
import { makeAuditMonths } from "../makeAuditMonths.ts"
import { makeAuditRepo } from "../makeAuditRepo.ts"
import { makeChainsRepo } from "../makeChainsRepo.ts"
import { type MonthCheckpoint, makeCheckpoints } from "../makeCheckpoints.ts"
import { type ChainState, openPiece, sealChains, sealPiece } from "./archiveLines.ts"

const recordsInPiece = 1000

const monthText = Schema.encodeSync(AuditMonth)
const schemas = rowsOf(Schema.Struct({ schema: AuditService }))
const organizations = rowsOf(Schema.Struct({ organizationId: OrganizationId }))
const found = rowsOf(Schema.Struct({ isThere: Schema.Boolean }))

const State = Schema.fromJsonString(Schema.Struct({ count: Schema.Natural, hash: Schema.String }))
const decodeState = Schema.decodeUnknownSync(State)
const encodeState = Schema.encodeSync(State)

/** Another transaction links records, or reads the month. */
class MonthBusy extends Data.TaggedError("MonthBusy") {}

/** A chain has not ended in a month. */
class MonthOpen extends Data.TaggedError("MonthOpen")<{ readonly organizationId: OrganizationId }> {}

// Some seconds, within the time of a call between services.
const retries = {
  while: (error: object) => error instanceof MonthBusy || error instanceof MonthOpen,
  times: 12,
  schedule: Schedule.spaced("250 millis")
}

const isLockTimeout = (error: unknown): boolean =>
  SqlError.isSqlError(error) && Object(error.reason.cause).code === "55P03"

const refuse = (reason: string) => Effect.fail(new ArchiveRefused({ reason }))

const chainOf = (checkpoint: MonthCheckpoint): ArchivedChain =>
  Struct.pick(checkpoint, ["organizationId", "countBefore", "hashBefore", "count", "hash"])

// A chain without a checkpoint of a month has no records in it.
const withoutRecords = (month: number, organizationId: OrganizationId): MonthCheckpoint => ({
  ...{ month, organizationId, countBefore: 0, hashBefore: firstHash, count: 0, hash: firstHash },
  ...{ isGenuine: true, isStored: false, isArchived: false }
})

/**
 * Makes the functions by which the records of a month move to the files of an archive: a list of the chains, their records in pieces, the
 * check of each piece as it was read back, and the removal of the month. Only what was checked is removed. A month that is over gets no more
 * records (`entriesOf`), also once it is removed.
 */
export const makeAuditArchives = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const repo = yield* makeAuditRepo
  const chains = yield* makeChainsRepo
  const checkpoints = yield* makeCheckpoints
  const months = yield* makeAuditMonths
  const { schema: service } = yield* schemas.one(sql`SELECT current_schema() AS schema`)

  const findOpen = (month: number) =>
    organizations.first(
      sql`SELECT organization_id FROM audit_heads WHERE month <= ${month} ORDER BY organization_id LIMIT 1`
    )

  // A month without a partition of its own cannot be removed.
  const isInDefault = (month: number) =>
    found.one(sql`SELECT EXISTS (SELECT FROM audit_entries_default WHERE month = ${month}) AS is_there`)

  // Chains cannot end while another transaction links records.
  const endMonths = Effect.fnUntraced(function* (month: number) {
    yield* months.end
    const open = yield* findOpen(month)
    if (Option.isSome(open)) return yield* new MonthOpen(open.value)
  })

  const findMoving = organizations.first(
    sql`SELECT organization_id FROM organization_moves WHERE state <> 'GONE' LIMIT 1`
  )

  const requireEnded = Effect.fnUntraced(function* (month: number) {
    const text = monthText(month)
    const moving = yield* findMoving
    if (Option.isSome(moving)) {
      return yield* refuse(
        `The organization ${moving.value.organizationId} moves from or to this cell: wait until care org move has ended.`
      )
    }
    if (month >= monthOf(new Date(yield* Clock.currentTimeMillis))) return yield* refuse(`${text} is not over.`)
    yield* endMonths(month).pipe(
      Effect.retry(retries),
      Effect.catchTag("MonthOpen", ({ organizationId }) =>
        refuse(
          `The end of the chain of ${organizationId} in ${service} was removed or set back before ${text} ended: let it go on first (docs/guides/audit.md).`
        )
      )
    )
    if ((yield* isInDefault(month)).isThere) {
      return yield* refuse(
        `${service} had no partition for ${text}, so that its records are in audit_entries_default, and stay there.`
      )
    }
  })

  const checkpointOf = Effect.fnUntraced(function* (month: number, organizationId: OrganizationId) {
    const checkpoint = Option.getOrElse(yield* checkpoints.find(month, organizationId), () =>
      withoutRecords(month, organizationId)
    )
    if (!checkpoint.isGenuine) {
      return yield* refuse(
        `The checkpoint of ${monthText(month)} of ${organizationId} in ${service} was changed: run care audit verify.`
      )
    }
    return checkpoint
  })

  const placeOfProof = (month: number, organizationId: OrganizationId) =>
    `audit archive proof/${JSON.stringify([service, organizationId, month])}`

  const attempt = <A>(work: () => A, reasonOf: (reason: string) => string) =>
    Effect.try({
      try: work,
      catch: (error) => new ArchiveRefused({ reason: reasonOf(error instanceof Error ? error.message : String(error)) })
    })

  const stateBefore = Effect.fnUntraced(function* (checkpoint: MonthCheckpoint, after: number) {
    const { countBefore, hashBefore, month, organizationId } = checkpoint
    if (after <= countBefore) return { count: countBefore, hash: hashBefore }
    const { data } = yield* repo.links(organizationId, after - 1, 1, month)
    return { count: after, hash: data.find(({ number }) => number === after)?.hash ?? hashBefore }
  })

  const removeMonth = Effect.fnUntraced(function* (month: number) {
    if (!(yield* chains.takeTurn)) return yield* new MonthBusy()
    const ended = yield* checkpoints.lock(month)
    const missing =
      ended.find(({ isArchived, isGenuine, isStored }) => !isGenuine || (!isArchived && !isStored)) ??
      Option.getOrUndefined(yield* findOpen(month))
    if (missing !== undefined) {
      return yield* refuse(
        `The records of ${missing.organizationId} in ${service} are not all in an archive: run care audit archive ${monthText(month)} again.`
      )
    }
    yield* checkpoints.archive(
      ended.filter(({ isArchived }) => !isArchived),
      new Date(yield* Clock.currentTimeMillis)
    )
    yield* execute(
      sql`CALL remove_audit_month(${month}::integer)`.pipe(
        Effect.catchIf(isLockTimeout, () => Effect.fail(new MonthBusy()))
      )
    )
    return { chains: ended.length }
  }, inTransaction(sql))

  return {
    /** Returns chains of a month after an organization, and the line of the archive that has them. */
    chains: Effect.fn("AuditArchives.chains")(function* (month: number, after: string | undefined, limit: number) {
      yield* requireEnded(month)
      const rows = yield* checkpoints.ofMonth(month, after, limit + 1)
      const changed = rows.find(({ isGenuine }) => !isGenuine)
      if (changed !== undefined) yield* checkpointOf(month, changed.organizationId)
      const { data, nextCursor } = pageBy(rows, limit, ({ organizationId }): string => organizationId)
      const page = data.map(chainOf)
      return {
        data: page,
        isArchived: data.length > 0 && data.every(({ isArchived }) => isArchived),
        sealed: sealChains(cipher, service, month, after, { chains: page, next: nextCursor }),
        nextCursor
      }
    }, inBackground),

    /** Returns records of a chain in a month after a number, verified and sealed. */
    piece: Effect.fn("AuditArchives.piece")(function* (month: number, organizationId: OrganizationId, after = 0) {
      const checkpoint = yield* checkpointOf(month, organizationId)
      const text = monthText(month)
      if (checkpoint.isArchived) {
        return yield* refuse(
          `${text} of ${organizationId} in ${service} was archived already, in another folder: copy its file from there.`
        )
      }
      const before = yield* stateBefore(checkpoint, after)
      const { data } = yield* repo.links(organizationId, before.count, recordsInPiece, month)
      let state: ChainState = before
      const lines: Array<string> = []
      for (const { hash, number, record } of data) {
        const isNext = number === state.count + 1 && record !== null && chainHash(state.hash, number, record) === hash
        if (!isNext) break
        lines.push(recordLine(record))
        state = { count: number, hash }
      }
      const isLast = state.count === checkpoint.count
      const isSound = isLast ? state.hash === checkpoint.hash : lines.length > 0 && state.count < checkpoint.count
      if (!isSound || lines.length < data.length) {
        return yield* refuse(
          `The records of ${organizationId} in ${service} were changed after record ${state.count}: run care audit verify --month ${text}.`
        )
      }
      const { sealed } = sealPiece(cipher, { service, month, organizationId }, before, lines)
      return { sealed, nextCursor: isLast ? null : state.count }
    }, inBackground),

    /** Checks a piece as it was read back. `proof` is that of the piece before it. */
    check: Effect.fn("AuditArchives.check")(function* (
      month: number,
      organizationId: OrganizationId,
      sealed: string,
      proof: string | undefined
    ) {
      const checkpoint = yield* checkpointOf(month, organizationId)
      const place = placeOfProof(month, organizationId)
      const before =
        proof === undefined
          ? { count: checkpoint.countBefore, hash: checkpoint.hashBefore }
          : yield* attempt(
              () => decodeState(cipher.open(proof, place)),
              () => "The proof is not that of the piece before: begin again with the first piece."
            )
      const { after } = yield* attempt(
        () => openPiece(cipher, { service, month, organizationId }, before, sealed),
        (reason) => `The piece after record ${before.count} of ${organizationId} in ${service} is not sound: ${reason}.`
      )
      const isComplete = after.count === checkpoint.count && after.hash === checkpoint.hash
      if (isComplete && !checkpoint.isStored) {
        yield* checkpoints.markStored(month, organizationId, new Date(yield* Clock.currentTimeMillis))
      }
      return { proof: cipher.seal(encodeState(after), place), isComplete }
    }, inBackground),

    /** Removes a month whose pieces were all checked, of all organizations together. */
    remove: Effect.fn("AuditArchives.remove")(function* (month: number) {
      yield* requireEnded(month)
      return yield* removeMonth(month).pipe(
        Effect.retry(retries),
        Effect.catchTag("MonthBusy", () => refuse(`${monthText(month)} is in use in ${service}: try again.`))
      )
    }, inBackground)
  }
})
