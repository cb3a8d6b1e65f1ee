import { join, relative } from "node:path"
import { buildClient } from "./buildClient.ts"
import { folder } from "./folder.ts"

// Writes the package of the client: `pnpm client:build`.
const written = join(folder, "client")
await buildClient(written)
process.stdout.write(
  `The package @care/client is in ${relative(process.cwd(), written)}. Install it in a project of yours: npm install ${written}\n`
)
