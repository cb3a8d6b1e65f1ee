import { type ChainState, openChains, openPiece } from "@care/audit/archiveLines"
import { ArchivedChain } from "@care/domain/audit/AuditArchive"
import { AuditMonth } from "@care/domain/audit/AuditMonth"
import { AuditService } from "@care/domain/audit/AuditRecord"
import { subjectOf } from "@care/domain/audit/auditActions"
import { PhiCipher } from "@care/phi/PhiCipher"
import { ConfigProvider, Effect, Option, Schema } from "effect"
import type { Resource } from "../../AdminClient.ts"
import { CommandFailed } from "../../CommandFailed.ts"
import { gatewayConnection, readStored } from "../../gateway.ts"
import { printProgress } from "../../output.ts"
import { monthText } from "../checkpoints.ts"
import { type ArchiveFile, linesIn, namesIn, pathOf } from "./archiveFiles.ts"

type Cipher = PhiCipher["Service"]

/** The cipher of `PHI_KEY`, or of the key that the start command generated in the data directory. */
export const archiveCipher = Effect.gen(function* () {
  const { dataDirectory } = yield* gatewayConnection
  const generated = yield* Effect.mapError(
    readStored(dataDirectory, "secrets.json", "PHI_KEY"),
    (file) => new CommandFailed({ message: `${file} cannot be read: set PHI_KEY.` })
  )
  const fallback = ConfigProvider.fromEnvRecord(generated === undefined ? {} : { PHI_KEY: generated })
  const configured = yield* ConfigProvider.ConfigProvider
  return yield* Effect.provide(PhiCipher, PhiCipher.layer).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.orElse(configured, fallback)),
    Effect.mapError(({ message }) => new CommandFailed({ message }))
  )
})

const PageOfChains = Schema.fromJsonString(
  Schema.Struct({ chains: Schema.Array(ArchivedChain), next: Schema.NullOr(Schema.String) })
)
const decodePage = Schema.decodeUnknownSync(PageOfChains)

// A line that a key seals which was removed from PHI_KEY is not a changed one.
const requireKey = ({ keyIds }: Cipher, sealed: string): void => {
  const [id = ""] = sealed.split(":", 1)
  if (!keyIds.includes(id)) throw new Error(`it is sealed with the key ${id}, which is not in PHI_KEY`)
}

// Throws if a line was changed, or is not there.
const chainsIn = (cipher: Cipher, folder: string, { month, service }: ArchiveFile): ReadonlyArray<ArchivedChain> => {
  const found: Array<ArchivedChain> = []
  let after: string | null | undefined
  for (const sealed of linesIn(folder, { month, service })) {
    if (after === null) throw new Error("it has lines after its end")
    requireKey(cipher, sealed)
    const { chains, next } = decodePage(openChains(cipher, service, month, after, sealed))
    found.push(...chains)
    after = next
  }
  if (after !== null) throw new Error("its last lines were removed")
  return found
}

/** Reads the lines of the records of a chain in a month. Throws if a line was changed or is not there. */
function* recordsIn(cipher: Cipher, folder: string, file: ArchiveFile, chain: ArchivedChain): Generator<string> {
  const { count, countBefore, hash, hashBefore, organizationId } = chain
  let state: ChainState = { count: countBefore, hash: hashBefore }
  for (const sealed of linesIn(folder, { ...file, organizationId })) {
    requireKey(cipher, sealed)
    const { after, lines } = openPiece(cipher, { ...file, organizationId }, state, sealed)
    yield* lines
    state = after
  }
  if (state.count !== count || state.hash !== hash) {
    throw new Error(`it ends after record ${state.count}, and the month after record ${count}`)
  }
}

const decodeMonth = Schema.decodeUnknownOption(AuditMonth)

/** Returns the months that a folder has archives of. */
const monthsIn = Effect.fnUntraced(function* (folder: string, only: number | undefined) {
  const found = namesIn(folder).flatMap((name) => Option.toArray(decodeMonth(name)))
  const selected = found.filter((month) => only === undefined || month === only)
  if (selected.length > 0) return selected
  return yield* new CommandFailed({
    message: `${folder} has no archive${only === undefined ? "" : ` of ${monthText(only)}`}.`
  })
})

