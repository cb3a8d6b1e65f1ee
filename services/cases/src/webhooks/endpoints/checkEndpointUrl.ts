import { isReadAsShown, RequestInvalid } from "@care/domain/http"
import { Egress } from "@care/service-kit"
import { Effect } from "effect"

const refuse = (reason: string) => RequestInvalid.inPayload("url", reason)

/** Makes the function that checks an endpoint's URL: calls to it must be allowed, and no invisible characters may be around or in it. */
export const makeCheckEndpointUrl = Effect.map(
  Egress,
  ({ check }) =>
    (url: string): Effect.Effect<void, RequestInvalid> =>
      isReadAsShown(url)
        ? Effect.mapError(check(url), ({ reason }) => refuse(reason))
        : Effect.fail(refuse("must not begin or end with white space, nor have control characters in it"))
)
