import {
  type AuditBusy,
  type AuditCheckpoint,
  type AuditHead,
  type AuditLink,
  type AuditRecord,
  type AuditService,
  type OperatorAuditQuery,
  ownAuditApi,
  type RecordsQuery,
  type ServiceAuditRecord,
  type StrayRecord
} from "@care/domain/audit"
import type { CellsPosition, PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { peers } from "@care/domain/peers"
import { type Page, pageBy, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Record } from "effect"
import {
  type Cell,
  CellOfId,
  Cells,
  makeReadCells,
  mergePages,
  newestFirst,
  peerOf,
  perCell
} from "../../cells/index.ts"

/** Months of the filter, whose records are in an archive. */
interface Archived {
  readonly archivedMonths?: ReadonlyArray<number>
}

type PageOfRecords<Position> = Page<AuditRecord, Position> & Archived

const byTime = {
  order: newestFirst,
  positionOf: ({ at, id }: AuditRecord): PagePosition => ({ createdAt: at, id })
}

const byOrganization = {
  order: (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0),
  positionOf: ({ organizationId }: AuditHead): string => organizationId
}

const archivedIn = (pages: ReadonlyArray<Archived>): Archived => {
  const months = new Set(pages.flatMap(({ archivedMonths = [] }) => archivedMonths))
  return months.size === 0 ? {} : { archivedMonths: [...months].sort() }
}

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
    readonly list: (query: OperatorAuditQuery) => Effect.Effect<PageOfRecords<CellsPosition<PagePosition>>>
    /** Returns a page of an organization's own records, newest first. Its requests run one at a time. */
    readonly records: (
      cell: Cell,
      organizationId: OrganizationId,
      query: RecordsQuery
    ) => Effect.Effect<PageOfRecords<PagePosition>, AuditBusy>
    /** Returns a page of the heads in cells, by organization. It names the cells that do not answer. */
    readonly heads: (
      cells: ReadonlyArray<Cell>,
      service: AuditService,
      query: ServicePageQuery<CellsPosition<string>> & { readonly organizationId?: OrganizationId }
    ) => Effect.Effect<Page<AuditHead, CellsPosition<string>>>
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
      const readCells = makeReadCells()
      const cellOfId = yield* CellOfId
      const clientsOf = yield* perCell((cell) =>
        Effect.all(Record.map(peers, (_, service) => peerOf(cell, ownAuditApi(service), "ownAudit")))
      )
      type Clients = ReturnType<typeof clientsOf>
      const clientsOfOrganization = (organizationId: OrganizationId) =>
        Effect.map(cellOfId.find("organizationId", organizationId), clientsOf)

      const cellsOf = Effect.fnUntraced(function* ({
        caseId,
        organizationId,
        userId
      }: Pick<OperatorAuditQuery, "caseId" | "organizationId" | "userId">) {
        if (organizationId !== undefined) return [yield* cellOfId.find("organizationId", organizationId)]
        if (caseId !== undefined) return [yield* cellOfId.find("caseId", caseId)]
        return userId === undefined ? all : [yield* cellOfId.find("userId", userId)]
      })

      // Asks all services of a cell for a page.
      const pagesIn = <E>(
        cell: Cell,
        pageOf: (client: Clients[AuditService]) => Effect.Effect<Page<ServiceAuditRecord> & Archived, E>
      ) => {
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
      }

      return AuditTrail.of({
        list: Effect.fn("AuditTrail.list")(function* ({ cursor, limit, ...filter }) {
          const answers: Array<Archived> = []
          const ask = (cell: Cell, after: PagePosition | undefined) =>
            pagesIn(cell, (client) =>
              client.list({ query: { ...filter, limit, ...(after !== undefined && { cursor: after }) } })
            ).pipe(Effect.tap((pages) => Effect.sync(() => answers.push(...pages))))
          const page = yield* readCells(yield* cellsOf(filter), { cursor, limit, ...byTime }, ask)
          return { ...page, ...archivedIn(answers) }
        }, Effect.orDie),

        records: Effect.fn("AuditTrail.records")(function* (cell, organizationId, query) {
          const pages = yield* pagesIn(cell, (client) => client.records({ params: { organizationId }, query }))
          return { ...mergePages(pages, { limit: query.limit, ...byTime }), ...archivedIn(pages) }
        }, Effect.catchTags(unexpected)),

        heads: Effect.fn("AuditTrail.heads")(function* (cells, service, { cursor, limit, ...filter }) {
          const ask = (cell: Cell, after: string | undefined) =>
            clientsOf(cell)
              [service].heads({ query: { ...filter, limit: limit + 1, ...(after !== undefined && { cursor: after }) } })
              .pipe(Effect.map((data) => [{ data, nextCursor: null }]))
          return yield* readCells(cells, { cursor, limit, ...byOrganization }, ask)
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
