import type { IncomingMessage } from "node:http"
import { PatientAccess, type PublicCaller } from "@care/domain/http"
import { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

const realm = 'realm="care"'

const bearer = `Bearer ${realm}`

const signature = `Signature ${realm}`

const challenges: Readonly<Record<PublicCaller, string>> = {
  partner: `ApiKey ${realm}, header="cv-api-key"`,
  operator: bearer,
  session: bearer,
  link: signature,
  pharmacy: signature,
  stripe: signature,
  scheduling: signature
}

/** Returns the `WWW-Authenticate` of a 401 to a request without a bearer token. */
export const challengeFor = (caller: PublicCaller): string => challenges[caller]

// A request without a token gets no `error` (RFC 6750, 3).
const invalidToken = `${bearer}, error="invalid_token"`

const bearerFor = ({ headers }: IncomingMessage): string =>
  headers.authorization === undefined ? bearer : invalidToken

const header = "www-authenticate"

/** Makes the function that adds to a 401 which credential is missing or refused (RFC 9110, 11.6.1). */
export const challenging =
  (caller: PublicCaller, request: IncomingMessage) =>
  (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
    if (response.status !== 401 || response.headers[header] !== undefined) return response
    const challenge = challenges[caller] === bearer ? bearerFor(request) : challenges[caller]
    return HttpServerResponse.setHeader(response, header, challenge)
  }

/** The same for the answer of a service, which checks the access tokens of patients. */
export const challengingPatient =
  ({ middlewares }: HttpApiEndpoint.Top, request: IncomingMessage) =>
  (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
    response.status === 401 && Array.from(middlewares).some(({ key }) => key === PatientAccess.key)
      ? HttpServerResponse.setHeader(response, header, bearerFor(request))
      : response
