import type { CaseSearchQuery } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { newest, oldest } from "@care/service-kit"

/** A part of a list of cases. In each, cases are ordered by their creation; in an order of urgency, the urgent ones are the first part. */
export interface ListPart {
  /** Undefined: urgent or not. */
  readonly isUrgent: boolean | undefined
  /** The positions, in the order of the list, after which the part begins and before which it ends. */
  readonly after: PagePosition
  readonly until: PagePosition
}

// The position of an urgent case in an order of urgency is this long before its creation, so that it is before all that are not urgent.
const urgentMillis = 1000 * 365 * 86_400_000
const firstNotUrgent = new Date("1500-01-01")

const shifted = ({ createdAt, id }: PagePosition, millis: number): PagePosition => ({
  createdAt: new Date(createdAt.getTime() + millis),
  id
})

/** Returns the position in the list of a case that is in a part of it. */
export const listPositionOf = (part: ListPart | undefined, { createdAt, id }: PagePosition): PagePosition =>
  shifted({ createdAt, id }, part?.isUrgent === true ? -urgentMillis : 0)

/** Returns the parts of a list from its cursor on, in their order. */
export const listParts = ({
  createdBefore,
  createdSince,
  cursor,
  order
}: Pick<CaseSearchQuery, "createdBefore" | "createdSince" | "cursor" | "order">): ReadonlyArray<ListPart> => {
  // No case has the id.
  const first = createdSince === undefined ? oldest : { createdAt: createdSince, id: oldest.id }
  const last = createdBefore === undefined ? newest : { createdAt: createdBefore, id: oldest.id }
  if (order === "NEWEST") return [{ isUrgent: undefined, after: cursor ?? last, until: first }]
  if (order === "OLDEST") return [{ isUrgent: undefined, after: cursor ?? first, until: last }]
  const others = { isUrgent: false, until: last }
  if (cursor !== undefined && cursor.createdAt >= firstNotUrgent) return [{ ...others, after: cursor }]
  const urgent = { isUrgent: true, until: last, after: cursor === undefined ? first : shifted(cursor, urgentMillis) }
  return [urgent, { ...others, after: first }]
}
