import { writeFileSync } from "node:fs"
import { currentVersion } from "@care/domain/versions"
import { presentDocument, releasedFile } from "./released.ts"

// Writes the document of the current version: `pnpm docs:openapi`, at each release.
writeFileSync(releasedFile(currentVersion), `${JSON.stringify(presentDocument, null, 2)}\n`)
