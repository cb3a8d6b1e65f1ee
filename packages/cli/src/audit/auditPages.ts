import { AuditHead, AuditService } from "@care/domain/audit"
import { GatewayApi } from "@care/domain/gateway"
import type { CellsPosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Schema, Stream } from "effect"
import { adminGroup, type ListPosition, listPages } from "../AdminClient.ts"
import { CommandFailed } from "../CommandFailed.ts"

/** The head of a chain, current or stored earlier. */
export const ChainHead = Schema.Struct({ service: AuditService, ...AuditHead.fields })
export type ChainHead = typeof ChainHead.Type

interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly nextCursor: unknown
  readonly cellsAway?: ReadonlyArray<string>
}

// Streams the rows of all pages.
const rowsOf = <Row, E, R>(pages: Stream.Stream<Page<Row>, E, R>) =>
  Stream.flatMap(pages, ({ cellsAway = [], data }) =>
    cellsAway.length === 0
      ? Stream.fromIterable(data)
      : Stream.fail(
          new CommandFailed({
            message: `The cell ${cellsAway.join(", ")} does not answer: try again, or name another one with --cell.`
          })
        )
  )

const auditOf = Stream.fromEffect(adminGroup(GatewayApi, "audit"))
const limit = 1000

/** Streams the heads of a service's chains, of one organization, or all of a cell or of all cells. Fails if a cell does not answer. */
export const headsOf = (service: AuditService, organizationId: OrganizationId | undefined, cell: string | undefined) =>
  Stream.flatMap(auditOf, ({ heads }) => {
    const query = { ...(organizationId !== undefined && { organizationId }), ...(cell !== undefined && { cell }) }
    return rowsOf(
      listPages((position: ListPosition<CellsPosition<string>>) =>
        heads({ params: { service }, query: { limit: 100, ...query, ...position } })
      )
    )
  }).pipe(Stream.map((head): ChainHead => ({ service, ...head })))

/** A chain: that of an organization in a service. */
export type Chain = Pick<ChainHead, "organizationId" | "service">

/** Streams the links of a chain, the first one first: all, or those of a month that is over. */
export const linksOf = ({ organizationId, service }: Chain, month?: number) =>
  Stream.flatMap(auditOf, ({ links }) => {
    const query = { limit, ...(month !== undefined && { month }) }
    return rowsOf(
      listPages((position: ListPosition<number>) =>
        links({ params: { organizationId, service }, query: { ...query, ...position } })
      )
    )
  })

/** Streams the checkpoints of a chain, the oldest first. */
export const checkpointsOf = ({ organizationId, service }: Chain) =>
  Stream.flatMap(auditOf, ({ checkpoints }) =>
    rowsOf(
      listPages((position: ListPosition<number>) =>
        checkpoints({ params: { organizationId, service }, query: { limit, ...position } })
      )
    )
  )

/** Streams the records outside of every chain. */
export const straysOf = ({ organizationId, service }: Chain) =>
  Stream.flatMap(auditOf, ({ strays }) =>
    rowsOf(
      listPages((position: ListPosition<string>) =>
        strays({ params: { organizationId, service }, query: { limit, ...position } })
      )
    )
  )
