import { existsSync, readFileSync } from "node:fs"
import { validateHeaderValue } from "node:http"
import { platform } from "node:os"
import { join } from "node:path"
import { ErrorAnswer, readErrorAnswer } from "@care/domain/http"
import { gatewayPort } from "@care/domain/peers"
import { dataDirectorySetting, documented, portSetting, readSettings, urlSetting } from "@care/service-kit/boot"
import { Config, Effect, Option, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { CommandFailed, exitCodes, refusal } from "./CommandFailed.ts"

/** Reads settings of a command, and fails with a sentence for an invalid one. */
export const commandSettings = <A>(settings: Config.Config<A>) =>
  Effect.mapError(readSettings(settings), ({ message }) => new CommandFailed({ message }))

/** Returns whether `fetch` accepts a URL: it refuses one with credentials. */
export const isPlainUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { password, protocol, username } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

export const gatewayUrlSetting = documented(Config.option(urlSetting("CARE_URL")), {
  name: "CARE_URL",
  byDefault: "`http://localhost:PORT`",
  meaning: "the URL of the gateway for `care`, without credentials. Redirects are not followed"
})

/**
 * The gateway's URL (CARE_URL; or this machine, PORT or 8080), and the start command's data directory (CARE_DATA_DIR).
 */
export const gatewayConnection = Effect.flatMap(
  commandSettings(
    Config.all({
      port: portSetting("PORT").pipe(Config.withDefault(gatewayPort)),
      url: gatewayUrlSetting,
      dataDirectory: dataDirectorySetting
    })
  ),
  ({ dataDirectory, port, url }) => {
    const baseUrl = Option.getOrElse(url, () => `http://localhost:${port}`)
    return isPlainUrl(baseUrl)
      ? Effect.succeed({ dataDirectory, baseUrl })
      : new CommandFailed({ message: "CARE_URL has to be a URL without credentials, such as http://localhost:8080." })
  }
)

/** Reads a value that the start command stored in a file of its data directory; undefined when it does not exist. */
export const readStored = (dataDirectory: string, fileName: string, name: string) => {
  const file = join(dataDirectory, fileName)
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
  return Effect.try({
    try: (): string | undefined => {
      if (!existsSync(file)) return undefined
      const value = decode(readFileSync(file, "utf8"))[name]
      return typeof value === "string" ? value : undefined
    },
    catch: () => file
  })
}

/** Makes the header of a secret. The error for an invalid one does not quote it. */
export const secretHeader = (header: string, value: string, name: string) =>
  Effect.try({
    try: (): Readonly<Record<string, string>> => {
      validateHeaderValue(header, value.trim())
      return { [header]: value }
    },
    catch: () =>
      new CommandFailed({
        message: `${name} cannot be sent: it contains a character that is not allowed in a header, such as a line break or one outside Latin-1.`
      })
  })

/** The failure when nothing listens at the gateway's URL. */
export const noGatewayAt = (baseUrl: string) =>
  new CommandFailed({
    message: `No gateway answers at ${baseUrl}: start the suite, or set CARE_URL.`,
    exitCode: exitCodes.unavailable
  })

const redirects = [301, 302, 303, 307, 308]

// The target of a redirect may contain anything: only its origin is shown.
const originOf = (location: string | undefined, requestUrl: string): string =>
  location !== undefined && URL.canParse(location, requestUrl) ? new URL(location, requestUrl).origin : "no URL"

const redirected = (baseUrl: string, { headers, status }: HttpClientResponse.HttpClientResponse) =>
  new CommandFailed({
    message: `${baseUrl} redirects (${status}) to ${originOf(headers["location"], baseUrl)}. care does not follow redirects, because it would send your key there: set CARE_URL to the URL of the gateway itself.`
  })

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

// Bodies name no request unless the gateway failed, but headers do.
const answerIn = Effect.fnUntraced(function* ({ headers, status, text }: HttpClientResponse.HttpClientResponse) {
  const body = Option.getOrElse(decodeBody(yield* text), () => ({ error: `The gateway answered ${status}.` }))
  return readErrorAnswer(status, { requestId: headers["x-request-id"], ...body })
})

/** Returns the failure of a command for an error of a client. Errors of the library quote URLs and values, and are not shown. */
export const failureOf = (error: unknown): CommandFailed => {
  if (error instanceof CommandFailed) return error
  if (error instanceof ErrorAnswer) return refusal(error)
  return new CommandFailed({
    message: HttpClientError.isHttpClientError(error)
      ? "The gateway's response broke off: try again."
      : "The gateway's response is not what care expects: use care of the gateway's version."
  })
}

/** The headers with which a caller is known, and the failure for callers whom the gateway does not know. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly rejected: (failure: CommandFailed) => CommandFailed
}

/** The client of the gateway. */
export type GatewayClient = HttpClient.HttpClient.With<CommandFailed | HttpClientError.HttpClientError>

/** Returns the credentials of a caller by headers, whose refusal has the gateway's text. */
export const credentialsOf = (headers: Credentials["headers"]) =>
  Effect.succeed<Credentials>({ headers, rejected: (failure) => failure })

/**
 * Makes the client of the gateway. It follows no redirects, because the credentials are only for the gateway. What is not a success is a
 * failure of the command.
 */
export const gatewayClient = (baseUrl: string, credentials: Effect.Effect<Credentials, CommandFailed>) =>
  Effect.map(HttpClient.HttpClient, (client) =>
    client.pipe(
      HttpClient.mapRequest(HttpClientRequest.prependUrl(baseUrl)),
      HttpClient.mapRequestEffect((request) =>
        Effect.map(credentials, ({ headers }) =>
          HttpClientRequest.setHeaders(request, { "user-agent": `care (${platform()})`, ...headers })
        )
      ),
      HttpClient.transform((call) =>
        Effect.gen(function* () {
          const response = yield* Effect.mapError(call, (error) =>
            error instanceof CommandFailed ? error : noGatewayAt(baseUrl)
          )
          if (redirects.includes(response.status)) return yield* redirected(baseUrl, response)
          if (response.status < 400) return response
          const { rejected } = yield* credentials
          return yield* rejected(refusal(yield* Effect.mapError(answerIn(response), failureOf)))
        }).pipe(
          Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
          Effect.provideService(HttpClient.TracerPropagationEnabled, false)
        )
      )
    )
  ).pipe(Effect.provide(FetchHttpClient.layer))
