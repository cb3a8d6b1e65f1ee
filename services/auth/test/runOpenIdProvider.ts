import { generateKeyPairSync } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { serveListener } from "@care/service-kit/testing"
import { Effect } from "effect"
import Provider from "oidc-provider"

/** What the provider says of a person. */
interface Account {
  readonly email?: string
  readonly email_verified?: boolean
}

interface ProviderOptions {
  readonly redirectUri: string
  /** Whether the ID token itself says what the provider knows of a person. */
  readonly hasClaimsInToken?: boolean
}

export const openIdClient = { clientId: "care", clientSecret: "the secret of the client" }

const accountHeader = "x-account"

// What a browser shows: who signs in is asked for the email that the provider will name.
const page = `<!doctype html>
<title>Provider</title>
<form>
  <label>Email at the provider <input name="email" /></label>
  <button name="do" value="sign-in">Sign in</button>
  <button name="do" value="cancel">Cancel</button>
</form>`

/** Follows a browser's redirects with its cookies, until one leads to `target`, and returns that URL. */
const browse = async (url: string, target: string, account: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  for (let next = new URL(url); ; ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(next, { redirect: "manual", headers: { cookie, [accountHeader]: account } })
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1).join("").split(/=(.*)/s)
      cookies.set(name, value)
    }
    const location = response.headers.get("location")
    if (location === null) throw new Error(`The provider answered ${response.status} ${await response.text()}`)
    next = new URL(location, next)
    if (next.href.startsWith(target)) return next
  }
}

/** Runs an OpenID provider on this machine until the scope closes. `seen` has the path of each request. */
export const runOpenIdProvider = Effect.fnUntraced(function* ({
  hasClaimsInToken = false,
  redirectUri
}: ProviderOptions) {
  const accounts = new Map<string, Account>()
  const seen: Array<string> = []
  let isDown = false
  let listener = (_request: IncomingMessage, _response: ServerResponse): void => {}
  const { url: issuer } = yield* serveListener((request, response) => {
    seen.push(new URL(request.url ?? "/", "http://localhost").pathname)
    if (isDown) response.destroy()
    else listener(request, response)
  })
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: openIdClient.clientId,
        client_secret: openIdClient.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code"],
        response_types: ["code"]
      }
    ],
    jwks: { keys: [{ ...key, kty: "RSA", use: "sig", alg: "RS256" }] },
    cookies: { keys: ["a key of cookies"] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: !hasClaimsInToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...accounts.get(id), sub: id }) })
  })
  const answer = provider.callback()
  const addAccount = (account: Account) => {
    const id = `account-${accounts.size}`
    accounts.set(id, account)
    return id
  }
  const signInAs = async (request: IncomingMessage, response: ServerResponse, accountId: string) => {
    const grant = new provider.Grant({ accountId, clientId: openIdClient.clientId })
    grant.addOIDCScope("openid email")
    await provider.interactionFinished(request, response, {
      login: { accountId },
      consent: { grantId: await grant.save() }
    })
  }
  // Signs in whom the header names, without a page, or whom a person names on the page.
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const named = request.headers[accountHeader]
    if (typeof named === "string") return signInAs(request, response, named)
    const { searchParams } = new URL(request.url ?? "/", issuer)
    const chosen = searchParams.get("do")
    if (chosen === null) return response.setHeader("content-type", "text/html").end(page)
    if (chosen === "cancel") return provider.interactionFinished(request, response, { error: "access_denied" })
    return signInAs(request, response, addAccount({ email: searchParams.get("email") ?? "", email_verified: true }))
  }
  listener = (request, response) => {
    const isInteraction = request.url?.startsWith("/interaction/") === true
    void (isInteraction ? interact(request, response) : answer(request, response))
  }
  return {
    issuer,
    seen,
    setDown: (down: boolean) => {
      isDown = down
    },
    /** Signs a person in at the URL that a sign-in begins with, and returns the URL to which the provider sends the browser. */
    signIn: (redirectTo: string, account: Account) =>
      Effect.promise(() => browse(redirectTo, redirectUri, addAccount(account)))
  }
})
