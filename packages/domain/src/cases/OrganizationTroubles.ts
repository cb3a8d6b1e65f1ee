import { Schema, SchemaGetter } from "effect"
import { cursorOf } from "../http/Page.ts"
import { OrganizationId } from "../Ids.ts"

/** Where the counts of an organization's troubles end: 100 means 100 or more. It is low because all organizations are counted for a page. */
export const maxTroubles = 100

const count = (description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxTroubles })).annotate({ description })

/** How much is wrong at an organization. */
export const OrganizationTroubles = Schema.Struct({
  organizationId: OrganizationId,
  deliveriesFailed: count("Webhook deliveries of the last 30 days that were given up"),
  endpointsFailing: count("Webhook endpoints whose last attempt failed, or that were disabled automatically"),
  ordersInError: count("Orders with the status ERROR"),
  escalationsOpen: count("Escalations that are not completed"),
  casesWaiting: count("Cases that were created over a day ago, and on which no provider works yet"),
  total: Schema.Natural.annotate({ description: "The sum of the counts" })
}).annotate({ identifier: "OrganizationTroubles" })
export type OrganizationTroubles = typeof OrganizationTroubles.Type

/** The position of an organization in the list of troubles: most first, and by id where there are as many. */
export type TroublesPosition = Pick<OrganizationTroubles, "total" | "organizationId">

export const troublesPosition = Schema.Tuple([Schema.Natural, OrganizationId]).pipe(
  Schema.decodeTo(Schema.Struct({ total: Schema.Natural, organizationId: Schema.toType(OrganizationId) }), {
    decode: SchemaGetter.transform(([total, organizationId]) => ({ total, organizationId })),
    encode: SchemaGetter.transform(({ total, organizationId }) => [total, organizationId] as const)
  })
)

export const TroublesCursor = cursorOf(troublesPosition)
