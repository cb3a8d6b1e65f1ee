import { Order } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, type OrderId, OrganizationId } from "@care/domain/ids"
import { type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type OrderContents, OrderContentsRow } from "./orderContents.ts"

/** An order as it is stored. `reportedAt` is when the pharmacy made the newest of what it told. */
export const OrderRow = sealedRow("orders", ["organizationId", "id"], {
  ...Order.fields,
  organizationId: OrganizationId,
  caseId: CaseId,
  pharmacyOrderId: Schema.NullOr(Schema.String),
  pharmacyName: Schema.NullOr(Schema.String),
  createdAt: Schema.Date,
  estDeliveryAt: Schema.NullOr(Schema.Date),
  reportedAt: Schema.NullOr(Schema.Date),
  items: sealed(Order.fields.items, []),
  message: sealed(Order.fields.message),
  // By what a parcel is followed somebody is found.
  trackingId: sealed(Order.fields.trackingId),
  trackingUrl: sealed(Order.fields.trackingUrl),
  replacementReason: sealed(Order.fields.replacementReason),
  shippingLogs: sealed(Order.fields.shippingLogs, [])
})
export type OrderRow = OpenedRow<typeof OrderRow>

/** An order as it is shown. */
export const orderOf = ({ caseId: _, organizationId: __, reportedAt: ___, ...order }: OrderRow): Order => ({
  ...order,
  pharmacyOrderId: order.pharmacyOrderId ?? "",
  pharmacyName: order.pharmacyName ?? ""
})

type BodyOf = "organizationId" | "orderId" | "body"

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

export const makeOrdersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const orders = yield* sealedRowsOf(OrderRow)
  const contents = yield* sealedRowsOf(OrderContentsRow)
  const columns = sql`
    organization_id, id, case_id, external_id, pharmacy_order_id, tracking_id, status, message, pharmacy_name, created_at,
    items, replacement_reason, shipping_logs, est_delivery_at, tracking_url, carrier_name, reported_at
  `
  const ofContents = sql`organization_id, order_id, shipping_address, prescription, documents, body`
  const one = (organizationId: OrganizationId, id: OrderId) => sql`
    SELECT ${columns} FROM orders WHERE organization_id = ${organizationId} AND id = ${id}
  `

  return {
    insert: (key: PatientKey, order: OrderRow, told: OrderContents) =>
      Effect.andThen(
        execute(sql`INSERT INTO orders ${sql.insert({ ...orders.seal(key, order), updatedAt: order.createdAt })}`),
        execute(sql`INSERT INTO order_contents ${sql.insert(contents.seal(key, told))}`)
      ),

    findOwner: (id: OrderId) => owners.first(sql`SELECT organization_id FROM orders WHERE id = ${id}`),

    find: (organizationId: OrganizationId, id: OrderId) => orders.first(one(organizationId, id)),

    /**
     * The same, and whoever else wants to change the order waits until the transaction ends; not whoever refers to it, as
     * `noteEvent` does before it locks: of two events at once each would wait for the other.
     */
    lock: (organizationId: OrganizationId, id: OrderId) =>
      orders.first(sql`${one(organizationId, id)} FOR NO KEY UPDATE`),

    update: (key: PatientKey, order: OrderRow, updatedAt: Date) =>
      execute(sql`
        UPDATE orders SET ${sql.update({ ...orders.seal(key, order), updatedAt }, ["organizationId", "id"])}
        WHERE organization_id = ${order.organizationId} AND id = ${order.id}
      `),

    /** False, and nothing is changed, when the event was noted before. */
    noteEvent: (organizationId: OrganizationId, eventId: string, orderId: OrderId, receivedAt: Date) =>
      affects(sql`
        INSERT INTO pharmacy_events ${sql.insert({ organizationId, eventId, orderId, receivedAt })}
        ON CONFLICT (organization_id, event_id) DO NOTHING
        RETURNING event_id
      `),

    contents: (organizationId: OrganizationId, id: OrderId) =>
      contents.one(sql`
        SELECT ${ofContents} FROM order_contents WHERE organization_id = ${organizationId} AND order_id = ${id}
      `),

    /** Keeps the body with which the pharmacy is asked, unless one is kept. */
    keepBody: (key: PatientKey, { body, orderId, organizationId }: Pick<OrderContents, BodyOf>) =>
      contents.one(sql`
        UPDATE order_contents SET body = coalesce(body, ${contents.seal(key, { organizationId, orderId, body }).body})
        WHERE organization_id = ${organizationId} AND order_id = ${orderId}
        RETURNING ${ofContents}
      `),

    /** The same as `contents`; whoever else wants to change it waits until the transaction ends. */
    lockContents: (organizationId: OrganizationId, id: OrderId) =>
      contents.one(sql`
        SELECT ${ofContents} FROM order_contents WHERE organization_id = ${organizationId} AND order_id = ${id}
        FOR UPDATE
      `),

    removeBody: (organizationId: OrganizationId, id: OrderId) =>
      execute(sql`
        UPDATE order_contents SET body = NULL WHERE organization_id = ${organizationId} AND order_id = ${id}
      `),

    /** The orders of a case, newest first. */
    newest: (organizationId: OrganizationId, caseId: CaseId, before: PagePosition, limit: number) =>
      orders.all(sql`
        SELECT ${columns} FROM orders
        WHERE organization_id = ${organizationId} AND case_id = ${caseId}
          AND (created_at, id) < (${before.createdAt}, ${before.id})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
