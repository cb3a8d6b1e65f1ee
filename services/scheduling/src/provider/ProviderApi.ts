import type { OrganizationId } from "@care/domain/ids"
import { ProviderBusy, ProviderNotConfigured } from "@care/domain/scheduling"
import {
  makeCircuitBreaker,
  makeModes,
  outsideTransaction,
  PeerUnavailable,
  type ThirdPartyAccount
} from "@care/service-kit"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer, Option, Schedule, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { ProviderSettings } from "./ProviderSettings.ts"
import { ErrorBody } from "./providerObjects.ts"

/** The provider refused (4xx), so nothing happened. The message does not quote the body, which may repeat what was sent. */
export class ProviderErrorResponse extends Data.TaggedError("ProviderErrorResponse")<{
  readonly status: number
  readonly body: typeof ErrorBody.Type
}> {
  override get message() {
    return `The scheduling provider refused (${this.status})`
  }
}

/** The provider does not accept our token or its scopes. The operator must fix that. */
class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly setting: string }> {
  override get message() {
    return `The scheduling provider refused ${this.setting}`
  }
}

/** A call that the provider did not perform, also for a temporary reason. */
export type ProviderRefusal = ProviderErrorResponse | ProviderBusy | ProviderNotConfigured

const unavailable = (status?: number) =>
  new PeerUnavailable({ peer: "The scheduling provider", ...(status !== undefined && { status }) })

const decodeError = Schema.decodeUnknownOption(ErrorBody)
const maxRetryAfterSeconds = 3600

// Returns the provider's own time in seconds, or else a minute, which is the window of its limits.
const retryAfter = ({ headers }: HttpClientResponse.HttpClientResponse): number => {
  const seconds = Number(headers["retry-after"] ?? headers["x-ratelimit-reset"])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), maxRetryAfterSeconds) : 60
}

const failureOf = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse, setting: string) {
  const { status } = response
  if (status === 429) return yield* new ProviderBusy({ retryAfter: retryAfter(response) })
  if (status === 401) return yield* new TokenRefused({ setting })
  if (status >= 500 || status === 408) return yield* unavailable(status)
  const body = yield* Effect.option(response.json)
  const error = Option.flatMap(body, decodeError)
  return yield* new ProviderErrorResponse({ status, body: Option.getOrElse(error, () => ({})) })
})

const bodyOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown, PeerUnavailable> =>
  response.status === 204 ? Effect.succeed({}) : Effect.mapError(response.json, () => unavailable(response.status))

/**
 * The calls of the provider's API, with the account of live organizations or that of sandboxes. `organizationId` is undefined for a call that
 * is made for no or many organizations. Calls without an answer open the circuit for their own organization alone.
 */
export class ProviderApi extends Context.Service<
  ProviderApi,
  {
    /** Reads, with a retry when there is no answer. Dies as `PeerUnavailable` (503) when the retry has none either. */
    readonly read: <S extends Schema.Codec<unknown, unknown>>(
      organizationId: OrganizationId | undefined,
      path: string,
      query: Readonly<Record<string, string>>,
      schema: S
    ) => Effect.Effect<S["Type"], ProviderRefusal>
    /** Changes, once. `PeerUnavailable`: the outcome is unknown. */
    readonly change: <S extends Schema.Codec<unknown, unknown>>(
      organizationId: OrganizationId | undefined,
      path: string,
      body: object,
      schema: S
    ) => Effect.Effect<S["Type"], ProviderRefusal | PeerUnavailable>
    /** Removes, once. Something that does not exist counts as removed. */
    readonly remove: (
      organizationId: OrganizationId | undefined,
      path: string
    ) => Effect.Effect<void, ProviderRefusal | PeerUnavailable>
    /** Returns the URI of an object of the provider. */
    readonly uriOf: (organizationId: OrganizationId, kind: string, id: string) => Effect.Effect<string>
    /** Whether there is an account for sandboxes. */
    readonly hasTestAccount: boolean
  }
>()("@care/scheduling/provider/ProviderApi") {
  static readonly layer = Layer.effect(
    ProviderApi,
    Effect.gen(function* () {
      const { live, test, timeoutMillis } = yield* ProviderSettings
      const client = yield* HttpClient.HttpClient
      const requireNoTransaction = yield* outsideTransaction("The scheduling provider was called")
      const modes = yield* makeModes

      const connect = ({ api }: ThirdPartyAccount, setting: string) => ({
        api,
        setting,
        guarded: makeCircuitBreaker<ProviderErrorResponse | ProviderBusy | PeerUnavailable | TokenRefused>({
          failures: 5,
          openMillis: 1000,
          refused: () => unavailable(),
          // Any answer, also a 500, may be about one organization's data.
          isAway: (failure) => failure._tag === "PeerUnavailable" && failure.status === undefined
        })
      })
      const accounts = {
        live: connect(live, "SCHEDULING_API_TOKEN"),
        test: connect(test, "TEST_SCHEDULING_API_TOKEN")
      }

      const call = Effect.fnUntraced(function* <S extends Schema.Codec<unknown, unknown>>(
        organizationId: OrganizationId | undefined,
        request: HttpClientRequest.HttpClientRequest,
        schema: S
      ): Effect.fn.Return<S["Type"], ProviderErrorResponse | ProviderBusy | ProviderNotConfigured | PeerUnavailable> {
        yield* requireNoTransaction
        const { api, guarded, setting } = yield* modes.choose(accounts, organizationId)
        if (api === undefined) return yield* new ProviderNotConfigured()
        const response = request.pipe(
          HttpClientRequest.prependUrl(api.url),
          HttpClientRequest.bearerToken(api.token),
          client.execute,
          Effect.mapError(() => unavailable()),
          Effect.flatMap((response) =>
            response.status >= 200 && response.status < 300 ? bodyOf(response) : failureOf(response, setting)
          ),
          Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => unavailable() }),
          // Traces do not cross to the provider, and do not contain its requests.
          Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
        )
        const json = yield* Effect.catchTag(guarded(response, organizationId), "TokenRefused", Effect.die)
        return yield* Effect.mapError(Schema.decodeUnknownEffect(schema)(json), () => unavailable())
      })

      return ProviderApi.of({
        read: (organizationId, path, query, schema) =>
          call(organizationId, HttpClientRequest.get(path, { urlParams: query }), schema).pipe(
            Effect.retry({
              while: ({ _tag }) => _tag === "PeerUnavailable",
              times: 1,
              schedule: Schedule.exponential("100 millis")
            }),
            Effect.catchTag("PeerUnavailable", Effect.die)
          ),
        change: (organizationId, path, body, schema) =>
          call(organizationId, HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), body), schema),
        remove: (organizationId, path) =>
          Effect.catchIf(
            call(organizationId, HttpClientRequest.delete(path), Schema.Unknown),
            (refusal) => refusal._tag === "ProviderErrorResponse" && refusal.status === 404,
            () => Effect.void
          ).pipe(Effect.asVoid),
        uriOf: (organizationId, kind, id) =>
          Effect.map(modes.choose(accounts, organizationId), ({ api }) => `${api?.url}/${kind}/${id}`),
        hasTestAccount: test.api !== undefined
      })
    })
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
}
