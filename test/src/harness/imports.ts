import { registerHooks } from "node:module"

// Asked for by its own URL, a file has been compiled once for all runs. The files of a process are loaded once each.
registerHooks({
  resolve: (specifier, context, nextResolve) => {
    if (
      context.parentURL !== undefined &&
      /^\.\.?\/.*\.(ts|js)$/.test(specifier) &&
      !context.parentURL.includes("/vitest/")
    ) {
      const url = new URL(specifier, context.parentURL).href
      if (url.startsWith("file:"))
        return { url, shortCircuit: true, ...(url.endsWith(".ts") ? { format: "module-typescript" } : {}) }
    }
    const resolved = nextResolve(specifier, context)
    return { ...resolved, url: resolved.url.replace(/\?vitest=\d+$/, "") }
  }
})
