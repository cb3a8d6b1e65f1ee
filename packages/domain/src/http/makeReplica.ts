import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type { OrganizationId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"
import { callers } from "./callers.ts"
import { DocumentedErrors } from "./middleware.ts"

/** A version of a row of another service. Of two snapshots of a row, the one with the higher version is true. */
export interface Snapshot {
  readonly organizationId: OrganizationId
  readonly version: number
}

/**
 * Declares that the service `reader` keeps snapshots of rows of another service (docs/decisions/0030-snapshots.md). `id` is the id
 * of a row. The owner sends snapshots to an internal endpoint, which the reader serves next to its own API.
 */
export const makeReplica = <Id, S extends Snapshot>(
  name: string,
  reader: ServiceName,
  id: Schema.Codec<Id, string>,
  snapshot: Schema.Codec<S, unknown> & { readonly fields: object }
) => {
  const accept = HttpApiEndpoint.post("accept", `/internal/v1/snapshots/${name}`, {
    payload: Schema.Struct({ snapshots: Schema.Array(snapshot) }),
    success: HttpApiSchema.NoContent
  })
  const group = HttpApiGroup.make("snapshots")
    .add(accept)
    .middleware(DocumentedErrors)
    .middleware(callers.service.Access)
  return { api: HttpApi.make(reader).add(group), id, snapshot }
}

export type Replica<Id, S extends Snapshot> = ReturnType<typeof makeReplica<Id, S>>
