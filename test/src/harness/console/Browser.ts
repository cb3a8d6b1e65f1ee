import { peers } from "@care/domain/peers"
import { findFreeBase, offsets } from "@care/sandbox"
import { Context, Effect, Layer, ManagedRuntime, type Scope } from "effect"
import { type BrowserContext, chromium, type Page } from "playwright-core"
import { inject } from "vitest"
import { chromiumPath } from "../../../chromium.ts"
import { runProxy } from "../runProxy.ts"
import { Suite, urlsFrom } from "../Suite.ts"

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** How a window is opened. */
export interface WindowOptions {
  readonly width?: number
  readonly height?: number
  readonly isDark?: boolean
}

/** A window of a browser of its own, with a security key that has its own passkeys. */
export interface ConsoleWindow {
  readonly page: Page
  readonly context: BrowserContext
  /** The origin of the console. */
  readonly origin: string
  readonly securityKey: {
    /** Removes its passkeys. */
    readonly empty: () => Promise<unknown>
    /** Sets whether it recognizes who uses it. */
    readonly recognize: (isUserVerified: boolean) => Promise<unknown>
  }
  /** What the page wrote as an error: a violation of its policy, an exception. */
  readonly mistakes: Array<string>
}

// Chromium writes a line for each answer of 400 and more.
const isMistake = (text: string) => !text.startsWith("Failed to load resource")

/** Real Chromium, which opens the console of the suite. */
export class Browser extends Context.Service<
  Browser,
  {
    /** Opens a window, which closes with the scope. A mistake of the page fails the test then. */
    readonly open: (options?: WindowOptions) => Effect.Effect<ConsoleWindow, never, Scope.Scope>
  }
>()("@care/test/harness/console/Browser") {
  private static readonly make = Effect.fnUntraced(function* (ignoreDefaultArgs: Array<string>) {
    const { urls } = yield* Suite
    const origin = urls.gateway.replace("127.0.0.1", "localhost")
    const executablePath = chromiumPath()
    if (executablePath === undefined) return yield* Effect.die("Install Chromium: apt-get install chromium")
    const browser = yield* Effect.acquireRelease(
      Effect.promise(() => chromium.launch({ executablePath, args: flags, ignoreDefaultArgs })),
      (launched) => Effect.promise(() => launched.close())
    )
    const open = Effect.fnUntraced(function* ({ height = 800, isDark = false, width = 1280 }: WindowOptions = {}) {
      const context = yield* Effect.acquireRelease(
        Effect.promise(() =>
          browser.newContext({
            baseURL: origin,
            viewport: { width, height },
            colorScheme: isDark ? "dark" : "light",
            reducedMotion: "reduce"
          })
        ),
        (opened) => Effect.promise(() => opened.close())
      )
      context.setDefaultTimeout(30_000)
      const page = yield* Effect.promise(() => context.newPage())
      const mistakes: Array<string> = []
      page.on("pageerror", ({ message }) => mistakes.push(message))
      page.on("console", (message) => {
        if (message.type() === "error" && isMistake(message.text())) mistakes.push(message.text())
      })
      const securityKey = yield* Effect.promise(async () => {
        const devTools = await context.newCDPSession(page)
        await devTools.send("WebAuthn.enable")
        const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true
          }
        })
        return {
          empty: () => devTools.send("WebAuthn.clearCredentials", { authenticatorId }),
          recognize: (isUserVerified: boolean) =>
            devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })
        }
      })
      yield* Effect.addFinalizer(() =>
        mistakes.length === 0 ? Effect.void : Effect.die(new Error(`The page wrote: ${mistakes.join("; ")}`))
      )
      return { page, context, origin, securityKey, mistakes }
    })
    return Browser.of({ open })
  })

  static readonly layer = Layer.effect(Browser, Browser.make([]))

  /** A browser that keeps pages when they are left, as the browsers of people do and those of Playwright do not. */
  static readonly layerThatKeepsPages = Layer.effect(Browser, Browser.make(["--disable-back-forward-cache"]))
}

// Passkeys need a name, not an address.
const makeSuite = (port: number, peerUrls: Readonly<Record<string, string>> = {}) =>
  Suite.make(
    {
      PUBLIC_URL: `http://localhost:${port}`,
      CONSOLE_DIR: inject("consoleFolder"),
      DOCS_DIR: inject("docsFolder")
    },
    [],
    { port, peerUrls }
  )

const freePort = findFreeBase(Object.values(offsets))
const suite = Layer.effectContext(Effect.flatMap(freePort, (port) => makeSuite(port)))

/** The proxy through which the cases service of `consoleBeforeProxy` is called. */
export class CasesProxy extends Context.Service<CasesProxy, Effect.Success<ReturnType<typeof runProxy>>>()(
  "@care/test/harness/console/CasesProxy"
) {}

const suiteBeforeProxy = Layer.effectContext(
  Effect.gen(function* () {
    const port = yield* freePort
    const proxy = yield* runProxy(urlsFrom(port).cases)
    const made = yield* makeSuite(port, { [peers.cases.urlVariable]: new URL(proxy.url).origin })
    return Context.add(made, CasesProxy, CasesProxy.of(proxy))
  })
)

const processRuntime = ManagedRuntime.make(Layer.provideMerge(Browser.layer, suite))

/** One suite and one browser for all files of this process. Their users look only at data of their own organizations. */
export const sharedConsole = Layer.effectContext(processRuntime.contextEffect)

/** The same suite, and a browser that keeps pages when they are left. */
export const consoleThatKeepsPages = Layer.provideMerge(Browser.layerThatKeepsPages, sharedConsole)

/** A suite and a browser of one's own, for tests that change the time, the jobs or the processes. */
export const ownConsole = Layer.fresh(Layer.provideMerge(Browser.layer, suite))

/** A suite and a browser of one's own, whose cases service can go away and come back. */
export const consoleBeforeProxy = Layer.fresh(Layer.provideMerge(Browser.layer, suiteBeforeProxy))
