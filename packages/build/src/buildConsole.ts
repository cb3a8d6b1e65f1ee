import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { build } from "vite"

const root = dirname(fileURLToPath(import.meta.resolve("@care/console/package.json")))

/**
 * Writes the web console of the care team into a folder, which the gateway serves. The folder appears when it is complete.
 */
export const buildConsole = async (folder: string): Promise<void> => {
  const unfinished = `${folder}.${process.pid}`
  // Vite takes the development parts of React under any other value, for example under the tests' own.
  const environment = process.env["NODE_ENV"]
  process.env["NODE_ENV"] = "production"
  await build({
    root,
    base: "/console/",
    configFile: false,
    logLevel: "warn",
    plugins: [react(), tailwindcss()],
    build: {
      outDir: unfinished,
      emptyOutDir: true,
      target: "es2023",
      // The content security policy allows no inlined files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2000,
      // What the page begins with is one file: each has headers of its own, and small ones compress badly.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } } }
    }
  }).finally(() => {
    if (environment === undefined) delete process.env["NODE_ENV"]
    else process.env["NODE_ENV"] = environment
  })
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  await rename(unfinished, folder)
}

/** The folder that `pnpm build` writes the console into. */
export const consoleIn = (folder: string): string => join(folder, "console")
