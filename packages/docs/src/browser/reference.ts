import { readDemo } from "./fillDemo.ts"
import { isDark, switchTheme } from "./switchTheme.ts"

declare global {
  /** Scalar's program, which the page loads before this one. */
  const Scalar: { readonly createApiReference: (element: Element | null, configuration: object) => unknown }
}

const { document: address, path } = document.body.dataset
const demo = path === "reference" ? await readDemo() : undefined

// Nothing of another server: no fonts, no proxy, no measurements, no assistant.
const configuration = {
  url: address,
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  hideClientButton: true,
  hideDarkModeToggle: true,
  hideSearch: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  hiddenClients: { c: true, clojure: true, http: true, objc: true, ocaml: true, powershell: true, r: true },
  authentication:
    path === "reference"
      ? { preferredSecurityScheme: "apiKey", securitySchemes: { apiKey: { value: demo?.testApiKey ?? "" } } }
      : {}
}

const element = document.getElementById("reference")
element?.replaceChildren()
Scalar.createApiReference(element, { ...configuration, forceDarkModeState: isDark() ? "dark" : "light" })
// Scalar reads its configuration once. These are the classes that it sets.
switchTheme((dark) => {
  document.body.classList.toggle("dark-mode", dark)
  document.body.classList.toggle("light-mode", !dark)
})
