import { registerHooks } from "node:module"

const isPath = /^\.\.?\/.*\.[jt]s$/

/**
 * Most imports name a file by its path. Nobody has to look for it, and Vitest is not told of each: it asks for that when it
 * watches files. And a file of tests keeps its own name, without the time of the run, so that what Node.js compiled of it
 * is found again. Together that is a seventh of the processor time of the fast tests.
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
