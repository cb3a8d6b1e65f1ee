import { existsSync } from "node:fs"
import { join } from "node:path"
import { type ArchivedChain, AuditService } from "@care/domain/audit"
import { GatewayApi } from "@care/domain/gateway"
import { Effect, Stream } from "effect"
import { adminGroup, type ListPosition, listPages } from "../../AdminClient.ts"
import { CommandFailed } from "../../CommandFailed.ts"
import { failureOf } from "../../gateway.ts"
import { printStep } from "../../output.ts"
import { monthText } from "../checkpoints.ts"
import { linesIn, makeArchiveFolder, pathOf, writeArchiveFile } from "./archiveFiles.ts"

const archives = adminGroup(GatewayApi, "auditArchives")

/** The month of a service's chains, in a cell. */
interface Month {
  readonly service: AuditService
  readonly month: number
  readonly cell: string | undefined
}

// Sends the lines of a file back as they are on the disk.
const checkFile = Effect.fnUntraced(function* (folder: string, month: Month, { organizationId }: ArchivedChain) {
  const { check } = yield* archives
  const file = { ...month, organizationId }
  const path = join(folder, pathOf(file))
  const params = { service: month.service, month: month.month, organizationId }
  const unsound = (reason: string) =>
    new CommandFailed({ message: `${path} is not sound (${reason}): move it away, and run the same command again.` })
  let [proof, isComplete]: [string | undefined, boolean] = [undefined, false]
  const lines = Stream.fromIterable({ [Symbol.iterator]: () => linesIn(folder, file) })
  yield* Stream.runForEach(lines, (sealed) =>
    Effect.gen(function* () {
      const answer = yield* Effect.mapError(check({ params, payload: { sealed, proof } }), failureOf)
      proof = answer.proof
      isComplete = answer.isComplete
    })
  ).pipe(
    Effect.mapError(({ message }) => unsound(message)),
    Effect.catchDefect((defect) => unsound(defect instanceof Error ? defect.message : String(defect)))
  )
  if (!isComplete) return yield* unsound("it ends too early")
})

const writeChain = Effect.fnUntraced(function* (
  folder: string,
  month: Month,
  chain: ArchivedChain,
  isArchived: boolean,
  report: (text: string) => Effect.Effect<void>
) {
  const file = { ...month, organizationId: chain.organizationId }
  const path = join(folder, pathOf(file))
  if (!existsSync(path)) {
    if (isArchived) {
      return yield* new CommandFailed({
        message: `${path} is missing: ${monthText(month.month)} was archived already, in another folder: copy its file from there.`
      })
    }
    const { piece } = yield* archives
    const params = { service: month.service, month: month.month, organizationId: chain.organizationId }
    const pieces = listPages((query: ListPosition<number>) => piece({ params, query }))
    yield* writeArchiveFile(
      folder,
      file,
      Stream.map(pieces, ({ sealed }) => sealed)
    )
  }
  yield* checkFile(folder, month, chain)
  yield* report(`${path}: ${chain.count - chain.countBefore} records`)
})

const writeMonth = Effect.fnUntraced(function* (
  folder: string,
  month: Month,
  report: (text: string) => Effect.Effect<void>
) {
  const { chains } = yield* archives
  const params = { service: month.service, month: month.month }
  const query = { limit: 1000, ...(month.cell !== undefined && { cell: month.cell }) }
  const pages = yield* Stream.runCollect(
    listPages((position: ListPosition<string>) => chains({ params, query: { ...query, ...position } }))
  )
  const count = pages.reduce((sum, { data }) => sum + data.length, 0)
  let written = 0
  for (const { data, isArchived } of pages) {
    for (const chain of data) {
      written += 1
      yield* writeChain(folder, month, chain, isArchived, (text) => report(`chain ${written} of ${count}, ${text}`))
    }
  }
  yield* writeArchiveFile(folder, month, Stream.fromIterable(pages.map(({ sealed }) => sealed)))
  return count
})

/**
 * Writes the records of a month of all services to files, reads them back for the services to check, and then removes the month from the
 * databases. It may be repeated after it was killed. Returns the number of chains.
 */
export const writeArchive = Effect.fnUntraced(function* (folder: string, month: number, cell: string | undefined) {
  const months = AuditService.literals.map((service): Month => ({ service, month, cell }))
  yield* makeArchiveFolder(folder)
  let chains = 0
  const steps = 2 * months.length
  for (const [index, each] of months.entries()) {
    chains += yield* writeMonth(folder, each, (text) => printStep(index + 1, steps, text))
  }
  const { remove } = yield* archives
  for (const [index, { service }] of months.entries()) {
    yield* Effect.mapError(remove({ params: { service, month }, payload: { cell } }), failureOf)
    yield* printStep(months.length + index + 1, steps, `${service}: ${monthText(month)} is removed from the database`)
  }
  return chains
})
