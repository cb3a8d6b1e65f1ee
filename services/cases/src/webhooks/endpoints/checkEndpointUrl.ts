import { RequestInvalid } from "@care/domain/http"
import { Egress } from "@care/service-kit"
import { Effect } from "effect"

/** Makes the check of an endpoint's URL: only what may be called is taken. */
export const makeCheckEndpointUrl = Effect.map(
  Egress,
  ({ check }) =>
    (url: string): Effect.Effect<void, RequestInvalid> =>
      Effect.mapError(check(url), ({ reason }) => RequestInvalid.inPayload("url", reason))
)
