import { Order } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, type OrderId, OrganizationId } from "@care/domain/ids"
import { type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute, inScope, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type OrderContents, OrderContentsRow } from "./orderContents.ts"

/** An order as it is stored. `reportedAt` is the time of the pharmacy's newest update. */
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
  // Whoever can track a parcel can find the patient.
  trackingId: sealed(Order.fields.trackingId),
  trackingUrl: sealed(Order.fields.trackingUrl),
  replacementReason: sealed(Order.fields.replacementReason),
  shippingLogs: sealed(Order.fields.shippingLogs, [])
})
export type OrderRow = OpenedRow<typeof OrderRow>

/** Returns an order as responses show it. */
export const orderOf = ({ caseId: _, organizationId: __, reportedAt: ___, ...order }: OrderRow): Order => ({
  ...order,
  pharmacyOrderId: order.pharmacyOrderId ?? "",
  pharmacyName: order.pharmacyName ?? ""
})

type BodyFields = "organizationId" | "orderId" | "body"

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

export const makeOrdersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const orders = yield* sealedRowsOf(OrderRow)
  const contents = yield* sealedRowsOf(OrderContentsRow)
  const columns = sql`
    organization_id, id, case_id, external_id, pharmacy_order_id, tracking_id, status, message, pharmacy_name, created_at,
    items, replacement_reason, shipping_logs, est_delivery_at, tracking_url, carrier_name, reported_at
  `
  const contentsColumns = sql`organization_id, order_id, shipping_address, prescription, documents, body`
  const selectOrder = (organizationId: OrganizationId, id: OrderId) => sql`
    SELECT ${columns} FROM orders WHERE organization_id = ${organizationId} AND id = ${id}
  `

  return {
    insert: (key: PatientKey, order: OrderRow, orderContents: OrderContents) =>
      Effect.andThen(
        execute(sql`INSERT INTO orders ${sql.insert({ ...orders.seal(key, order), updatedAt: order.createdAt })}`),
        execute(sql`INSERT INTO order_contents ${sql.insert(contents.seal(key, orderContents))}`)
      ),

    findOwner: (id: OrderId, scope: OrganizationId | undefined) =>
      owners.first(sql`SELECT organization_id FROM orders WHERE id = ${id} AND ${inScope(sql, scope)}`),

    find: (organizationId: OrganizationId, id: OrderId) => orders.first(selectOrder(organizationId, id)),

    /**
     * Locks an order until the transaction ends, and returns it. The lock does not block references to the row: `noteEvent` makes one
     * before the lock, and two parallel events would wait for each other.
     */
    lock: (organizationId: OrganizationId, id: OrderId) =>
      orders.first(sql`${selectOrder(organizationId, id)} FOR NO KEY UPDATE`),

    update: (key: PatientKey, order: OrderRow, updatedAt: Date) =>
      execute(sql`
        UPDATE orders SET ${sql.update({ ...orders.seal(key, order), updatedAt }, ["organizationId", "id"])}
        WHERE organization_id = ${order.organizationId} AND id = ${order.id}
      `),

    /** Stores the id of an event. Returns false when it was stored before. */
    noteEvent: (organizationId: OrganizationId, eventId: string, orderId: OrderId, receivedAt: Date) =>
      affects(sql`
        INSERT INTO pharmacy_events ${sql.insert({ organizationId, eventId, orderId, receivedAt })}
        ON CONFLICT (organization_id, event_id) DO NOTHING
        RETURNING event_id
      `),

    contents: (organizationId: OrganizationId, id: OrderId) =>
      contents.one(sql`
        SELECT ${contentsColumns} FROM order_contents WHERE organization_id = ${organizationId} AND order_id = ${id}
      `),

    /** Stores the body for the pharmacy, unless one is stored, and returns the contents. */
    keepBody: (key: PatientKey, { body, orderId, organizationId }: Pick<OrderContents, BodyFields>) =>
      contents.one(sql`
        UPDATE order_contents SET body = coalesce(body, ${contents.seal(key, { organizationId, orderId, body }).body})
        WHERE organization_id = ${organizationId} AND order_id = ${orderId}
        RETURNING ${contentsColumns}
      `),

    /** Locks the contents until the transaction ends, and returns them. */
    lockContents: (organizationId: OrganizationId, id: OrderId) =>
      contents.one(sql`
        SELECT ${contentsColumns} FROM order_contents WHERE organization_id = ${organizationId} AND order_id = ${id}
        FOR UPDATE
      `),

    removeBody: (organizationId: OrganizationId, id: OrderId) =>
      execute(sql`
        UPDATE order_contents SET body = NULL WHERE organization_id = ${organizationId} AND order_id = ${id}
      `),

    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<string>) =>
      orders.all(sql`
        SELECT ${columns} FROM orders WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `),

    /** Returns the orders of a case, newest first. */
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
