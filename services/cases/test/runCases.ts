import { randomUUID } from "node:crypto"
import type { RequestListener } from "node:http"
import { text } from "node:stream/consumers"
import { callers } from "@care/domain/http"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import { IdentityTokens, identityHeader } from "@care/service-kit"
import { freePort, layerTestConfig, makeTestDatabase, serveListener, temporaryFolder } from "@care/service-kit/testing"
import { ConfigProvider, Context, Effect, Layer, Redacted, Schema } from "effect"
import { CasesService } from "../src/CasesService.ts"
import { personSnapshot } from "./personSnapshot.ts"

const internalSecret = "internal"

const decodePeopleQuery = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ organizationId: Schema.String, userIds: Schema.optional(Schema.Array(Schema.String)) })
  )
)

const decodeEnrollments = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Struct({ organizationId: Schema.String })))
)

const answers: Readonly<Record<string, (body: string) => unknown>> = {
  "/internal/v1/people/find": (body) => {
    const { organizationId, userIds = [] } = decodePeopleQuery(body)
    return userIds.map((id) => personSnapshot(organizationId, id))
  },
  "/internal/v1/patients/enroll": (body) =>
    decodeEnrollments(body).map(({ organizationId }) => ({
      patient: personSnapshot(organizationId, randomUUID()),
      isIncomplete: false,
      isFresh: false
    }))
}

// Stands for auth and scheduling: patients are enrolled, all people are known, there are no providers and no appointments, and notices are
// accepted.
const answerAsPeer: RequestListener = async (request, response) => {
  if (request.url === "/internal/v1/case-notices") {
    response.writeHead(204).end()
    return
  }
  const answer = answers[request.url ?? ""]?.(await text(request)) ?? []
  response.setHeader("content-type", "application/json").end(JSON.stringify(answer))
}

/** The settings of a cases process on a database of its own, with `answerAsPeer` as its peers. */
const casesSettings = Effect.gen(function* () {
  const { url } = yield* makeTestDatabase
  const { url: peers } = yield* serveListener(answerAsPeer)
  return {
    DATABASE_URL: url,
    PORT: String(yield* freePort),
    AUDIT_OUTBOX_DIR: yield* temporaryFolder(),
    ERASURE_LIST_DIR: yield* temporaryFolder(),
    AUTH_URL: peers,
    SCHEDULING_URL: peers,
    INTERNAL_SECRET: internalSecret,
    PHI_KEY: `k1:${Buffer.alloc(32, 1).toString("base64")}`
  }
})

export type CasesSettings = Effect.Success<typeof casesSettings>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Calls the cases service on behalf of one organization, as the gateway does. */
export class Cases extends Context.Service<
  Cases,
  {
    readonly settings: CasesSettings
    readonly url: string
    /** Returns the headers with the identity of the caller: the organization, an operator, or somebody with a link. */
    readonly headers: (who?: "partner" | "operator" | "link") => Effect.Effect<Readonly<Record<string, string>>>
    /** Sends a text or a Blob unchanged, and any other `body` as JSON. */
    readonly call: (
      method: string,
      path: string,
      body?: unknown,
      headers?: Readonly<Record<string, string>>
    ) => Effect.Effect<Answer>
  }
>()("@care/cases/test/Cases") {}

const layerConfig = layerTestConfig({ name: "gateway", internalSecrets: [Redacted.make(internalSecret)] })

/** Returns the client of a cases process with these settings. */
const casesAt = Effect.fnUntraced(
  function* (settings: CasesSettings) {
    const tokens = yield* IdentityTokens
    const url = `http://127.0.0.1:${settings.PORT}`
    const identities = {
      partner: callers.partner.Identity.make({
        organizationId: OrganizationId.make(randomUUID()),
        apiKeyId: ApiKeyId.make(randomUUID())
      }),
      operator: callers.operator.Identity.make({}),
      link: callers.link.Identity.make({})
    }
    const headers = (who: keyof typeof identities = "partner") =>
      Effect.map(tokens.mint(identities[who]), (token) => ({ [identityHeader]: token }))
    const encodeBody = (body: unknown): string | Blob =>
      typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body)

    const call: Cases["Service"]["call"] = Effect.fnUntraced(function* (method, path, body, extraHeaders) {
      const allHeaders = { ...(yield* headers()), ...extraHeaders }
      return yield* Effect.promise(async (): Promise<Answer> => {
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: allHeaders,
          ...(body !== undefined && { body: encodeBody(body) })
        })
        return { status: answer.status, headers: answer.headers, text: await answer.text() }
      })
    })
    return Cases.of({ settings, url, headers, call })
  },
  Effect.provide(IdentityTokens.layer.pipe(Layer.provide(layerConfig)))
)

/** The cases service in this process. */
export const layerCases = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* casesSettings
    const service = CasesService.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: settings }))))
    return Layer.merge(service, Layer.effect(Cases, casesAt(settings)))
  })
)
