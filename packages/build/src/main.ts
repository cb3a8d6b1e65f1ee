import { join } from "node:path"
import { buildConsole, consoleIn } from "./buildConsole.ts"
import { buildDocs, docsIn } from "./buildDocs.ts"
import { buildPrograms } from "./buildPrograms.ts"
import { folder } from "./folder.ts"
import { writeSbom } from "./writeSbom.ts"

await buildPrograms(folder)
await buildConsole(consoleIn(folder))
await buildDocs(docsIn(folder))
await writeSbom(join(folder, "sbom.json"))
