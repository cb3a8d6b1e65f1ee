import { Audit } from "@care/audit"
import type { DataKind } from "@care/domain/audit"
import type {
  CaseForbidden,
  CaseNotFound,
  Escalation,
  EscalationNotFound,
  Order,
  OrderNotFound
} from "@care/domain/cases"
import type { PageQuery } from "@care/domain/http"
import type { CaseId, EscalationId, OrderId, OrganizationId } from "@care/domain/ids"
import { newest, type Page, pageFrom } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { Cases, type NewestOfCase } from "../../case/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { Orders } from "../../orders/index.ts"

type NotOwn = CaseNotFound | CaseForbidden

type PageOf<Item> = (
  organizationId: OrganizationId,
  caseId: CaseId,
  query: PageQuery
) => Effect.Effect<Page<Item>, NotOwn>

type OneOf<Id, Item, NotFound> = (
  organizationId: OrganizationId,
  caseId: CaseId,
  id: Id
) => Effect.Effect<Item, NotOwn | NotFound>

/** The orders and escalations of a case for its partner, newest first. Each read is recorded. */
export class OwnEntries extends Context.Service<
  OwnEntries,
  {
    readonly orders: PageOf<Order>
    readonly order: OneOf<OrderId, Order, OrderNotFound>
    readonly escalations: PageOf<Escalation>
    readonly escalation: OneOf<EscalationId, Escalation, EscalationNotFound>
  }
>()("@care/cases/reading/OwnEntries") {
  static readonly layer = Layer.effect(
    OwnEntries,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cases = yield* Cases
      const escalations = yield* Escalations
      const orders = yield* Orders

      const recorded =
        <Rest extends ReadonlyArray<unknown>, A, E>(
          kind: DataKind,
          read: (organizationId: OrganizationId, caseId: CaseId, ...rest: Rest) => Effect.Effect<A, E>
        ) =>
        (organizationId: OrganizationId, caseId: CaseId, ...rest: Rest) =>
          Effect.gen(function* () {
            const { userId } = yield* cases.requireOwn(organizationId, caseId)
            const found = yield* read(organizationId, caseId, ...rest)
            yield* audit.read({ organizationId, action: "CASE_READ", caseId, userId, kinds: [kind] })
            return found
          })

      const pageOf =
        <Item extends { readonly id: string; readonly createdAt: Date }>(newestItems: NewestOfCase<Item>) =>
        (organizationId: OrganizationId, caseId: CaseId, { cursor = newest, limit }: PageQuery) =>
          Effect.map(newestItems(organizationId, caseId, cursor, limit + 1), (items) => pageFrom(items, limit))

      return OwnEntries.of({
        orders: recorded("ORDERS", pageOf(orders.newest)),
        order: recorded("ORDERS", orders.findOfCase),
        escalations: recorded("ESCALATIONS", pageOf(escalations.newest)),
        escalation: recorded("ESCALATIONS", escalations.findOfCase)
      })
    })
  ).pipe(Layer.provide([Cases.layer, Escalations.layer, Orders.layer]))
}
