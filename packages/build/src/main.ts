import { join, relative } from "node:path"
import { buildConsole, consoleIn } from "./buildConsole.ts"
import { buildDocs, docsIn } from "./buildDocs.ts"
import { buildPrograms } from "./buildPrograms.ts"
import { folder } from "./folder.ts"
import { writeSbom } from "./writeSbom.ts"

await buildPrograms(folder)
await buildConsole(consoleIn(folder))
await buildDocs(docsIn(folder))
await writeSbom(join(folder, "sbom.json"))
process.stdout.write(
  `The programs, the console, the documentation and sbom.json are in ${relative(process.cwd(), folder)}.\n`
)
