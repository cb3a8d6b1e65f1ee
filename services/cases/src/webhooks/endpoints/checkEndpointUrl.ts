import { isReadAsShown, RequestInvalid } from "@care/domain/http"
import { Egress } from "@care/service-kit"
import { Effect } from "effect"

const refused = (reason: string) => RequestInvalid.inPayload("url", reason)

/** Checks an endpoint's URL: it has to be one that may be called, and to be shown as it is called. */
export const makeCheckEndpointUrl = Effect.map(
  Egress,
  ({ check }) =>
    (url: string): Effect.Effect<void, RequestInvalid> =>
      isReadAsShown(url)
        ? Effect.mapError(check(url), ({ reason }) => refused(reason))
        : Effect.fail(refused("must not begin or end with white space, nor have control characters in it"))
)
