import { execFile } from "node:child_process"
import { cp, glob, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..", "..", "..")
const client = join(root, "packages", "client")

/** Bundles a module of the client into one file. */
export const bundleClient = async (
  input: string,
  file: string,
  platform: "browser" | "neutral",
  minify = false
): Promise<void> => {
  const bundle = await rolldown({ input, platform })
  await bundle.write({ file, format: "esm", minify, codeSplitting: false })
  await bundle.close()
}

const declarations = [
  ...["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--rootDir", join(client, "src")],
  // As a browser has it: what the types name exists in Node.js, too.
  ...["--target", "ES2022", "--lib", "ES2023,DOM,DOM.Iterable,DOM.AsyncIterable", "--types", ""],
  ...["--module", "NodeNext", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck"],
  ...["--allowImportingTsExtensions", "--ignoreConfig"]
]

/** Writes the package that is published as `@care/client` into a folder. */
export const buildClient = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await bundleClient(join(client, "src", "index.ts"), join(folder, "index.js"), "neutral")
  const tsc = join(root, "node_modules", ".bin", "tsc")
  await promisify(execFile)(tsc, [...declarations, "--outDir", join(folder, "types"), join(client, "src", "index.ts")])
  // The compiler leaves the extensions of declarations as they are.
  for await (const file of glob(join(folder, "types", "**", "*.d.ts"))) {
    const text = await readFile(file, "utf8")
    await writeFile(file, text.replace(/( from "\.[^"]+)\.ts"/g, '$1.js"'))
  }
  const manifest: object = JSON.parse(await readFile(join(client, "package.json"), "utf8"))
  const published = {
    ...manifest,
    private: undefined,
    files: ["index.js", "types", "examples", "README.md", "CHANGELOG.md"],
    // For what knows no `exports`.
    main: "./index.js",
    types: "./types/index.d.ts",
    exports: { ".": { types: "./types/index.d.ts", default: "./index.js" }, "./package.json": "./package.json" }
  }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`)
  for (const name of ["README.md", "CHANGELOG.md", "examples"]) {
    await cp(join(client, name), join(folder, name), { recursive: true })
  }
}
