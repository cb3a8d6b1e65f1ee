import { readFileSync } from "node:fs"
import { cp } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"

/** Changes the modules that a program is built from. */
export type BuildPlugin = Plugin

const root = join(import.meta.dirname, "..", "..", "..")

const programs = ["gateway", "auth", "cases", "payments", "scheduling", "migrate", "stand-ins"] as const

// Has a native binary beside it.
const native = "@node-rs/argon2"

// `main.ts` beside what a package exports is the program.
const mainOf = (name: string) => join(dirname(fileURLToPath(import.meta.resolve(`@care/${name}`))), "main.ts")

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

// Escapes non-ASCII characters: a single one beyond Latin-1, as in the name of a language, makes V8 store the program
// with two bytes a character. Lines stay where they are.
const inAscii: Plugin = {
  name: "ascii",
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
    }
  }
}

// A document that a module reads when it is loaded is inlined as text.
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

// Undici's parser is WebAssembly, which V8 compiles a second time, optimised, after the first connection: 22 MB that
// are never freed, without a measurable gain (docs/performance.md). It takes both flags.
const wasmFlags = `
import { setFlagsFromString } from "node:v8"
setFlagsFromString("--no-wasm-tier-up")
setFlagsFromString("--no-wasm-dynamic-tiering")
`

/** Returns the program of a process in the folder that `buildPrograms` wrote. */
export const programIn = (folder: string, name: string): string => join(folder, `${name}.mjs`)

const buildProgram = async (folder: string, name: string, plugins: ReadonlyArray<BuildPlugin>) => {
  const bundle = await rolldown({
    input: mainOf(name),
    platform: "node",
    external: [native],
    plugins: [...plugins, withDocuments, inAscii],
    // Of our own modules only entries have side effects when loaded, so unused ones are dropped. Each package says which
    // of its modules have some (`sideEffects` in its package.json): a polyfill is imported for them alone.
    treeshake: { moduleSideEffects: [{ test: /^(?!.*[\\/]node_modules[\\/])/, sideEffects: false }] }
  })
  await bundle.write({
    file: programIn(folder, name),
    format: "esm",
    // The documentation page is in the program too, although it is loaded on request.
    codeSplitting: false,
    // Short names would save nothing at runtime, and make stacks unreadable.
    comments: false,
    banner: wasmFlags,
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => relative(root, join(dirname(map), source))
  })
  await bundle.close()
}

/**
 * Writes the production programs into a folder that needs nothing else: a program of each process, of the stand-ins and of the command
 * `migrate` with their dependencies, its source map, and native modules. `plugins` replace modules for benchmarks.
 */
export const buildPrograms = async (folder: string, plugins: ReadonlyArray<BuildPlugin> = []): Promise<void> => {
  // One after the other: each build uses all processors.
  for (const name of programs) await buildProgram(folder, name, plugins)
  // The binary for this platform is a package beside it.
  const scope = dirname(dirname(fileURLToPath(import.meta.resolve(native))))
  await cp(scope, join(folder, "node_modules", "@node-rs"), { recursive: true, dereference: true })
}