/** Which archives of a folder are read. */
export interface ArchiveSelection {
  readonly month: number | undefined
  readonly organizationId: string | undefined
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The name of a chain in a month. */
export const archivedKey = (service: string, organizationId: string, month: number): string =>
  `${service} ${organizationId} ${month}`

/**
 * Verifies the archives in a folder by themselves: that no file was changed, removed or exchanged, and that each month begins where the one
 * before it ends. Returns what is wrong, and the chains of all months.
 */
export const verifyArchive = Effect.fnUntraced(function* (
  cipher: Cipher,
  folder: string,
  { month: only, organizationId: requested }: ArchiveSelection
) {
  const findings: Array<Resource> = []
  const archived = new Map<string, ArchivedChain>()
  const last = new Map<string, ChainState & { readonly month: number }>()
  for (const month of yield* monthsIn(folder, only)) {
    for (const service of AuditService.literals) {
      const report = (file: ArchiveFile, finding: string) =>
        findings.push({ service, organizationId: file.organizationId ?? null, finding: `${pathOf(file)}: ${finding}` })
      const names = new Set(namesIn(folder, monthText(month), service).map((name) => name.replace(/\.audit$/, "")))
      if (!names.delete("chains")) {
        report({ service, month }, "it is missing")
        continue
      }
      let chains: ReadonlyArray<ArchivedChain> = []
      try {
        chains = chainsIn(cipher, folder, { service, month })
      } catch (error) {
        report({ service, month }, messageOf(error))
        continue
      }
      for (const chain of chains) {
        const { organizationId } = chain
        const file = { service, month, organizationId }
        const isThere = names.delete(organizationId)
        if (requested !== undefined && requested !== organizationId) continue
        archived.set(archivedKey(service, organizationId, month), chain)
        const before = last.get(`${service} ${organizationId}`)
        if (before !== undefined && (before.count !== chain.countBefore || before.hash !== chain.hashBefore)) {
          report(file, `it does not begin where ${monthText(before.month)} ends: a month between them is missing`)
        }
        last.set(`${service} ${organizationId}`, { ...chain, month })
        if (!isThere) {
          report(file, "it is missing")
          continue
        }
        try {
          let records = 0
          for (const _ of recordsIn(cipher, folder, file, chain)) records += 1
          yield* printProgress(`${pathOf(file)}: ${records} records`)
        } catch (error) {
          report(file, messageOf(error))
        }
      }
      for (const name of names) report({ service, month, organizationId: name }, "it is not a file of this archive")
    }
  }
  return { findings, archived }
})

// A line has the members of `recordLine`.
const StoredLine = Schema.fromJsonString(
  Schema.Struct({
    organizationId: Schema.String,
    id: Schema.String,
    at: Schema.String,
    action: Schema.String,
    actorType: Schema.String,
    actorId: Schema.NullOr(Schema.String),
    caseId: Schema.NullOr(Schema.String),
    userId: Schema.NullOr(Schema.String),
    requestId: Schema.String,
    kinds: Schema.Array(Schema.String),
    shownCaseIds: Schema.optionalKey(Schema.Array(Schema.String)),
    shownUserIds: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.String)))
  })
)
const decodeLine = Schema.decodeUnknownSync(StoredLine)

/** The filters of records, as those of `care audit list`. */
export interface RecordFilter {
  readonly organizationId: string | undefined
  readonly caseId: string | undefined
  readonly userId: string | undefined
  readonly actorId: string | undefined
  readonly action: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

const momentOf = (name: string, text: string) => {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime())
    ? Effect.fail(new CommandFailed({ message: `--${name} has to be a time such as 2026-01-31T00:00:00Z.` }))
    : Effect.succeed(moment.toISOString())
}

/** Returns the records of the archives in a folder, newest first. Fails if a file that it reads is not sound. */
export const archivedRecords = Effect.fnUntraced(function* (cipher: Cipher, folder: string, filter: RecordFilter) {
  const { action, actorId: person, caseId, from, organizationId, to, userId } = filter
  const found: Array<{ readonly at: string; readonly record: Resource }> = []
  const isSelected = (given: string | undefined, ...values: ReadonlyArray<string | null>) =>
    given === undefined || values.includes(given)
  const [since, until] = [yield* momentOf("from", from ?? "2000-01-01"), yield* momentOf("to", to ?? "9999-12-31")]
  const read = (file: ArchiveFile, chain: ArchivedChain) => {
    for (const line of recordsIn(cipher, folder, file, chain)) {
      const { actorId, actorType, userId: subject, shownCaseIds = [], shownUserIds = [], ...record } = decodeLine(line)
      const isFound =
        isSelected(action, record.action) &&
        isSelected(caseId, record.caseId, ...shownCaseIds) &&
        isSelected(userId, subject, ...shownUserIds) &&
        isSelected(person, actorType === "USER" ? actorId : null) &&
        record.at >= since &&
        record.at < until
      if (!isFound) continue
      const shown = shownCaseIds.map((id, index) => ({ caseId: id, userId: shownUserIds[index] ?? null }))
      const actor = { type: actorType, id: actorId }
      found.push({
        at: record.at,
        record: { ...record, ...subjectOf(record.action, subject), service: file.service, actor, shown }
      })
    }
  }
  for (const month of yield* monthsIn(folder, undefined)) {
    for (const service of AuditService.literals) {
      yield* Effect.try({
        try: () => {
          for (const chain of chainsIn(cipher, folder, { service, month })) {
            if (isSelected(organizationId, chain.organizationId)) read({ service, month }, chain)
          }
        },
        catch: (error) =>
          new CommandFailed({
            message: `The archive of ${service} of ${monthText(month)} in ${folder} is not sound (${messageOf(error)}): verify it with care audit verify --archive ${folder} --offline.`
          })
      })
    }
  }
  return found.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ record }) => record)
})
