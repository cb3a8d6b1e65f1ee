import type { OrganizationId } from "@care/domain/ids"
import { ProviderBusy, ProviderNotConfigured } from "@care/domain/scheduling"
import { makeCircuitBreaker, outsideTransaction, PeerUnavailable } from "@care/service-kit"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer, Option, Schedule, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { ProviderSettings } from "./ProviderSettings.ts"
import { ErrorBody } from "./providerObjects.ts"

/** The provider refused, so nothing happened. Its answer is not quoted, because it may contain what was sent. */
export class ProviderAnswer extends Data.TaggedError("ProviderAnswer")<{
  readonly status: number
  readonly said: typeof ErrorBody.Type
}> {
  override get message() {
    return `The scheduling provider refused (${this.status})`
  }
}

/** The provider does not accept our token or its scopes. The operator must fix that. */
class TokenRefused extends Data.TaggedError("TokenRefused") {
  override get message() {
    return "The scheduling provider refused SCHEDULING_API_TOKEN"
  }
}

/** A refusal, also a temporary one. */
export type Refused = ProviderAnswer | ProviderBusy | ProviderNotConfigured

const unavailable = (status?: number) =>
  new PeerUnavailable({ peer: "The scheduling provider", ...(status !== undefined && { status }) })

const decodeError = Schema.decodeUnknownOption(ErrorBody)
const longestWaitSeconds = 3600

// In seconds, as the provider says, or else a minute, which is the window of its limits.
const retryAfter = ({ headers }: HttpClientResponse.HttpClientResponse): number => {
  const seconds = Number(headers["retry-after"] ?? headers["x-ratelimit-reset"])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), longestWaitSeconds) : 60
}

const failureOf = Effect.fnUntraced(function* (answer: HttpClientResponse.HttpClientResponse) {
  const { status } = answer
  if (status === 429) return yield* new ProviderBusy({ retryAfter: retryAfter(answer) })
  if (status === 401) return yield* new TokenRefused()
  if (status >= 500 || status === 408) return yield* unavailable(status)
  const body = yield* Effect.option(answer.json)
  const error = Option.flatMap(body, decodeError)
  return yield* new ProviderAnswer({ status, said: Option.getOrElse(error, () => ({})) })
})

const bodyOf = (answer: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown, PeerUnavailable> =>
  answer.status === 204 ? Effect.succeed({}) : Effect.mapError(answer.json, () => unavailable(answer.status))

/**
 * The organization of a call: its failures open the circuit for no other organization. Undefined for calls of none or
 * many.
 */
export type CalledFor = OrganizationId | undefined

/** The calls of the provider's API, for those who know the meaning of its answers. */
export class ProviderApi extends Context.Service<
  ProviderApi,
  {
    /** Reads, with a retry when there is no answer. Dies as `PeerUnavailable` (503) when the retry has none either. */
    readonly read: <S extends Schema.Codec<unknown, unknown>>(
      calledFor: CalledFor,
      path: string,
      query: Readonly<Record<string, string>>,
      answer: S
    ) => Effect.Effect<S["Type"], Refused>
    /** Changes, once. `PeerUnavailable`: the outcome is unknown. */
    readonly change: <S extends Schema.Codec<unknown, unknown>>(
      calledFor: CalledFor,
      path: string,
      body: object,
      answer: S
    ) => Effect.Effect<S["Type"], Refused | PeerUnavailable>
    /** Removes, once. Something that does not exist counts as removed. */
    readonly remove: (calledFor: CalledFor, path: string) => Effect.Effect<void, Refused | PeerUnavailable>
    /** Returns the URI of an object of the provider. */
    readonly uriOf: (kind: string, id: string) => string
  }
>()("@care/scheduling/provider/ProviderApi") {
  static readonly layer = Layer.effect(
    ProviderApi,
    Effect.gen(function* () {
      const { api, timeoutMillis } = yield* ProviderSettings
      const client = yield* HttpClient.HttpClient
      const requireNoTransaction = yield* outsideTransaction("The scheduling provider was called")
      const guarded = makeCircuitBreaker<ProviderAnswer | ProviderBusy | PeerUnavailable | TokenRefused>({
        failures: 5,
        openMillis: 1000,
        refused: () => unavailable(),
        // Any answer, also a 500, may be about one organization's data.
        isAway: (failure) => failure._tag === "PeerUnavailable" && failure.status === undefined
      })

      const ask = Effect.fnUntraced(function* <S extends Schema.Codec<unknown, unknown>>(
        calledFor: CalledFor,
        request: HttpClientRequest.HttpClientRequest,
        form: S
      ): Effect.fn.Return<S["Type"], ProviderAnswer | ProviderBusy | ProviderNotConfigured | PeerUnavailable> {
        yield* requireNoTransaction
        if (api === undefined) return yield* new ProviderNotConfigured()
        const call = request.pipe(
          HttpClientRequest.prependUrl(api.url),
          HttpClientRequest.bearerToken(api.token),
          client.execute,
          Effect.mapError(() => unavailable()),
          Effect.flatMap((answer) =>
            answer.status >= 200 && answer.status < 300 ? bodyOf(answer) : failureOf(answer)
          ),
          Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => unavailable() }),
          // Traces do not cross to the provider, and do not contain its requests.
          Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
        )
        const json = yield* Effect.catchTag(guarded(call, calledFor), "TokenRefused", Effect.die)
        return yield* Effect.mapError(Schema.decodeUnknownEffect(form)(json), () => unavailable())
      })

      return ProviderApi.of({
        read: (calledFor, path, query, form) =>
          ask(calledFor, HttpClientRequest.get(path, { urlParams: query }), form).pipe(
            Effect.retry({
              while: ({ _tag }) => _tag === "PeerUnavailable",
              times: 1,
              schedule: Schedule.exponential("100 millis")
            }),
            Effect.catchTag("PeerUnavailable", Effect.die)
          ),
        change: (calledFor, path, body, form) =>
          ask(calledFor, HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), body), form),
        remove: (calledFor, path) =>
          Effect.catchIf(
            ask(calledFor, HttpClientRequest.delete(path), Schema.Unknown),
            (refusal) => refusal._tag === "ProviderAnswer" && refusal.status === 404,
            () => Effect.void
          ).pipe(Effect.asVoid),
        uriOf: (kind, id) => `${api?.url}/${kind}/${id}`
      })
    })
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
}
