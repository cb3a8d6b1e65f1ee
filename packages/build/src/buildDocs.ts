import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { makeSite, operatorSections, partnerSections, references } from "@care/docs"
import { adminDocument, publicDocument } from "@care/gateway/openapi"
import { rolldown } from "rolldown"
import { scalarSource } from "./scalarSource.ts"

const root = join(import.meta.dirname, "..", "..", "..")

const browser = join(dirname(fileURLToPath(import.meta.resolve("@care/docs"))), "browser")

const prefix = "/docs/assets/"

const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("base64url").replaceAll(/[-_]/g, "").slice(0, 10)

// Returns the addresses of the programs that the pages load, by the name of their source.
const buildPrograms = async (folder: string) => {
  const bundle = await rolldown({
    input: ["theme", "site", "reference"].map((name) => join(browser, `${name}.ts`)),
    platform: "browser"
  })
  const { output } = await bundle.write({
    dir: join(folder, "assets"),
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    minify: true
  })
  await bundle.close()
  return (name: string): string => {
    const entry = output.find((each) => each.type === "chunk" && each.isEntry && each.name === name)
    if (entry === undefined) throw new Error(`The build has no ${name}`)
    return `${prefix}${entry.fileName}`
  }
}

/**
 * Writes the documentation into a folder, which the gateway serves at `/docs`: the guides in `docs`, and the references of the API's
 * documents, with the documents themselves. The folder appears when it is complete.
 */
export const buildDocs = async (folder: string): Promise<void> => {
  const unfinished = `${folder}.${process.pid}`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(join(unfinished, "assets"), { recursive: true })
  const addAsset = async (name: string, content: string | Uint8Array): Promise<string> => {
    const [kind, stem] = [extname(name), basename(name, extname(name))]
    const hashed = `${stem}-${hashOf(content)}${kind}`
    await writeFile(join(unfinished, "assets", hashed), content)
    return `${prefix}${hashed}`
  }
  const files = [...partnerSections, ...operatorSections].flatMap((section) => section.files)
  const texts = new Map<string, string>()
  const pictures = new Map<string, string>()
  for (const file of files.filter((each) => existsSync(join(root, each)))) {
    const text = await readFile(join(root, file), "utf8")
    texts.set(file, text)
    for (const [, link = ""] of text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      const picture = join(dirname(file), link)
      pictures.set(picture, await addAsset(basename(picture), await readFile(join(root, picture))))
    }
  }
  const [partners, operators] = references
  const site = await makeSite({
    texts,
    documents: [
      [partners, publicDocument],
      [operators, adminDocument]
    ],
    pictureAt: (file) => pictures.get(file) ?? ""
  })
  const addressOf = await buildPrograms(unfinished)
  const made = site.files({
    theme: addressOf("theme"),
    site: addressOf("site"),
    reference: addressOf("reference"),
    style: await addAsset("site.css", await readFile(join(browser, "site.css"))),
    icon: await addAsset("icon.svg", await readFile(join(browser, "icon.svg"))),
    scalar: await addAsset("scalar.js", await scalarSource()),
    searchIndex: await addAsset("search.json", site.searchIndex)
  })
  const documents = [
    ["openapi/partner.json", JSON.stringify(publicDocument)],
    ["openapi/admin.json", JSON.stringify(adminDocument)]
  ] as const
  for (const [name, content] of [...made, ...documents]) {
    await mkdir(dirname(join(unfinished, name)), { recursive: true })
    await writeFile(join(unfinished, name), content)
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  await rename(unfinished, folder)
}

/** The folder that `pnpm build` writes the documentation into. */
export const docsIn = (folder: string): string => join(folder, "docs")
