import { AuditService } from "@care/domain/audit/AuditRecord"
import { faultsOfCheckpoints, monthText } from "@care/domain/audit/checkpoints"
import { makeLinkCheck } from "@care/domain/audit/makeLinkCheck"
import type { OrganizationId } from "@care/domain/ids"
import { Effect, Option, Stream } from "effect"
import { audit } from "./auditClient.ts"

/** How far a verification is: in which service, and how many of its records were checked. */
export interface Progress {
  readonly service: AuditService
  readonly checked: number
  readonly total: number
}

/** What was found: nothing, if the chains are as the services wrote them. */
export interface Verified {
  readonly records: number
  readonly findings: ReadonlyArray<{ readonly service: AuditService; readonly finding: string }>
  /** Months that are in archives, and were not read. */
  readonly archivedMonths: ReadonlyArray<string>
}

interface PageOf<Row, Cursor> {
  readonly data: ReadonlyArray<Row>
  readonly nextCursor: Cursor | null
}

interface Place<Cursor> {
  readonly limit: number
  readonly cursor?: Cursor
}

const rowsOf = <Row, Cursor, E>(pageAt: (query: Place<Cursor>) => Effect.Effect<PageOf<Row, Cursor>, E>) =>
  Stream.paginate<Cursor | undefined, Row, E>(undefined, (cursor) =>
    Effect.map(
      pageAt({ limit: 1000, ...(cursor !== undefined && { cursor }) }),
      ({ data, nextCursor }) => [data, Option.fromNullOr(nextCursor)] as const
    )
  )

const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

const sha256 = (text: string) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    hex
  )

const headOf = (service: AuditService, organizationId: OrganizationId) =>
  Effect.map(audit.heads({ params: { service }, query: { organizationId, limit: 1 } }), ({ data }) => data[0])

const verifyService = Effect.fnUntraced(function* (
  service: AuditService,
  organizationId: OrganizationId,
  onProgress: (progress: Progress) => void
) {
  const params = { service, organizationId }
  const head = yield* headOf(service, organizationId)
  const checkpoints = yield* Stream.runCollect(rowsOf((query: Place<number>) => audit.checkpoints({ params, query })))
  const check = makeLinkCheck(head === undefined ? checkpoints : [head, ...checkpoints], checkpoints)
  const faults = [...faultsOfCheckpoints(checkpoints)]
  const total = head?.count ?? 0
  let checked = 0
  let last = 0
  onProgress({ service, checked, total })
  yield* Stream.runForEach(
    rowsOf((query: Place<number>) => audit.links({ params, query })),
    Effect.fnUntraced(function* (link) {
      const text = check.textOf(link)
      faults.push(...check.ofLink(link, text === undefined ? undefined : yield* sha256(text)))
      last = link.number
      checked += 1
      if (checked % 500 === 0) onProgress({ service, checked, total })
    })
  )
  faults.push(...check.ofEnd())
  // The chain may have grown since its head was read. Everything after that is new.
  if (last > total && ((yield* headOf(service, organizationId))?.count ?? 0) < last) {
    faults.push("the end of the chain was removed or set back, and it does not go on")
  }
  yield* Stream.runForEach(
    rowsOf((query: Place<string>) => audit.strays({ params, query })),
    ({ recordId }) => Effect.sync(() => faults.push(`a record was inserted that is in no chain: ${recordId}`))
  )
  const archived = checkpoints.filter(({ isArchived }) => isArchived).map(({ month }) => monthText(month))
  return { checked, findings: faults.map((finding) => ({ service, finding })), archived }
})

/** Recomputes the audit chains of an organization in all services, as `care audit verify` does. */
export const verifyChains = (organizationId: OrganizationId, onProgress: (progress: Progress) => void) =>
  Effect.map(
    Effect.forEach(AuditService.literals, (service) => verifyService(service, organizationId, onProgress)),
    (verified): Verified => ({
      records: verified.reduce((sum, { checked }) => sum + checked, 0),
      findings: verified.flatMap(({ findings }) => findings),
      archivedMonths: [...new Set(verified.flatMap(({ archived }) => archived))].sort()
    })
  )
