import {
  type AuditBusy,
  type AuditCheckpoint,
  type AuditHead,
  type AuditLink,
  type AuditQuery,
  type AuditRecord,
  type AuditService,
  ownAuditApi,
  type RecordsQuery,
  type ServiceAuditRecord,
  type StrayRecord
} from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { peers } from "@care/domain/peers"
import { type Page, pageBy, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Record } from "effect"
import {
  type Cell,
  CellOfId,
  Cells,
  listMillis,
  makeAskCells,
  peerOf,
  perCell,
  withCellsAway
} from "../../cells/index.ts"
import { mergedPage } from "./mergedPage.ts"

/** A page of records. `archivedMonths` are those of the filter, whose records are in an archive. */
interface PageOfRecords extends Page<AuditRecord> {
  readonly archivedMonths?: ReadonlyArray<number>
}

type PageOfService = Page<ServiceAuditRecord> & Pick<PageOfRecords, "archivedMonths">

/** The page that a request needs from one service. */
interface ServicePageQuery<Cursor> {
  readonly cursor?: Cursor
  readonly limit: number
}

/**
 * The audit records of all services. A method dies when one of the services does not answer; `list` of several cells names the cell then.
 */
export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    /** Returns a page of the records of all services, newest first: of the cell of the filter's ids, or else of all cells. */
    readonly list: (query: AuditQuery) => Effect.Effect<PageOfRecords>
    /** Returns a page of an organization's own records, newest first. Its requests run one at a time. */
    readonly records: (
      cell: Cell,
      organizationId: OrganizationId,
      query: RecordsQuery
    ) => Effect.Effect<PageOfRecords, AuditBusy>
    /** Returns a page of the heads in cells, by organization. It names the cells that do not answer. */
    readonly heads: (
      cells: ReadonlyArray<Cell>,
      service: AuditService,
      query: ServicePageQuery<string> & { readonly organizationId?: OrganizationId }
    ) => Effect.Effect<Page<AuditHead, string>>
    readonly links: (
      service: AuditService,
      organizationId: OrganizationId,
      query: ServicePageQuery<number> & { readonly month?: number }
    ) => Effect.Effect<Page<AuditLink, number>>
    readonly checkpoints: (
      service: AuditService,
      organizationId: OrganizationId,
      query: ServicePageQuery<number>
    ) => Effect.Effect<Page<AuditCheckpoint, number>>
    readonly strays: (
      service: AuditService,
      organizationId: OrganizationId,
      query: ServicePageQuery<string>
    ) => Effect.Effect<Page<StrayRecord, string>>
  }
>()("@care/gateway/audit/AuditTrail") {
  static readonly layer = Layer.effect(
    AuditTrail,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const { askSome } = makeAskCells(listMillis)
      const cellOfId = yield* CellOfId
      const clientsOf = yield* perCell((cell) =>
        Effect.all(Record.map(peers, (_, service) => peerOf(cell, ownAuditApi(service), "ownAudit")))
      )
      type Clients = ReturnType<typeof clientsOf>
      const clientsOfOrganization = (organizationId: OrganizationId) =>
        Effect.map(cellOfId.find("organizationId", organizationId), clientsOf)

      const cellsOf = Effect.fnUntraced(function* ({ caseId, organizationId, userId }: AuditQuery) {
        if (organizationId !== undefined) return [yield* cellOfId.find("organizationId", organizationId)]
        if (caseId !== undefined) return [yield* cellOfId.find("caseId", caseId)]
        return userId === undefined ? all : [yield* cellOfId.find("userId", userId)]
      })

      const merged = Effect.fnUntraced(function* <E>(
        cells: ReadonlyArray<Cell>,
        limit: number,
        pageOf: (client: Clients[AuditService]) => Effect.Effect<PageOfService, E>
      ) {
        const { answers, cellsAway } = yield* askSome(cells, (cell) => {
          const clients = clientsOf(cell)
          return Effect.forEach(
            Record.keys(clients),
            (service) =>
              Effect.map(pageOf(clients[service]), ({ data, ...page }) => ({
                data: data.map((record): AuditRecord => ({ ...record, service })),
                ...page
              })),
            { concurrency: "unbounded" }
          )
        })
        const pages = answers.flat()
        const archived = new Set(pages.flatMap(({ archivedMonths = [] }) => archivedMonths))
        const page = {
          ...mergedPage(pages, limit),
          ...(archived.size > 0 && { archivedMonths: [...archived].sort() })
        }
        return withCellsAway(page, cellsAway)
      })

      return AuditTrail.of({
        list: Effect.fn("AuditTrail.list")(function* (query) {
          return yield* merged(yield* cellsOf(query), query.limit, (client) => client.list({ query }))
        }, Effect.orDie),

        records: Effect.fn("AuditTrail.records")(
          (cell, organizationId, query) =>
            merged([cell], query.limit, (client) => client.records({ params: { organizationId }, query })),
          Effect.catchTags(unexpected)
        ),

        heads: Effect.fn("AuditTrail.heads")(function* (cells, service, { limit, ...filter }) {
          const { answers, cellsAway } = yield* askSome(cells, (cell) =>
            clientsOf(cell)[service].heads({ query: { ...filter, limit: limit + 1 } })
          )
          const rows = answers.flat().sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1))
          return withCellsAway(
            pageBy(rows, limit, ({ organizationId }): string => organizationId),
            cellsAway
          )
        }, Effect.orDie),

        links: Effect.fn("AuditTrail.links")(function* (service, organizationId, { cursor = 0, ...query }) {
          const clients = yield* clientsOfOrganization(organizationId)
          return yield* clients[service].links({ params: { organizationId }, query: { ...query, after: cursor } })
        }, Effect.orDie),

        checkpoints: Effect.fn("AuditTrail.checkpoints")(function* (service, organizationId, { cursor = 0, limit }) {
          const query = { after: cursor, limit: limit + 1 }
          const clients = yield* clientsOfOrganization(organizationId)
          const rows = yield* clients[service].checkpoints({ params: { organizationId }, query })
          return pageBy(rows, limit, ({ month }): number => month)
        }, Effect.orDie),

        strays: Effect.fn("AuditTrail.strays")(function* (service, organizationId, { cursor, limit }) {
          const query = { limit, ...(cursor !== undefined && { after: cursor }) }
          const clients = yield* clientsOfOrganization(organizationId)
          return yield* clients[service].strays({ params: { organizationId }, query })
        }, Effect.orDie)
      })
    })
  )
}
