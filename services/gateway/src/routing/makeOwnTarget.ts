import { ApiKeyNotFound, OrganizationNotFound, UserNotFound } from "@care/domain/auth"
import { CaseNotFound, EscalationNotFound, OrderNotFound } from "@care/domain/cases"
import type { Staff } from "@care/domain/http"
import { ApiKeyId, EscalationId, OrderId, OrganizationId, PaymentId, PromoCodeId, UserId } from "@care/domain/ids"
import type { IdName } from "@care/domain/ownIds"
import { PaymentNotFound, PromoCodeUnknown } from "@care/domain/payments"
import { WebhookEndpointNotFound } from "@care/domain/webhooks"
import { foreignError, refusalOfStaff, scopeOf } from "@care/service-kit"
import { Effect } from "effect"
import { type Cell, CellOfId } from "../cells/index.ts"
import type { PublicRoute } from "./routes.ts"

// The error of an unknown id, which an id of another organization gets as well.
const unknownError: Readonly<Record<IdName, (id: string) => unknown>> = {
  organizationId: (id) => new OrganizationNotFound({ organizationId: OrganizationId.make(id) }),
  apiKeyId: (id) => new ApiKeyNotFound({ apiKeyId: ApiKeyId.make(id) }),
  userId: (id) => new UserNotFound({ userId: UserId.make(id) }),
  caseId: () => new CaseNotFound(),
  orderId: (id) => new OrderNotFound({ orderId: OrderId.make(id) }),
  escalationId: (id) => new EscalationNotFound({ escalationId: EscalationId.make(id) }),
  endpointId: () => new WebhookEndpointNotFound(),
  paymentId: (id) => new PaymentNotFound({ paymentId: PaymentId.make(id) }),
  promoCodeId: (id) => new PromoCodeUnknown({ promoCodeId: PromoCodeId.make(id) })
}

const isIdName = (name: string): name is IdName => Object.hasOwn(unknownError, name)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

// A malformed escape is refused by the service.
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const paramsOf = (path: string, actual: string): Readonly<Record<string, string>> => {
  const segments = actual.split("/")
  return Object.fromEntries(
    path
      .split("/")
      .flatMap((segment, index) =>
        segment.startsWith(":") ? [[segment.slice(1), decoded(segments[index] ?? "").toLowerCase()]] : []
      )
  )
}

/** A person of staff, and the cell of their session. */
interface StaffOfCell {
  readonly identity: Staff
  readonly cell: Cell
  readonly sandboxId?: OrganizationId | undefined
}

/**
 * Makes the function that returns the target of a person's request, as the service gets it: lists are of the person's organization. It fails
 * for ids of other organizations as for unknown ids, except those of the sandbox's keys. Operators may name all ids. A malformed id is
 * refused by the service.
 */
export const makeOwnTarget = Effect.gen(function* () {
  const cellOfId = yield* CellOfId

  return Effect.fnUntraced(function* (
    { endpoint, group }: Pick<PublicRoute, "endpoint" | "group">,
    { cell, identity, sandboxId }: StaffOfCell,
    target: string
  ): Effect.fn.Return<string, unknown> {
    const [path = "", search] = target.split("?", 2)
    const [params, query] = [paramsOf(endpoint.path, path), new URLSearchParams(search)]
    const refusal = refusalOfStaff(identity, { endpoint, group, params, query })
    if (refusal !== undefined) return yield* Effect.fail(refusal)
    const scope = scopeOf(identity)
    if (scope === undefined) return target
    const ids = Object.entries(params).flatMap(([name, id]) => (isIdName(name) ? [{ name, id }] : []))
    for (const { id, name } of ids) {
      if (!uuid.test(id) || id === scope) continue
      const owner: OrganizationId | undefined = yield* cellOfId.ownerIn(cell, name, id)
      const isOwn = owner === scope || (name === "apiKeyId" && owner !== undefined && owner === sandboxId)
      if (!isOwn) return yield* Effect.fail(foreignError(endpoint, unknownError[name](id)))
    }
    if (endpoint.method !== "GET" || ids.length > 0) return target
    query.set("organizationId", scope)
    return `${path}?${query}`
  })
})
