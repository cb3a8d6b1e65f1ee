import { buildConsole } from "./buildConsole.ts"

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("Name the folder to write: node packages/build/src/console.ts <folder>")
await buildConsole(folder)
