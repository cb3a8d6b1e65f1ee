import { registerHooks } from "node:module"

const isPath = /^\.\.?\/.*\.[jt]s$/

/**
 * Resolves relative imports without searching, and without reporting each to Vitest, which needs that only in watch mode. Removes the time of
 * the run from the URLs of test files, so that Node.js finds them in its compile cache. Together that saves a seventh of the processor time
 * of the fast tests.
 */
if (process.env["VITEST_MODE"] !== "WATCH") {
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      if (context.parentURL?.startsWith("file:") && isPath.test(specifier)) {
        return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      }
      const resolved = nextResolve(specifier, context)
      return { ...resolved, url: resolved.url.replace(/\?vitest=\d+$/, "") }
    }
  })
}
