import { AuthApi } from "@care/domain/auth"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Organizations } from "./Organizations.ts"

export const OrganizationsHandlers = HttpApiBuilder.group(
  AuthApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    return handlers.handleAll({
      create: ({ payload }) => organizations.create(payload.name, payload.contactEmail),
      list: ({ query }) => organizations.list(query),
      get: ({ params }) => organizations.get(params.organizationId),
      update: ({ params, payload }) => organizations.update(params.organizationId, payload)
    })
  })
)
