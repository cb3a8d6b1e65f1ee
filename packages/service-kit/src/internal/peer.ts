import { callers } from "@care/domain/http"
import { peers, type ServiceName } from "@care/domain/peers"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { type Duration, Effect, Schedule } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { readSettings, type Setting, setting, urlSetting } from "../config/settings.ts"
import { RequestId, requestIdHeader } from "../http/RequestId.ts"
import { IdentityTokens, identityHeader, refusalIn } from "../identity/IdentityTokens.ts"
import { movedToHeader, OrganizationMoved } from "../moves/OrganizationMoved.ts"
import { SandboxReset, sandboxResetHeader } from "../sql/requireNotReset.ts"
import { outsideTransaction } from "../sql/transactions.ts"
import { type Sandbox, TestOrganization } from "../time/Time.ts"
import { makeCircuitBreaker } from "./makeCircuitBreaker.ts"
import { PeerUnavailable } from "./PeerUnavailable.ts"

export interface PeerCalls {
  /**
   * Whether the peer calls a third party before it answers, with two tries of 5 seconds. Such a call has 12 seconds, of the gateway's 20
   * for a request, and is retried only if it had no answer, because a retry would call the third party again.
   */
  readonly callsThirdParty?: boolean
}

const tries = { times: 2, schedule: Schedule.exponential("50 millis") }

/**
 * Makes the HTTP client for calls to another service, with a circuit breaker of its own. It sends the identity of this service, the sandbox
 * organization for which the fiber works, the request id and the trace context. A try has 3 seconds (more if the peer `callsThirdParty`), and
 * temporary failures are retried twice: every internal endpoint is idempotent. A peer that stays unavailable, an organization that moved, a
 * sandbox that was reset, and a call inside a transaction are defects.
 */
export const peerHttpClient = Effect.fnUntraced(function* (
  peer: string,
  baseUrl: string,
  { callsThirdParty = false }: PeerCalls = {}
) {
  const { name } = yield* ServiceConfig
  const tokens = yield* IdentityTokens
  const identity = callers.service.Identity.make({ service: name })
  const identityFor = ({ organizationId: testOrganizationId, resets: testResets }: Sandbox) =>
    callers.service.Identity.make({ service: name, testOrganizationId, testResets })
  const requireNoTransaction = yield* outsideTransaction(`The ${peer} service was called`)
  const guarded = makeCircuitBreaker<PeerUnavailable>({
    failures: 5,
    openMillis: 500,
    refused: () => new PeerUnavailable({ peer }),
    isAway: ({ status }) => status !== 500
  })

  const authenticate = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    const test = yield* TestOrganization
    return HttpClientRequest.setHeaders(request, {
      [identityHeader]: yield* tokens.mint(test === undefined ? identity : identityFor(test)),
      [requestIdHeader]: yield* RequestId
    })
  })

  const within = (duration: Duration.Input) =>
    Effect.timeoutOrElse({ duration, orElse: () => Effect.fail(new PeerUnavailable({ peer })) })

  return (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(baseUrl)),
    HttpClient.mapRequestEffect(authenticate),
    HttpClient.transform((call) => {
      const answered = call.pipe(
        Effect.mapError((cause) => new PeerUnavailable({ peer, cause })),
        Effect.tap(({ headers }) =>
          headers[sandboxResetHeader] === undefined ? Effect.void : Effect.die(new SandboxReset())
        ),
        Effect.filterOrFail(
          ({ status }) => status < 500,
          ({ headers, status }) => new PeerUnavailable({ peer, status, refusal: refusalIn(headers) })
        )
      )
      const logged = Effect.tapError(answered, (failure) =>
        failure.refusal === undefined ? Effect.void : Effect.logError(failure.message)
      )
      const tried = callsThirdParty
        ? logged.pipe(Effect.retry({ ...tries, while: ({ status }) => status === undefined }), within("12 seconds"))
        : logged.pipe(within("3 seconds"), Effect.retry(tries))
      return Effect.andThen(requireNoTransaction, guarded(tried)).pipe(
        Effect.orDie,
        Effect.tap(({ headers }) => {
          const cell = headers[movedToHeader]
          return cell === undefined ? Effect.void : Effect.die(new OrganizationMoved({ cell }))
        })
      )
    })
  )
})

/** The URL of a service from the environment; by default it is on this machine. */
export const peerUrl = (name: ServiceName): Setting<string> => {
  const { port, urlVariable } = peers[name]
  return setting(urlSetting, urlVariable, `http://127.0.0.1:${port}`, `the URL of the service ${name}`)
}

/** Handlers for `Effect.catchTags`: an answer outside of the contract is a defect, which is answered with 503 or 500. */
export const unexpected = { HttpClientError: Effect.die, SchemaError: Effect.die } as const

/**
 * Makes the typed client of one group of another service. It calls through `peerHttpClient`. The API has that group alone: with its whole
 * contract, a process would have 10 MB more.
 */
export const peer = Effect.fnUntraced(function* <
  Name extends ServiceName,
  Groups extends HttpApiGroup.Constraint,
  const Group extends HttpApiGroup.Identifier<Groups>
>(api: HttpApi.HttpApi<Name, Groups>, group: Group, calls?: PeerCalls) {
  const httpClient = yield* peerHttpClient(api.identifier, yield* readSettings(peerUrl(api.identifier)), calls)
  return yield* HttpApiClient.group(api, { group, httpClient })
})

/** The HTTP client of internal calls: keep-alive connections to the other services. */
export const layerHttpClient = NodeHttpClient.layerUndiciOptions({ connections: 64, keepAliveTimeout: 30_000 })
