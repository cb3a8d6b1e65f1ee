import { Effect } from "effect"
import { admin } from "../call.ts"
import { addStaff, type Clinic } from "../fixtures.ts"
import { codeSentTo, codesSentTo } from "../signIn.ts"
import { Browser, type ConsoleWindow, type WindowOptions } from "./Browser.ts"

let people = 0

// Runs in the page.
const request = async ([method, path, body]: readonly [method: string, path: string, body?: unknown]) => {
  const response = await fetch(`/admin/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
}

// Runs in the page, too. It is a text, because these tests know no types of the browser.
const enrol = `async (options) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, rawId, response, type } = (await navigator.credentials.create({ publicKey })).toJSON()
  const { attestationObject, clientDataJSON, transports } = response
  return { id, rawId, type, response: { attestationObject, clientDataJSON, transports } }
}`

/** Calls the admin API as the page does, with its cookie. */
export const fetchIn = ({ page }: ConsoleWindow, method: string, path: string, body?: unknown) =>
  Effect.promise(() => page.evaluate(request, [method, path, body] as const))

/** Signs a member in without the screens of the sign-in, with a passkey of the window's security key, and opens a path of the console. */
export const enter = Effect.fnUntraced(function* (window: ConsoleWindow, email: string, path: string) {
  const { page } = window
  yield* Effect.promise(() => page.goto("/console/sign-in"))
  const known = yield* codesSentTo(email)
  yield* fetchIn(window, "POST", "/session/code", { email })
  const code = yield* codeSentTo(email, known)
  yield* fetchIn(window, "POST", "/session", { email, code })
  const { json: options } = yield* fetchIn(window, "POST", "/session/passkeys/registration")
  const credential = yield* Effect.promise(() => page.evaluate(`(${enrol})(${JSON.stringify(options)})`))
  yield* fetchIn(window, "POST", "/session/passkeys", { name: "Laptop", credential })
  yield* Effect.promise(() => page.goto(`/console${path}`))
})

/** Adds a member to a clinic and opens a window in which they are signed in. */
export const signedIn = Effect.fnUntraced(function* (
  clinic: Pick<Clinic, "organizationId">,
  role: string,
  { path = "/", ...options }: WindowOptions & { readonly path?: string; readonly person?: object } = {}
) {
  const window = yield* (yield* Browser).open(options)
  people += 1
  const email = `console.${people}.${clinic.organizationId}@clinic.example.com`
  const userId = yield* addStaff(clinic, { email, role, npi: "1234567893", ...options.person })
  yield* enter(window, email, path)
  return { ...window, email, userId }
})

/** Opens a window in which an operator of the platform is signed in. */
export const signedInOperator = Effect.fnUntraced(function* (path: string, options: WindowOptions = {}) {
  const window = yield* (yield* Browser).open(options)
  people += 1
  const email = `operator.${people}.${Math.trunc(performance.timeOrigin)}@platform.example.com`
  yield* admin("POST", "/operators", { email, firstName: "Olga", lastName: "Petrova" })
  yield* enter(window, email, path)
  return { ...window, email }
})
