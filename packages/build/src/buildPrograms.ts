import { readFileSync } from "node:fs"
import { cp } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"

/** Changes what a program is built of. */
export type BuildPlugin = Plugin

const root = join(import.meta.dirname, "..", "..", "..")

const processes = ["gateway", "auth", "cases", "payments", "scheduling"] as const

// What has machine code in a file of its own.
const native = "@node-rs/argon2"

// The service is what its package exports; the process is beside it.
const mainOf = (name: string) => join(dirname(fileURLToPath(import.meta.resolve(`@care/${name}`))), "main.ts")

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

// A single character beyond ASCII, as in the name of a language, makes the whole program take two bytes a character. Lines stay
// where they are.
const inAscii: Plugin = {
  name: "ascii",
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
    }
  }
}

// A document of the repository, which a module reads when it is loaded, is in the program as text.
const readsDocument = /readFileSync\(join\(import\.meta\.dirname, "([^"]+\.md)"\), "utf8"\)/g

const withDocuments: Plugin = {
  name: "documents",
  transform: {
    filter: { code: readsDocument },
    handler: (code, id) => ({
      code: code.replace(readsDocument, (_, path) => JSON.stringify(readFileSync(join(dirname(id), path), "utf8"))),
      map: null
    })
  }
}

// Undici's parser is WebAssembly, which V8 compiles a second time, optimised, as soon as a program has a connection: 22 MB that
// it never gives back, for no processor time that could be measured (docs/performance.md). Neither flag does it alone.
const once = `
import { setFlagsFromString } from "node:v8"
setFlagsFromString("--no-wasm-tier-up")
setFlagsFromString("--no-wasm-dynamic-tiering")
`

/** The program of a process in the folder that `buildPrograms` wrote. */
export const programIn = (folder: string, name: string): string => join(folder, `${name}.mjs`)

const buildProgram = async (folder: string, name: string, plugins: ReadonlyArray<BuildPlugin>) => {
  const bundle = await rolldown({
    input: mainOf(name),
    platform: "node",
    external: [native],
    plugins: [...plugins, withDocuments, inAscii],
    // No module here does anything by being loaded, except for the entry: what nobody uses is left out whole.
    treeshake: { moduleSideEffects: false }
  })
  await bundle.write({
    file: programIn(folder, name),
    format: "esm",
    // The documentation page, which is loaded when somebody asks for it, too.
    codeSplitting: false,
    // Short names would save nothing once it runs, and nobody could read a stack.
    comments: false,
    banner: once,
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => relative(root, join(dirname(map), source))
  })
  await bundle.close()
}

/**
 * Writes what runs in production into a folder, which then needs nothing else: a program of each process with all that it
 * uses of the suite and its libraries, the map from its lines to the TypeScript, and what is native. A benchmark has `plugins`
 * for what it replaces.
 */
export const buildPrograms = async (folder: string, plugins: ReadonlyArray<BuildPlugin> = []): Promise<void> => {
  // One after the other: each build has as many threads as there are processors, and those of five wait for each other.
  for (const name of processes) await buildProgram(folder, name, plugins)
  // Its neighbours are the machine code for this platform.
  const scope = dirname(dirname(fileURLToPath(import.meta.resolve(native))))
  await cp(scope, join(folder, "node_modules", "@node-rs"), { recursive: true, dereference: true })
}
