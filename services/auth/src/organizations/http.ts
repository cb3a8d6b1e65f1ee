import { AuthApi, type Organization } from "@care/domain/auth"
import { RequestInvalid, StaffRefused } from "@care/domain/http"
import { cellSetting, organizationScope, otherCellsUrlSetting, readSettings } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Organizations } from "./Organizations.ts"

export const OrganizationsHandlers = HttpApiBuilder.group(
  AuthApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    const cell = yield* readSettings(cellSetting)
    const hasOthers = (yield* readSettings(otherCellsUrlSetting)) !== undefined
    const shown = (organization: Organization): Organization => (hasOthers ? { ...organization, cell } : organization)
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        if (payload.cell !== undefined && payload.cell !== cell) {
          return yield* RequestInvalid.inPayload("cell", `must be ${cell}`)
        }
        return shown(yield* organizations.create(payload.name, payload.contactEmail))
      }),
      list: ({ query }) =>
        Effect.map(organizations.list(query), ({ data, nextCursor }) => ({ data: data.map(shown), nextCursor })),
      get: ({ params }) => Effect.map(organizations.get(params.organizationId), shown),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        if (payload.isDisabled !== undefined && (yield* organizationScope) !== undefined) {
          return yield* new StaffRefused({ reason: "Only operators disable and enable organizations (isDisabled)." })
        }
        return shown(yield* organizations.update(params.organizationId, payload))
      })
    })
  })
)
