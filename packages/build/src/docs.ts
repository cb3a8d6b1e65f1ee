import { buildDocs } from "./buildDocs.ts"

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("Name the folder to write: node packages/build/src/docs.ts <folder>")
await buildDocs(folder)
